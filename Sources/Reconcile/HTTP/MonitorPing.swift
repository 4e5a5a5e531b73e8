/// Pings a monitor in the style of healthchecks.io: `URL/start`, `URL` and `URL/fail`.
package struct MonitorPing: Sendable {
    package enum Signal: Sendable { case start, success, failure }

    private let url: String
    private let client: HTTPClient

    /// - Parameter url: checked by the caller. Treated as a secret and never printed.
    /// - Returns: nil when libcurl or a thread cannot be started.
    package init?(url: String, userAgent: String, certificateFile: String?) {
        self.url = url
        var configuration = HTTPConfiguration(maxConnections: 1, userAgent: userAgent)
        configuration.certificateFile = certificateFile
        configuration.maxBodyBytes = 64 << 10
        guard let client = try? HTTPClient(configuration) else { return nil }
        self.client = client
    }

    /// - Returns: nil, or why the ping failed, without the URL.
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
            // libcurl's text, which does not contain the URL.
            return error.cause
        } catch {
            return "it was cut short"
        }
    }
}
