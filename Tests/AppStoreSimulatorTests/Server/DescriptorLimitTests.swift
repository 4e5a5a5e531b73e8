import Foundation
import Testing

@testable import TestSupport

/// Runs the built program, since the descriptor limit applies to a whole process.
@Suite("The simulated server without free file descriptors", .timeLimit(.minutes(10)))
struct DescriptorLimitTests {
    @Test("A connection that cannot be served is closed, and the next one is served when possible")
    func refuses() throws {
        let job = Bundle.main.bundleURL.appendingPathComponent("reconcile-job").path
        let simulator = try ChildProcess(
            "/bin/sh", ["-c", "ulimit -n 40; exec \"$0\" simulate --customers 1", job])
        defer { simulator.end() }
        let line = String(decoding: simulator.output.availableData, as: UTF8.self)
        let url = String(line.split(separator: " ")[0].dropFirst("production=".count))

        var clients: [RawClient] = []
        var (served, refused) = (0, 0)
        for _ in 0..<60 {
            let client = RawClient(url)
            client.post(Array("{}".utf8))
            try #require(!client.isSilent(milliseconds: 20_000))
            if client.reply().hasPrefix("HTTP/1.1 200 ") { served += 1 } else { refused += 1 }
            clients.append(client)
        }
        #expect(served > 10 && refused > 10)
        clients = []
        // The server may still be closing the other connections.
        let isServed = (0..<1_000).contains { _ in
            let client = RawClient(url)
            client.post(Array("{}".utf8))
            return client.reply().hasPrefix("HTTP/1.1 200 ")
        }
        #expect(isServed)
    }
}
