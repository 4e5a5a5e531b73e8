/// What one request of `doctor` learned of a server.
package enum ServerProbe: Sendable {
    /// What the answer says about what was sent.
    package enum Verdict: Sendable {
        /// It is the answer that was expected.
        case expected
        /// The server refuses the app's secret or key.
        case refused
        /// It is no answer that says anything.
        case unexpected
    }

    /// - Parameters:
    ///   - words: the answer in a few words, for example `status 21002` or `HTTP 503`.
    ///   - time: the server's own clock.
    case answered(
        Verdict, words: String, time: Instant? = nil, retirement: RetirementNotice? = nil)
    /// No answer: why, and what to do.
    case silent(String)
}

/// Sends the single requests of `doctor`, without retries and outside any rate limit.
struct ProbeClient: Sendable {
    private let client: HTTPClient
    private let timeout: Duration
    private let now: @Sendable () -> Instant

    init(
        _ settings: ValidationSettings, now: @escaping @Sendable () -> Instant
    ) throws(ValidationFailure) {
        var configuration = HTTPConfiguration(maxConnections: 1, userAgent: settings.userAgent)
        configuration.connectTimeout = settings.connectTimeout
        configuration.certificateFile = settings.certificateFile
        configuration.readsDate = true
        timeout = settings.timeout
        self.now = now
        do throws(HTTPError) {
            client = try HTTPClient(configuration)
        } catch {
            throw ValidationFailure(error)
        }
    }

    /// - Parameter read: what the answer says about what was sent, and its words.
    func probe(
        _ request: HTTPRequest, to source: AnswerSource,
        read: (HTTPResponse) -> (ServerProbe.Verdict, words: String)
    ) async -> ServerProbe {
        do {
            let response = try await client.send(request, timeout: timeout)
            let now = now()
            let time = response.date
                .flatMap { HTTPDate.milliseconds($0, nowMilliseconds: now.milliseconds) }
                .map { Instant(milliseconds: $0) }
            let (verdict, words) = read(response)
            return .answered(
                verdict, words: words, time: time,
                retirement: RetirementNotice(of: source.name, response, now: now))
        } catch let error as HTTPError {
            return .silent(error.description)
        } catch {
            return .silent("The request was cancelled.")
        }
    }
}
