import Testing

@testable import Reconcile

@Suite("A stored row that is not judged, or not granted")
struct OtherRowTests {
    static let rows: [RowExample] = [
        RowExample(
            testDescription: "of another source", receipts: answers(),
            row: .row(source: .other("promo")), verdict: "not_judged"),
        RowExample(
            testDescription: "of a consumable", receipts: answers(), row: .row("e1", "coins"),
            verdict: "not_judged"),
        RowExample(
            testDescription: "of an unknown product", receipts: answers(),
            row: .row("e1", "nobody.knows"), verdict: "not_judged"),
        RowExample(
            testDescription: "of an unknown product that Apple shows with an expiry",
            receipts: answers(.monthly("1", of: "1", "nobody.knows", bought: -90)),
            row: .row("e1", "nobody.knows"), verdict: "expired_still_granted"),
        RowExample(
            testDescription: "of a pass without access_duration", receipts: answers(),
            row: .row("e1", "pass.unknown"), verdict: "not_judged"),
        RowExample(
            testDescription: "not granted, and Apple gives nothing", receipts: answers(),
            row: .row(isActive: false), verdict: "consistent"),
        RowExample(
            testDescription: "not granted, and Apple may give something",
            receipts: answers() + [unchecked], row: .row(isActive: false), verdict: "unverified"),
        RowExample(
            testDescription: "not granted, in flux", receipts: answers(),
            row: .row(isActive: false, updated: 0.1), verdict: "settling"),
    ]

    @Test("A row is counted in the bucket of its reason", arguments: rows)
    func found(row: RowExample) { row.check() }
}
