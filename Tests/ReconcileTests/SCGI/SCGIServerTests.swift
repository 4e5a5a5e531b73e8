import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The SCGI server", .timeLimit(.minutes(10)))
struct SCGIServerTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/s" }

    init() throws { folder = try TemporaryFolder() }

    private func serving(
        _ limit: (inout SCGILimits) -> Void = { _ in },
        answering handler: @escaping @Sendable (SCGIRequest) async -> SCGIResponse = {
            SCGIResponse(200, $0.body, headers: [("X-Path", $0.path)])
        },
        _ body: (SCGIClient) async throws -> Void
    ) async throws {
        var limits = SCGILimits()
        limit(&limits)
        let server = try SCGIServer(at: path, limits: limits)
        async let running: Void = server.run(grace: .seconds(60), handler)
        let result = await Result { try await body(SCGIClient(path)) }
        server.stop()
        await running
        try result.get()
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("A request is passed on completely, and its answer is sent back")
    func answers() async throws {
        try await serving { client in
            let body = String(repeating: "é", count: 300_000)
            let answer = try await client.ask("POST", "/a?b", body)
            #expect(answer.status == 200 && answer.body == body)
            #expect(answer.head.hasSuffix("X-Path: /a"))
            #expect(answer.head.contains("Content-Length: 600000"))
        }
    }

    @Test("A body over the limit is refused before it has arrived")
    func tooLarge() async throws {
        try await serving {
            $0.bodyBytes = 10
        } _: { client in
            let taken = try await client.ask("POST", "/", "0123456789")
            let refused = try await client.ask("POST", "/", "0123456789x")
            #expect(taken.status == 200 && refused.status == 413)
        }
    }

    @Test("Bodies that together exceed the memory limit are refused, and use no memory of it")
    func noRoom() async throws {
        try await serving {
            $0.bufferedBytes = 1_000
        } _: { client in
            let answer = try await client.ask("POST", "/", String(repeating: "x", count: 2_000))
            #expect(answer.status == 503 && answer.head.contains("Retry-After: 5"))
            for _ in 0..<10 {
                let taken = try await client.ask("POST", "/", String(repeating: "x", count: 900))
                #expect(taken.status == 200)
            }
        }
    }

    @Test("The concurrency limit is kept, and one more client is told to retry")
    func busy() async throws {
        let (asked, release) = (Shared(0), Shared(false))
        try await serving {
            $0.requests = 1
        } answering: { request in
            asked.update { $0 += 1 }
            while !release.current { await Task.yield() }
            return SCGIResponse(200, request.body)
        } _: { client in
            async let first = client.ask("POST", "/", "first")
            while asked.current == 0 { await Task.yield() }
            #expect(try await client.ask("POST", "/", "second").status == 503)
            release.update { $0 = true }
            let held = try await first
            #expect(held.body == "first")
            #expect(try await client.ask("POST", "/", "third").body == "third")
        }
    }

    @Test("A client that sends nothing is disconnected")
    func impatient() async throws {
        try await serving {
            $0.headerPatience = .milliseconds(1)
        } _: { client in
            let socket = try #require(client.connected())
            defer { close(socket) }
            #expect(send(socket, "70:CONTENT", 10, Int32(MSG_NOSIGNAL)) == 10)
            var bytes = [UInt8](repeating: 0, count: 1_000)
            // The call returns when the server has answered.
            let count = recv(socket, &bytes, bytes.count, 0)
            let text = String(decoding: bytes[..<max(0, count)], as: UTF8.self)
            #expect(text.hasPrefix("Status: 408 "))
        }
    }

    @Test("A path is not replaced unless it is the socket of a server that has ended")
    func occupied() throws {
        _ = try folder.write("a file", to: "s")
        #expect(throws: SCGIError.self) { try SCGIServer(at: path) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "a file")
        let long = folder.path + "/" + String(repeating: "x", count: 200)
        #expect(throws: SCGIError.self) { try SCGIServer(at: long) }
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
