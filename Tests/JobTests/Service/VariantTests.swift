import Foundation
import Testing

@testable import TestSupport

@Suite("Variants of a receipt at the receipt validation service", .timeLimit(.minutes(10)))
struct VariantTests {
    /// A service as a team sets it up, except that a test's authority signs for Apple.
    private static let service = "$SIGNED --roots=roots"

    @Test("What Apple did not write takes few of the requests that --rate allows")
    func share() async throws {
        // All sixty could be sent at once.
        let flags = "$KEYS $APPLE --roots=roots --rate=1 --burst=100 --outage-patience=5s"
        try await Session.serving(flags) { scene in
            let statuses = try await scene.statuses(60) { number in
                try await scene.post(variant: UInt8(number), of: "21002")
            }
            #expect(statuses == [503])
            #expect(scene.apple.asks.count < 20)
        }
    }

    private static func rows(_ scene: Session) async throws -> [String] {
        try await scene.test.texts(
            "select user_id from reconcile.stored_receipts order by receipt_id"
        ).compactMap(\.self)
    }

    @Test("Variants of a stored receipt are answered from it, and not stored beside it")
    func ofStored() async throws {
        try await Session.serving(Self.service) { scene in
            #expect(try await scene.post("map", .genuine).status == 200)
            for number in 0..<20 {
                let answer = try await scene.post(variant: UInt8(number), of: "map")
                #expect(answer.status == 200)
                #expect(answer.body.contains("remote.map"))
            }
            let rows = try await Self.rows(scene)
            #expect(rows.count == 1)
            #expect(scene.apple.asks.count == 1)
        }
    }

    @Test("Of variants of a receipt that is not stored, the first one is")
    func ofUnknown() async throws {
        try await Session.serving(Self.service) { scene in
            let statuses = try await scene.statuses(20) { number in
                try await scene.post(variant: UInt8(number), of: "map")
            }
            #expect(statuses == [200])
            let rows = try await Self.rows(scene)
            #expect(rows.count == 1)
            let answer = try await scene.post(variant: 99, of: "map")
            let key = try #require(answer.body.firstMatch(of: #/"download_key":"([^"]+)"/#))
            let opened = try await scene.client.ask("GET", "/open-key", key: String(key.1))
            #expect(opened.status == 200)
        }
    }

    @Test("A receipt as Apple wrote it is asked about, although a variant of it is stored")
    func writtenAfterVariant() async throws {
        try await Session.serving(Self.service) { scene in
            let first = try await scene.post(variant: 1, of: "map")
            let second = try await scene.post("map", .genuine)
            #expect(first.status == 200)
            #expect(second.status == 200)
            #expect(scene.apple.asks.count == 2)
            let isWritten = scene.apple.asks.last?.receipt == Session.receipt("map", .genuine)
            #expect(isWritten)
        }
    }

    @Test("When a stored receipt is due, a variant of it has Apple asked about the stored bytes")
    func due() async throws {
        try await Session.serving(Self.service + " --validation-ttl=1ms") { scene in
            #expect(try await scene.post("map", .genuine).status == 200)
            #expect(try await scene.post(variant: 1, of: "map").status == 200)
            #expect(scene.apple.asks.count == 2)
            let isStored = scene.apple.asks.last?.receipt == Session.receipt("map", .genuine)
            #expect(isStored)
            let rows = try await Self.rows(scene)
            #expect(rows.count == 1)
        }
    }

    @Test("A client that always sends the same variant is answered, by one request to Apple")
    func faithful() async throws {
        try await Session.serving(Self.service) { scene in
            for _ in 0..<3 {
                let answer = try await scene.post(variant: 1, of: "map")
                #expect(answer.body.contains("remote.map"))
            }
            #expect(scene.apple.asks.count == 1)
        }
    }

    @Test("A stored user keeps the receipt, and who sends a variant of it shares it")
    func users() async throws {
        let flags = Self.service + " --trust-user-id"
        let log = try await Session.serving(flags) { scene in
            #expect(try await scene.post("map", .genuine, user: "ann").status == 200)
            #expect(try await scene.post(variant: 1, of: "map", user: "ann").status == 200)
            let own = try await Self.rows(scene)
            #expect(own == ["ann"])
            #expect(try await scene.post(variant: 2, of: "map", user: "bob").status == 200)
            #expect(try await scene.post(variant: 3, of: "map").status == 200)
            let all = try await Self.rows(scene)
            #expect(all == ["ann", "bob"])
        }
        #expect(log.contains("is stored for another user than bob"))
    }
}
