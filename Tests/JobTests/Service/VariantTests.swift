import Foundation
import Testing

@testable import TestSupport

/// To add a case: copy a test; `ServiceSession` has what a client can send.
@Suite("Variants of a receipt at the receipt validation service", .hangLimit)
struct VariantTests {
    @Test("What Apple did not write takes few of the requests that --rate allows")
    func share() async throws {
        // All sixty could be sent at once.
        let pace = ["--rate=1", "--burst=100", "--backoff=1s", "--outage-patience=5s"]
        try await Session.serving(.signedOnly, pace) { session in
            let statuses = try await session.statuses(60) { number in
                try await session.post(variant: UInt8(number), of: "21002")
            }
            #expect(statuses == [503])
            #expect(session.apple.asks.count < 20)
        }
    }

    private static func rows(_ session: Session) async throws -> [String] {
        try await session.test.texts(
            "select user_id from reconcile.stored_receipts order by receipt_id"
        ).compactMap(\.self)
    }

    @Test("Variants of a stored receipt are answered from it, and not stored beside it")
    func ofStored() async throws {
        try await Session.serving(.signedOnly) { session in
            try await session.post("map", .genuine).answers(200)
            for number in 0..<20 {
                let answer = try await session.post(variant: UInt8(number), of: "map")
                #expect(answer.status == 200)
                #expect(answer.body.contains("remote.map"))
            }
            let rows = try await Self.rows(session)
            #expect(rows.count == 1)
            #expect(session.apple.asks.count == 1)
        }
    }

    @Test("Of variants of a receipt that is not stored, the first one is")
    func ofUnknown() async throws {
        try await Session.serving(.signedOnly) { session in
            let statuses = try await session.statuses(20) { number in
                try await session.post(variant: UInt8(number), of: "map")
            }
            #expect(statuses == [200])
            let rows = try await Self.rows(session)
            #expect(rows.count == 1)
            let answer = try await session.post(variant: 99, of: "map")
            let key = try #require(answer.downloadKeys.first)
            let opened = try await session.client.ask("GET", "/open-key", key: key)
            #expect(opened.status == 200)
        }
    }

    @Test("A receipt as Apple wrote it is asked about, although a variant of it is stored")
    func writtenAfterVariant() async throws {
        try await Session.serving(.signedOnly) { session in
            let first = try await session.post(variant: 1, of: "map")
            let second = try await session.post("map", .genuine)
            #expect(first.status == 200)
            #expect(second.status == 200)
            #expect(session.apple.asks.count == 2)
            let isWritten = session.apple.asks.last?.receipt == Session.receipt("map", .genuine)
            #expect(isWritten)
        }
    }

    @Test("When a stored receipt is due, a variant of it has Apple asked about the stored bytes")
    func due() async throws {
        try await Session.serving(.signedOnly, ["--validation-ttl=1ms"]) { session in
            try await session.post("map", .genuine).answers(200)
            try await session.post(variant: 1, of: "map").answers(200)
            #expect(session.apple.asks.count == 2)
            let isStored = session.apple.asks.last?.receipt == Session.receipt("map", .genuine)
            #expect(isStored)
            let rows = try await Self.rows(session)
            #expect(rows.count == 1)
        }
    }

    @Test("A client that always sends the same variant is answered, by one request to Apple")
    func faithful() async throws {
        try await Session.serving(.signedOnly) { session in
            for _ in 0..<3 {
                let answer = try await session.post(variant: 1, of: "map")
                #expect(answer.body.contains("remote.map"))
            }
            #expect(session.apple.asks.count == 1)
        }
    }

    @Test("A stored user keeps the receipt, and who sends a variant of it shares it")
    func users() async throws {
        let log = try await Session.serving(.signedOnly, ["--trust-user-id"]) { session in
            try await session.post("map", .genuine, user: "ann").answers(200)
            try await session.post(variant: 1, of: "map", user: "ann").answers(200)
            let own = try await Self.rows(session)
            #expect(own == ["ann"])
            try await session.post(variant: 2, of: "map", user: "bob").answers(200)
            try await session.post(variant: 3, of: "map").answers(200)
            let all = try await Self.rows(session)
            #expect(all == ["ann", "bob"])
        }
        #expect(log.contains("is stored for another user than bob"))
    }
}
