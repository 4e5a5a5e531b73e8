import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("An SCGI header")
struct SCGIHeaderTests {
    private static func header(
        _ fields: KeyValuePairs<String, String>
    ) throws -> SCGIHeader {
        let text = fields.map { "\($0.key)\u{0}\($0.value)\u{0}" }.joined()
        return try SCGIHeader(Array(text.utf8)[...])
    }

    private static func extent(_ text: String) throws -> [Int]? {
        try SCGIHeader.extent(of: Array(text.utf8), most: 100).map { [$0.start, $0.count] }
    }

    @Test("A header is a netstring of names and values, and an incomplete one is waited for")
    func reads() throws {
        #expect(try Self.extent("27:CONTENT_LENGTH\u{0}5\u{0}SCGI\u{0}1\u{0}x,hello") == [3, 27])
        for part in ["", "2", "27"] { #expect(try Self.extent(part) == nil) }
        #expect(try Self.extent("27:CONTENT") == [3, 27])
        let header = try Self.header([
            "CONTENT_LENGTH": "27", "SCGI": "1", "REQUEST_METHOD": "POST",
            "REQUEST_URI": "/validate?x", "HTTP_X_KEY": "k",
        ])
        #expect(header.method == "POST")
        #expect(header.path == "/validate")
        #expect(header.bodyBytes == 27)
        #expect(header.headers["HTTP_X_KEY"] == "k")
        // A request that nginx forwards internally has the inner path.
        let inner = try Self.header([
            "CONTENT_LENGTH": "0", "SCGI": "1", "REQUEST_URI": "/download",
            "DOCUMENT_URI": "/_key", "PATH_INFO": "/open-key",
        ])
        #expect(inner.path == "/open-key")
    }

    @Test("A malformed or too long header, or an invalid length, is refused before all has arrived")
    func malformed() {
        for text in [
            "abc:", "-5:hello,", ":", "99999999999999999999:x", "24CONTENT", "GET / HTTP",
        ] { #expect(throws: SCGIHeader.Refusal.malformed, "\(text)") { try Self.extent(text) } }
        #expect(throws: SCGIHeader.Refusal.tooLarge) { try Self.extent("101:") }
        for length in ["", "-1", "x", "99999999999999999999"] {
            #expect(throws: SCGIHeader.Refusal.malformed, "\(length)") {
                try Self.header(["CONTENT_LENGTH": length, "SCGI": "1"])
            }
        }
        #expect(throws: SCGIHeader.Refusal.malformed) { try Self.header(["SCGI": "1"]) }
        #expect(throws: SCGIHeader.Refusal.malformed) { try Self.header(["CONTENT_LENGTH": "5"]) }
    }
}

/// To add a case: a test that serves with some limits and talks by `SCGIClient`; or an error of
/// `connect` with what it means for a server that wants to listen.
@Suite("The SCGI server", .hangLimit)
struct SCGIServerTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/s" }
    init() throws { folder = try TemporaryFolder() }

    private func serving(
        headerPatience: Duration = .seconds(10),
        limits: KeyValuePairs<WritableKeyPath<SCGILimits, Int>, Int> = [:],
        answering handler: @escaping @Sendable (SCGIRequest) async -> SCGIResponse = {
            SCGIResponse(200, $0.body.take(), headers: [("X-Path", $0.path)])
        },
        _ body: (SCGIClient) async throws -> Void
    ) async throws {
        var settings = SCGILimits()
        settings.headerPatience = headerPatience
        for (limit, most) in limits { settings[keyPath: limit] = most }
        let server = try SCGIServer(at: path, limits: settings)
        async let running = server.run(grace: .seconds(60), handler)
        await #expect(throws: Never.self) { try await body(SCGIClient(path)) }
        server.stop()
        _ = await running
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("A request is passed on completely, and its answer is sent back")
    func answers() async throws {
        try await serving { client in
            let body = String(repeating: "é", count: 300_000)
            let answer = try await client.ask("POST", "/a?b", body)
            #expect(answer.status == 200)
            #expect(answer.body == body)
            let head = answer.head
            #expect(head.hasSuffix("X-Path: /a"))
            #expect(head.contains("Content-Length: 600000"))
        }
    }

    @Test("A body over a limit is refused before it has arrived, and uses no memory of others")
    func tooLarge() async throws {
        let limits: KeyValuePairs<WritableKeyPath<SCGILimits, Int>, Int> = [
            \.bodyBytes: 2_000, \.smallBodyBytes: 0, \.largeBodiesBytes: 1_000,
        ]
        try await serving(limits: limits) { client in
            // Up to 2,000 it is within the limit of a body, but not of all bodies together.
            for (bytes, status) in [(2_001, 413), (1_001, 503), (2_000, 503)]
                + Array(repeating: (1_000, 200), count: 10)
            {
                let answer = try await client.ask("POST", "/", String(repeating: "x", count: bytes))
                #expect(answer.status == status)
                #expect(answer.head.contains("Retry-After: 5") == (status == 503))
            }
        }
    }

    @Test("The concurrency limit is kept, and one more client is asked to retry")
    func busy() async throws {
        let asked = Semaphore(permits: 0)
        let release = Semaphore(permits: 0)
        try await serving(limits: [\.requests: 1]) { request in
            asked.signal()
            try? await release.wait()
            return SCGIResponse(200, request.body.take())
        } _: { client in
            async let first = client.ask("POST", "/", "first")
            try await asked.wait()
            #expect(try await client.ask("POST", "/", "second").status == 503)
            release.signal(2)
            #expect(try await first.body == "first")
            #expect(try await client.ask("POST", "/", "third").body == "third")
        }
    }

    @Test("A request that waits for another server keeps nobody out, neither does its body")
    func waiting() async throws {
        let asked = Semaphore(permits: 0)
        let release = Semaphore(permits: 0)
        try await serving(limits: [\.requests: 1, \.smallBodiesBytes: 5]) { request in
            let body = request.body.take()
            guard body.count == 5 else { return SCGIResponse(200, body) }
            request.releaseBody()
            asked.signal()
            try? await release.wait()
            return SCGIResponse(200, body)
        } _: { client in
            async let first = client.ask("POST", "/", "first")
            try await asked.wait()
            async let second = client.ask("POST", "/", "other")
            try await asked.wait()
            #expect(try await client.ask("POST", "/", "hi").body == "hi")
            release.signal(2)
            #expect(try await first.body == "first")
            #expect(try await second.body == "other")
        }
    }

    @Test("A request keeps no header but the one that is read, which is short")
    func headers() async throws {
        try await serving { request in
            SCGIResponse(200, Array(request.headers.keys.joined(separator: " ").utf8))
        } _: { client in
            let key = String(repeating: "k", count: 4_096)
            let kept = try await client.ask("GET", "/", key: key)
            #expect(kept.body == "HTTP_X_DOWNLOAD_KEY")
            let tooLong = try await client.ask("GET", "/", key: key + "k")
            #expect(tooLong.status == 200)
            #expect(tooLong.body == "")
        }
    }

    @Test("Bodies that are announced and do not come keep nobody out", arguments: [9, 90])
    func announced(bytes: Int) async throws {
        let limits: KeyValuePairs<WritableKeyPath<SCGILimits, Int>, Int> = [
            \.smallBodyBytes: 10, \.smallBodiesBytes: 1_000, \.largeBodiesBytes: 100,
        ]
        try await serving(limits: limits) { client in
            let idle = (0..<150).compactMap { _ in client.announcing(bytes, sending: "x") }
            #expect(idle.count == 150)
            let body = String(repeating: "y", count: bytes)
            let answer = try await client.ask("POST", "/", body)
            #expect(answer.body == body)
            for socket in idle { close(socket) }
        }
    }

    @Test("Bodies that stop before their end give way to those that arrive", arguments: [9, 90])
    func stalled(bytes: Int) async throws {
        let limits: KeyValuePairs<WritableKeyPath<SCGILimits, Int>, Int> = [
            \.smallBodyBytes: 10, \.smallBodiesBytes: 1_000, \.largeBodiesBytes: 100,
        ]
        try await serving(limits: limits) { client in
            let part = String(repeating: "x", count: bytes - 1)
            let idle = (0..<150).compactMap { _ in client.announcing(bytes, sending: part) }
            #expect(idle.count == 150)
            for _ in 0..<5 {
                let body = String(repeating: "y", count: bytes)
                let answer = try await client.ask("POST", "/", body)
                #expect(answer.body == body)
            }
            for socket in idle { close(socket) }
        }
    }

    @Test(
        "A server that stops tells whether it has answered every request", arguments: [true, false])
    func ends(isAnswered: Bool) async throws {
        let server = try SCGIServer(at: path)
        let asked = Semaphore(permits: 0)
        let release = Semaphore(permits: 0)
        async let end = server.run(grace: isAnswered ? .seconds(60) : .zero) { request in
            asked.signal()
            try? await release.wait()
            return SCGIResponse(200, request.body.take())
        }
        async let answer = SCGIClient(path).ask("POST", "/", "body")
        try await asked.wait()
        if isAnswered { release.signal() }
        server.stop()
        #expect(await end == (isAnswered ? .allAnswered : .someUnanswered))
        _ = try await answer
    }

    @Test("A client that sends nothing is disconnected")
    func impatient() async throws {
        try await serving(headerPatience: .milliseconds(1)) { client in
            #expect(await client.send("70:CONTENT").status == 408)
        }
    }

    @Test(
        "What a connection to the path meets decides whether a server may listen there",
        arguments: [
            (code: 0, reason: SCGIError.Reason.occupied, words: "Another server listens"),
            (code: EAGAIN, reason: .occupied, words: "Another server listens"),
            (code: EACCES, reason: .notPermitted, words: "This account may not connect"),
            (code: EPERM, reason: .notPermitted, words: "This account may not connect"),
            (code: EMFILE, reason: .failed, words: "Too many open files"),
        ])
    func probe(code: Int32, reason: SCGIError.Reason, words: String) {
        let refusal = SCGISocket.refusal(ofProbe: code, "/run/s")
        #expect(refusal?.reason == reason)
        #expect(refusal?.description.contains(words) == true)
        #expect(refusal?.description.contains("choose another path") == true)
    }

    @Test("Nobody listens at a socket that refuses connections", arguments: [ECONNREFUSED, ENOENT])
    func abandoned(code: Int32) {
        #expect(SCGISocket.refusal(ofProbe: code, "/run/s") == nil)
    }

    @Test("A path is not replaced unless it is the socket of a server that has ended")
    func occupied() throws {
        _ = try folder.write("a file", to: "s")
        #expect(throws: SCGIError.self) { try SCGIServer(at: path) }
        #expect(try folder.read("s") == "a file")
        let long = folder.path + "/" + String(repeating: "x", count: 200)
        #expect(throws: SCGIError.self) { try SCGIServer(at: long) }
    }
}
