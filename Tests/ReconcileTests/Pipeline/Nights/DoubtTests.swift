import Testing

@testable import Reconcile
@testable import TestSupport

/// A user with missing evidence keeps findings across users open.
@Suite("Missing evidence for one user", .timeLimit(.minutes(10)))
struct DoubtTests {
    private static let running = AppleAnswer.period("1", from: -10, to: 20)
    private static let other = AppleAnswer.period("2", from: -10, to: 20)
    private static let unreadable = running.replacing(
        #""purchase_date_ms":""#, with: #""purchase_date_ms":"x"#)
    private static let shared = "shared_original_transaction"

    enum Doubt: CaseIterable, Sendable {
        case silent, malformed, jws, nullRow, anomaly

        func raise(about user: String, in nights: Nights) async throws {
            switch self {
            case .silent: nights.silence(user)
            case .malformed: try await nights.store("not a receipt at all", of: user)
            case .jws:
                try await nights.store("eyJhbGciOiJFUzI1NiJ9.eyJhIjoxfQ.c2ln", of: user)
            case .nullRow: try await nights.store(nil, of: user)
            case .anomaly: nights.answer(user, DoubtTests.unreadable)
            }
        }
    }

    @Test(
        "Missing evidence does not clear another user's shared subscription",
        arguments: Doubt.allCases)
    func sharedSubscription(doubt: Doubt) async throws {
        try await Nights.with { nights in
            try await nights.customer("ann", Self.running, isGranted: true)
            try await nights.customer("bob", Self.running)
            #expect(try await nights.night().rows().contains("\(Self.shared) ann new"))
            try await doubt.raise(about: "bob", in: nights)
            for _ in 0..<2 {
                let night = try await nights.night()
                #expect(try await !night.rows().contains { $0.hasPrefix(Self.shared) })
                #expect(try await !night.cleared().contains { $0.hasPrefix(Self.shared) })
            }
            try await nights.store(TestDatabase.receipt("bob"), of: "bob")
            nights.answer("bob", Self.running)
            #expect(try await nights.night().rows().contains("\(Self.shared) ann persisting"))
            nights.answer("bob", Self.other)
            #expect(try await nights.night().cleared().contains("\(Self.shared) ann"))
            #expect(try await nights.ledgerStates().contains("\(Self.shared) ann closed"))
        }
    }

    @Test("A finding about a user who is no longer granted anything is cleared")
    func undone() async throws {
        try await Nights.with { nights in
            for user in ["ann", "bob"] {
                try await nights.customer(user, Self.running, isGranted: true)
            }
            _ = try await nights.night()
            nights.silence("ann")
            nights.silence("bob")
            try await nights.set("ann", isGranted: false)
            #expect(try await nights.night().cleared() == ["\(Self.shared) ann"])
        }
    }

    @Test("A finding stays open while the granted row is in flux or cannot be read")
    func inFlux() async throws {
        try await Nights.with { nights in
            for user in ["ann", "bob"] {
                try await nights.customer(user, Self.running, isGranted: true)
            }
            _ = try await nights.night()
            for column in ["at = '2027-01-01'", "at = null"] {
                try await nights.test.execute(
                    "update team.entitlements set \(column) where who = 'ann'")
                #expect(try await nights.night().cleared() == [])
            }
            try await nights.test.execute("update team.entitlements set at = '2026-10-01'")
            #expect(
                try await nights.night().rows()
                    == ["\(Self.shared) ann persisting", "\(Self.shared) bob persisting"])
        }
    }

    @Test("Missing evidence counts only for users who had the subscription in the last run")
    func longGone() async throws {
        try await Nights.with { nights in
            for user in ["ann", "bob"] {
                try await nights.customer(user, Self.running, isGranted: true)
            }
            try await nights.customer("cyd", Self.running)
            _ = try await nights.night()
            _ = try await nights.night(scope: .selected(users: ["ann", "bob"], receipts: []))
            nights.answer("cyd", AppleAnswer.period("3", from: -10, to: 20))
            #expect(try await nights.night().cleared() == [])
            nights.silence("cyd")
            nights.answer("bob", Self.other)
            #expect(
                try await nights.night().cleared() == ["\(Self.shared) ann", "\(Self.shared) bob"])
        }
    }

    @Test(
        "Missing evidence for the finding's own user is ignored, since the others' answers decide")
    func own() async throws {
        try await Nights.with { nights in
            for user in ["ann", "bob"] {
                try await nights.customer(user, Self.running, isGranted: true)
            }
            try await nights.test.store(receipt: "silent", of: "ann")
            _ = try await nights.night()
            nights.answer("bob", Self.other)
            #expect(
                try await nights.night().cleared() == ["\(Self.shared) ann", "\(Self.shared) bob"])
        }
    }

    @Test("Missing evidence does not clear an unknown product", arguments: Doubt.allCases)
    func unknownProduct(doubt: Doubt) async throws {
        try await Nights.with { nights in
            let unknown = AppleAnswer.period("9", of: "x.monthly", from: -10, to: 20)
            try await nights.customer("bob", unknown)
            #expect(try await nights.night().rows().contains("unknown_product - new"))
            try await doubt.raise(about: "bob", in: nights)
            #expect(
                try await !nights.night().cleared().contains("unknown_product -"))
            try await nights.store(TestDatabase.receipt("bob"), of: "bob")
            nights.answer("bob", unknown)
            #expect(try await nights.night().rows().contains("unknown_product - persisting"))
            nights.answer("bob", Self.running)
            #expect(try await nights.night().cleared().contains("unknown_product -"))
        }
    }
}
