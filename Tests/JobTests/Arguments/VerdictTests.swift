import Testing

@testable import Reconcile
@testable import TestSupport
@testable import reconcile_job

/// To add a case: a `Result`.
@Suite("A verdict")
struct VerdictTests {
    struct Result: CustomTestStringConvertible, Sendable {
        let unverified: Int
        let receipts: Int
        let limit: Allowance
        var isLate = false
        let isComplete: Bool

        var testDescription: String {
            "\(unverified) of \(receipts) with the limit \(limit)\(isLate ? ", late" : "")"
        }
    }

    @Test(
        "A run is complete with as many unverified receipts as its limit, unless time ran out",
        arguments: [
            Result(unverified: 10, receipts: 1_000, limit: .percent(1), isComplete: true),
            Result(unverified: 11, receipts: 1_000, limit: .percent(1), isComplete: false),
            Result(unverified: 0, receipts: 0, limit: .percent(0), isComplete: true),
            Result(unverified: 5, receipts: 10, limit: .count(5), isComplete: true),
            Result(unverified: 6, receipts: 1_000_000, limit: .count(5), isComplete: false),
            Result(unverified: 10, receipts: 10, limit: .percent(100), isComplete: true),
            Result(unverified: 0, receipts: 10, limit: .count(5), isLate: true, isComplete: false),
            Result(unverified: 0, receipts: 0, limit: .count(0), isLate: true, isComplete: false),
        ])
    func statuses(result: Result) throws {
        var configuration = Configuration()
        configuration.maxUnverified = result.limit
        var receipts = Tally<ReceiptBucket>()
        receipts[.unverified] = result.unverified
        receipts.inScope = result.receipts
        let status = ExitRules(configuration).status(of: receipts, isPastMaxRuntime: result.isLate)
        #expect(status == (result.isComplete ? .complete : .incomplete))
    }
}
