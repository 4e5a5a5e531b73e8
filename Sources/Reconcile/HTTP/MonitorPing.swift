/// Tells a monitor that a job has begun and how it ended, as healthchecks.io takes it: `URL/start`,
/// `URL` and `URL/fail`.
package struct MonitorPing: Sendable {
    package enum Signal: Sendable { case start, success, failure }

    private let url: String
    private let client: HTTPClient

    /// - Parameter url: checked by the caller. It is as good as a password, and never shown.
    /// - Returns: nil when libcurl or a thread cannot be had.
    package init?(url: String, userAgent: String, certificateFile: String?) {
        self.url = url
        var configuration = HTTPConfiguration(maxConnections: 1, userAgent: userAgent)
        configuration.certificateFile = certificateFile
        configuration.maxBodyBytes = 64 << 10
        // A monitor that cannot be had is no reason not to run.
        guard let client = try? HTTPClient(configuration) else { return nil }
        self.client = client
    }

    /// - Parameter message: the last line of the job.
    /// - Returns: why the monitor was not told, in words without the URL; nil when it was.
    package func send(
        _ signal: Signal, _ message: String, within patience: Duration
    ) async -> String? {
        let path =
            switch signal {
            case .start: "/start"
            case .success: ""
            case .failure: "/fail"
            }
        let parts = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let query = parts.count > 1 ? "?" + parts[1] : ""
        do {
            let answer = try await client.post(
                Array(message.utf8), to: parts[0] + path + query, timeout: patience)
            return (200...299).contains(answer.status) ? nil : "it answers HTTP \(answer.status)"
        } catch let error as HTTPError {
            // libcurl's words, which hold no URL.
            return error.cause
        } catch {
            return "it was cut short"
        }
    }
}
