import Glibc
import Testing

@testable import AppStoreSimulator
@testable import TestSupport

extension SimulatedStore {
    /// The demo world: 2026-11-20T02:00:00Z and the nights after it.
    static func demo(seed: UInt64 = 1, customers: Int = 1_000, night: Int = 1) -> SimulatedStore {
        SimulatedStore(seed: seed, customers: customers, firstNight: .fixture, night: night)
    }

    /// The request body for the first receipt, repaired, of the first customer with this story and
    /// at least so many periods of a subscription.
    func body(living story: Story, periods: Int = 0) throws -> String {
        let found = try #require(
            (0..<customers).lazy.map { customer($0) }.first {
                $0.card.story == story
                    && $0.accounts[0].subscriptions.first?.periods.count ?? 0 >= periods
            })
        var file = found.receipts[0]
        file.damage = .none
        let text = file.text(of: found, seed: seed, mint: ReceiptMint())
        let secret = found.accounts[file.account].app.secret
        return #"{"receipt-data":"\#(text)","password":"\#(secret)"}"#
    }
}

/// Serves the demo world, to which a client of the production server is connected.
func serving<Result>(
    faults: String = "0", latency: Duration = .zero,
    script: (@Sendable (SimulatedRequest) -> [ReplyStep]?)? = nil,
    _ body: (AppStoreSimulator, RawClient) async throws -> Result
) async throws -> Result {
    var settings = AppStoreSimulator.Settings()
    settings.faults = try FaultPlan(parsing: faults)
    settings.latency = latency
    settings.script = script
    settings.keepsRequests = script != nil
    let simulator = try AppStoreSimulator.start(.demo(), settings)
    defer { simulator.stop() }
    return try await body(simulator, RawClient(simulator.productionURL))
}

/// A client that sends and receives raw bytes, and may send anything.
final class RawClient {
    let port: UInt16
    private let socket: Int32

    init(_ url: String) {
        port = UInt16(url.split(separator: ":")[2].prefix { $0 != "/" }) ?? 0
        socket = LoopbackSocket.connection(to: port) ?? -1
        // A silent server fails this test instead of blocking all tests.
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(socket) }

    func send(_ text: String) { _ = LoopbackSocket.send(text.utf8, over: socket) }
    func sayNoMore() { shutdown(socket, Int32(SHUT_WR)) }

    func post(_ body: String, headers: [String] = []) {
        let lines = ["POST /verifyReceipt HTTP/1.1", "Host: a"] + headers
        let head = lines.map { $0 + "\r\n" }.joined()
        send(head + "Content-Length: \(body.utf8.count)\r\n\r\n" + body)
    }

    /// Up to `count` bytes; fewer if the server closes the connection first.
    func receive(_ count: Int) -> [UInt8] {
        guard count > 0 else { return [] }
        let piece = LoopbackSocket.receive(from: socket, atMost: count)
        return piece.isEmpty ? [] : piece + receive(count - piece.count)
    }

    /// The bytes up to the first empty line.
    func head() -> String {
        var head = ""
        while !head.hasSuffix("\r\n\r\n"), case let byte = receive(1), !byte.isEmpty {
            head += String(decoding: byte, as: UTF8.self)
        }
        return head
    }

    func reply() -> String {
        let head = head()
        let length = head.firstMatch(of: /Content-Length: (\d+)\r\n\r\n/).flatMap { Int($0.1) }
        return head + String(decoding: receive(length ?? 0), as: UTF8.self)
    }

    func reply(to body: String) -> String {
        post(body)
        return reply()
    }

    func endsInReset() -> Bool {
        errno = 0
        _ = receive(1 << 20)
        return errno == ECONNRESET
    }

    func isSilent(milliseconds: Int32) -> Bool {
        var watched = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&watched, 1, milliseconds) == 0
    }
}
