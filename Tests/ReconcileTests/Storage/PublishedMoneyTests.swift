import Testing

@testable import Reconcile
@testable import TestSupport

/// Money that no run publishes, as JSON, and the column that cannot be read.
///
/// To add a case, add a row.
private struct StrangeMoney: CustomTestStringConvertible, Sendable {
    let money, column: String

    var testDescription: String { money }

    static let all = [
        StrangeMoney(money: #"{"loot": {"USD": "1.50"}}"#, column: "bucket"),
        StrangeMoney(money: #"{"leak": {"dollars": "1.50"}}"#, column: "currency"),
        StrangeMoney(money: #"{"leak": {"USD": null}}"#, column: "amount"),
    ]
}

@Suite("The money in the summaries of runs", .database)
struct PublishedMoneyTests: DatabaseSuite {
    /// Publishes a night whose summary has `money`.
    private func publish(_ money: String) async throws {
        let run = try await nights.night(.of("ann", .running("2"), .granted)).summary.run.id
        try await execute(
            """
            update reconcile.run
            set summary = json_build_object(
                'status', 'complete', 'as_of', as_of, 'findings', json_build_object('total', 0),
                'money', '\(money)'::json)
            where run_id = '\(run)'
            """)
    }

    @Test("It is read by bucket and currency")
    func reads() async throws {
        try await publish(
            #"{"refunded": {}, "owed": {"USD": "1.50"}, "leak": {"JPY": "900", "EUR": "2.00"}}"#)
        let amounts = [
            RunListing.Amount(bucket: .leak, currency: try #require(Currency("EUR")), text: "2.00"),
            RunListing.Amount(bucket: .leak, currency: try #require(Currency("JPY")), text: "900"),
            RunListing.Amount(bucket: .owed, currency: try #require(Currency("USD")), text: "1.50"),
        ]
        let lines = try await database.knownRuns.list(limit: 1)
        #expect(lines.first?.result?.money == amounts)
        let known = try await database.knownRuns.run(named: .latest)
        #expect(known.publishedMoney == amounts)
        #expect(known.currencies.map(\.code).sorted() == ["EUR", "JPY", "USD"])
    }

    @Test("What is no bucket, no currency or no amount is an error", arguments: StrangeMoney.all)
    private func refuses(_ strange: StrangeMoney) async throws {
        try await publish(strange.money)
        let error = try await databaseError { try await database.knownRuns.list(limit: 1) }
        let message = "column \(strange.column) is missing or not of the expected type"
        #expect(error.reason == .rejected(sqlState: nil, message: message))
    }

    @Test("A sum is split by what its amounts were calculated from")
    func bases() async throws {
        let run = try await nights.night(.of("ann", .refunded("2"), .granted)).summary.run.id
        try await execute(
            """
            update reconcile.finding
            set amount_basis = 'recorded_price'
            where kind = 'refund_recorded'
            """)
        let (money, breakdown) = try await database.money.money(of: run)
        let usd = try Currency.usd
        #expect(breakdown.amount(by: .recordedPrice, in: .refunded, usd)?.text == "9.99")
        #expect(breakdown.amount(by: .listPrice, in: .refunded, usd) == nil)
        #expect(breakdown.amount(by: .recordedPrice, in: .leak, usd) == nil)
        let leak = try #require(money.amounts(.leak).first)
        #expect(breakdown.amount(by: .listPrice, in: .leak, usd) == leak)
    }

    @Test("A night does not leave out an amount of an earlier one that is no number")
    func sums() async throws {
        try await publish(#"{"leak": {"USD": "1,50"}}"#)
        await #expect(throws: MoneyTally.Unsummable.self) {
            try await nights.night(.of("bob", .running("3"), .granted))
        }
    }
}
