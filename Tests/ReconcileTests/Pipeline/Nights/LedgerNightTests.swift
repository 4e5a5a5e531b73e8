import Testing

@testable import Reconcile
@testable import TestSupport

/// Replays, retracted runs, and rows that the reports leave out.
@Suite("The ledger over several nightly runs", .timeLimit(.minutes(10)))
struct LedgerNightTests {
    private static let ended = AppleAnswer.period("1", from: -40, to: -10)
    private static let refunded = AppleAnswer.period("2", from: -10, to: 20, cancelled: -5)
    private static let leak = "expired_still_granted"

    @Test("A replay takes the lifecycle from the replayed run, and leaves no trace")
    func replay() async throws {
        try await Nights.with { nights in
            try await nights.customer("ann", Self.ended, isGranted: true)
            try await nights.customer("cyd", Self.refunded)
            let first = try await nights.night()
            let second = try await nights.night()
            let ledger = try await nights.ledger()
            let again = try await nights.night(replaying: second)
            #expect(try await again.rows() == ["\(Self.leak) ann persisting"])
            #expect(try await again.findings().map(\.firstSeen) == [.asOf])
            #expect(again.summary.facts.previousRun == first.summary.run.id)
            let oldest = try await nights.night(replaying: first)
            #expect(oldest.summary.facts.previousRun == nil)
            #expect(try await oldest.rows() == first.rows())
            #expect(
                try await oldest.rows() == ["\(Self.leak) ann new", "refund_recorded cyd new"])
            #expect(try await nights.ledger() == ledger)
            #expect(try await nights.night().rows() == ["\(Self.leak) ann persisting"])
        }
    }

    @Test("A replay clears what the replayed run cleared")
    func replayOfClearing() async throws {
        try await Nights.with { nights in
            try await nights.customer("ann", Self.ended, isGranted: true)
            _ = try await nights.night()
            try await nights.set("ann", isGranted: false)
            let cleared = try await nights.night()
            let again = try await nights.night(replaying: cleared)
            #expect(try await again.cleared() == ["\(Self.leak) ann"])
            try await nights.set("ann", isGranted: true)
            #expect(try await nights.night().rows() == ["\(Self.leak) ann reopened"])
        }
    }

    @Test("A refund in a receipt that moved to another user is not reported again")
    func refundMoves() async throws {
        try await Nights.with { nights in
            try await nights.customer("ann", Self.refunded)
            #expect(try await nights.night().rows() == ["refund_recorded ann new"])
            try await nights.test.execute("update team.receipts set who = 'bob'")
            let moved = try await nights.night()
            #expect(try await moved.rows() == [])
            #expect(moved.summary.money.amounts(.refunded).allSatisfy { $0.minorUnits == 0 })
        }
    }

    /// One user for each change that a run can make.
    private static func firstNight(_ nights: Nights) async throws {
        for user in ["ann", "dan", "eve"] {
            try await nights.customer(user, period(of: user), isGranted: true)
        }
        try await nights.customer("fay", period(of: "fay"), isGranted: false)
        _ = try await nights.night()
        try await nights.set("dan", isGranted: false)
        _ = try await nights.night()
    }

    private static func secondNight(_ nights: Nights) async throws -> Night {
        try await nights.set("ann", isGranted: false)
        try await nights.set("dan", isGranted: true)
        try await nights.set("fay", isGranted: true)
        nights.silence("eve")
        try await nights.customer("bob", period(of: "bob"), isGranted: true)
        try await nights.customer("cyd", refunded)
        return try await nights.night()
    }

    private static func period(of user: String) -> String {
        AppleAnswer.period("1\(user)", from: -40, to: -10)
    }

    @Test("A retracted run leaves the ledger as it was, byte for byte")
    func retract() async throws {
        try await Nights.with { nights in
            try await Self.firstNight(nights)
            let before = try await nights.ledgerRows()
            let undo = "select u::text from reconcile.ledger_undo as u order by 1"
            let undoBefore = try await nights.test.texts(undo)
            let night = try await Self.secondNight(nights)
            #expect(
                try await night.rows() == [
                    "\(Self.leak) bob new", "\(Self.leak) dan reopened", "\(Self.leak) fay new",
                    "refund_recorded cyd new",
                ])
            #expect(try await night.cleared() == ["\(Self.leak) ann"])
            #expect(try await nights.ledgerRows() != before)
            let retraction = try await nights.database.history.retract(
                runBeginningWith: night.summary.run.id.text, by: "eve", why: "wrong secrets")
            #expect(retraction.by == "eve" && retraction.why == "wrong secrets")
            #expect(try await nights.ledgerRows() == before)
            #expect(try await nights.test.texts(undo) == undoBefore)
            let again = try await nights.night()
            #expect(try await again.rows() == night.rows())
            #expect(try await again.cleared() == night.cleared())
        }
    }

    @Test("Runs are retracted newest first, each with its own changes")
    func retractTwo() async throws {
        try await Nights.with { nights in
            try await nights.customer("ann", Self.ended, isGranted: true)
            let first = try await nights.night()
            let before = try await nights.ledgerRows()
            try await nights.set("ann", isGranted: false)
            let second = try await nights.night()
            let middle = try await nights.ledgerRows()
            try await nights.set("ann", isGranted: true)
            let third = try await nights.night()
            #expect(try await third.rows() == ["\(Self.leak) ann reopened"])
            let refused = try await databaseError {
                try await Self.retract(second, nights)
            }
            guard case .refused(let why) = refused.reason else {
                Issue.record("unexpected \(refused)")
                return
            }
            #expect(why.contains("is not the newest published run over everything"))
            #expect(try await Self.retract(third, nights).newest == second.summary.run.id)
            #expect(try await nights.ledgerRows() == middle)
            #expect(try await Self.retract(second, nights).newest == first.summary.run.id)
            #expect(try await nights.ledgerRows() == before)
            #expect(try await Self.retract(first, nights).newest == nil)
            #expect(try await nights.ledgerRows() == [])
        }
    }

    private static func retract(_ night: Night, _ nights: Nights) async throws -> HistoryChange {
        try await nights.database.history.retract(
            runBeginningWith: night.summary.run.id.text, by: "eve", why: "a test")
    }

    @Test("As many rows are listed as not reported as the controls' buckets count")
    func notReported() async throws {
        try await Nights.with { nights in
            try await nights.customer(
                "ann", AppleAnswer.period("1", from: -30.5, to: -0.5), isGranted: true)
            try await nights.customer("bob", Self.ended, isGranted: true)
            nights.silence("bob")
            let test = nights.test
            try await test.store(entitlement: "e-cyd", of: "cyd", source: "promo")
            try await test.store(entitlement: "e-dan", of: "dan", to: "nobody.sells")
            try await test.store(entitlement: "e-eve", of: "eve", isActive: nil)
            try await test.store(entitlement: "e-nobody", of: nil)
            let night = try await nights.night()
            let rows = try await night.notReported()
            #expect(
                rows.map { row in
                    [
                        row.user?.text ?? "-", row.notReported.entitlement?.text ?? "-",
                        row.notReported.bucket.rawValue, row.notReported.kind?.rawValue ?? "-",
                        row.notReported.cause.rawValue,
                    ].joined(separator: " ")
                } == [
                    "- e-nobody not_judged - invalid_row",
                    "ann e-ann settling expired_still_granted recent",
                    "bob e-bob unverified grant_without_transaction evidence_missing",
                    "cyd e-cyd not_judged - source",
                    "dan e-dan not_judged - product_unknown",
                    "eve e-eve not_judged - invalid_row",
                ])
            let tally = night.summary.entitlements
            func count(_ bucket: NotReported.Bucket) -> Int {
                rows.count { $0.notReported.bucket == bucket }
            }
            #expect(count(.settling) == tally.settling && tally.settling == 1)
            #expect(count(.unverified) == tally.unverified && tally.unverified == 1)
            #expect(count(.notJudged) == tally.notJudged && tally.notJudged == 4)
        }
    }
}
