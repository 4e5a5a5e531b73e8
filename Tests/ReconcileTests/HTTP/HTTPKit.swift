@testable import Reconcile
@testable import TestSupport

extension HTTPClient {
    static func testing(
        maxConnections: Int = 16, certificateFile: String? = nil, requestIDHeaders: [String] = []
    ) throws -> HTTPClient {
        try HTTPClient(
            HTTPConfiguration(
                certificateFile: certificateFile, maxBodyBytes: 1 << 14,
                maxConnections: maxConnections, userAgent: "tester/1",
                requestIDHeaders: requestIDHeaders))
    }

    /// A post with a timeout that only a hanging test reaches.
    func post(
        _ body: [UInt8] = [1], to server: LoopbackServer
    ) async throws -> HTTPResponse {
        try await post(body, to: server.url, timeout: .seconds(60))
    }

    func failure(at url: String, timeout: Duration = .seconds(60)) async -> HTTPError? {
        do {
            _ = try await post([1, 2, 3], to: url, timeout: timeout)
            return nil
        } catch {
            return error as? HTTPError
        }
    }
}
