import Testing

@testable import Reconcile
@testable import TestSupport

/// The nights judge on 20 November 2026; a refund is five days before.
@Suite("The refunds of the month so far", .database, .hangLimit)
struct MonthToDateTests: DatabaseSuite {
    private func told(_ changes: StoryChange...) async throws -> MonthToDate? {
        try await nights.night(changes).summary.facts.monthToDate
    }

    private func month(_ refunds: Int, _ cents: Int128?) throws -> MonthToDate {
        let money = try cents.map { Money(minorUnits: $0, in: try .usd) }
        return MonthToDate(month: "2026-11", refunds: refunds, money: money.map { [$0] } ?? [])
    }

    @Test("Those of earlier nights count, once each, and those of an earlier month do not")
    func adds() async throws {
        #expect(try await told(.of("ann", .running("2"))) == month(0, nil))
        #expect(try await told(.of("ann", .refunded("2"))) == month(1, 999))
        #expect(try await told(.of("bob", .refunded("3"))) == month(2, 1_998))
        #expect(try await told(.of("cyd", .copy(of: "bob"), .refunded("3"))) == month(2, 1_998))
        let later = try await told(.of("dan", .refunded("4")), .day(12))
        #expect(later == MonthToDate(month: "2026-12"))
    }

    @Test("A run that does not count adds nothing to later ones; a partial run tells none")
    func counts() async throws {
        #expect(try await told(.of("ann", .refunded("2")), .failed) == month(1, 999))
        #expect(try await told(.only("ann")) == nil)
        #expect(try await told() == month(1, 999))
        #expect(try await told(.retract(3), .of("bob", .refunded("3"))) == month(2, 1_998))
    }

    @Test("A published run says again what it said, and later ones go on from it")
    func isKept() async throws {
        let run = try await nights.night(.of("ann", .refunded("2"))).summary.run.id
        try await execute(
            """
            update reconcile.run
            set summary = json_build_object(
                'status', 'complete', 'as_of', as_of, 'findings', json_build_object('total', 0),
                'money', '{}'::json, 'month_to_date', '{"month": "2026-11", "refunds": 40,
                    "money": {"JPY": "900", "USD": "100.00"}}'::json)
            where run_id = '\(run)'
            """)
        let again = try #require(try await told(.of("bob", .refunded("3"))))
        #expect(again.refunds == 41)
        #expect(again.money.map(\.text) == ["900", "109.99"])
    }
}
