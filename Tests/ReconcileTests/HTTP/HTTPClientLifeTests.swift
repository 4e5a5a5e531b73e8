import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The lifetime of an HTTP client", .timeLimit(.minutes(10)))
struct HTTPClientLifeTests {
    @Test("A cancelled request ends at once")
    func cancel() async throws {
        let server = try LoopbackServer { _ in [.stall] }
        let client = try HTTPClientTests.client()
        let task = Task { try await client.post([1], to: server.url, timeout: .seconds(600)) }
        await server.arrival(of: 1)
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        await server.departure(of: 1)
    }

    @Test("A task that is already cancelled sends nothing")
    func cancelledBefore() async throws {
        let server = try LoopbackServer { _ in [.reply("{}")] }
        let client = try HTTPClientTests.client()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await client.post([1], to: server.url, timeout: .seconds(600))
        }
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        #expect(server.requests.isEmpty)
    }

    @Test("The client survives cancellation at every moment")
    func cancelAnytime() async throws {
        let server = try LoopbackServer { _ in [.reply("{}")] }
        let client = try HTTPClientTests.client(maxConnections: 4)
        let answered = Shared(0)
        let cancelled = Shared(0)
        try await withThrowingTaskGroup { group in
            for number in 0..<300 {
                group.addTask {
                    let task = Task {
                        try await client.post([1], to: server.url, timeout: .seconds(30))
                    }
                    for _ in 0..<(number % 40) { await Task.yield() }
                    task.cancel()
                    do {
                        _ = try await task.value
                        answered.update { $0 += 1 }
                    } catch is CancellationError {
                        cancelled.update { $0 += 1 }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(answered.current + cancelled.current == 300)
        let response = try await client.post([1], to: server.url, timeout: .seconds(30))
        #expect(response.status == 200)
    }

    @Test("Shutdown ends requests in flight, and refuses later ones")
    func shutdown() async throws {
        let server = try LoopbackServer { _ in [.stall] }
        let client = try HTTPClientTests.client()
        let task = Task { try await client.post([1], to: server.url, timeout: .seconds(600)) }
        await server.arrival(of: 1)
        await client.shutdown()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        await server.departure(of: 1)
        await #expect(throws: CancellationError.self) {
            _ = try await client.post([1], to: server.url, timeout: .seconds(600))
        }
        #expect(server.requests.count == 1)
    }

    @Test("A released client closes its connections and ends its thread")
    func release() async throws {
        let server = try LoopbackServer { _ in [.reply("{}")] }
        weak var former: HTTPClient?
        do {
            let client = try HTTPClientTests.client()
            former = client
            _ = try await client.post([1], to: server.url, timeout: .seconds(30))
        }
        // The end of the loop closes the connection, after its thread has ended.
        await server.departure(of: 1)
        #expect(former == nil)
    }

    @Test("Stop ends the loop's thread, started or not", arguments: [true, false])
    func stop(isStarted: Bool) throws {
        weak var former: CurlLoop?
        do {
            let loop = try CurlLoop(maxConnections: 1)
            former = loop
            if isStarted { try loop.start { _ in } }
            loop.stop()
        }
        #expect(former == nil)
    }

    @Test("A client cannot be made without its certificate file")
    func missingCertificateFile() {
        let error = #expect(throws: HTTPError.self) {
            _ = try HTTPClientTests.client(certificateFile: "/nonexistent/ca.pem")
        }
        #expect(error?.reason == .certificate)
    }
}
