import Testing

@testable import Reconcile

@Suite("A stored row beside a right that Apple gives")
struct ExpiryTests {
    private static let minute = 1.0 / 1_440

    static let rows: [RowExample] = [
        RowExample(
            testDescription: "that agrees", receipts: answers(.monthly(bought: -10)),
            row: .row(expires: 20), verdict: "consistent"),
        RowExample(
            testDescription: "whose expiry is missing", receipts: answers(.monthly(bought: -10)),
            row: .row(), verdict: "expiry_missing"),
        RowExample(
            testDescription: "whose expiry is missing, settles",
            receipts: answers(.monthly(bought: -0.5)), row: .row(), verdict: "settling"),
        RowExample(
            testDescription: "whose expiry is missing, hidden by missing evidence",
            receipts: answers(.monthly(bought: -10)) + [unchecked], row: .row(),
            verdict: "unverified"),
        RowExample(
            testDescription: "whose expiry may be missing, for the right has no end",
            receipts: answers(.once("1", "unlock", bought: -10)), row: .row("e1", "unlock"),
            verdict: "consistent"),
        RowExample(
            testDescription: "whose expiry is too late", receipts: answers(.monthly(bought: -10)),
            row: .row(expires: 20 + 1.1 * minute), verdict: "expiry_too_late"),
        RowExample(
            testDescription: "whose expiry is late within the tolerance",
            receipts: answers(.monthly(bought: -10)), row: .row(expires: 20 + minute),
            verdict: "consistent"),
        RowExample(
            testDescription: "whose expiry is that of another chain of the right",
            receipts: answers(
                .monthly(bought: -10), .monthly("2", of: "2", "max.monthly", bought: -5)),
            row: .row(expires: 25), verdict: "consistent"),
        RowExample(
            testDescription: "whose expiry is too late, hidden by missing evidence",
            receipts: answers(.monthly(bought: -10)) + [unchecked], row: .row(expires: 21),
            verdict: "unverified"),
        RowExample(
            testDescription: "whose expiry is too late, settles",
            receipts: answers(.monthly(bought: -0.5)), row: .row(expires: 31),
            verdict: "settling"),
        RowExample(
            testDescription: "whose expiry is too early", receipts: answers(.monthly(bought: -10)),
            row: .row(expires: 20 - 1.1 * minute), verdict: "expiry_too_early"),
        RowExample(
            testDescription: "whose expiry is early within the tolerance",
            receipts: answers(.monthly(bought: -10)), row: .row(expires: 20 - minute),
            verdict: "consistent"),
        RowExample(
            testDescription: "whose expiry is too early, whatever evidence is missing",
            receipts: answers(.monthly(bought: -10)) + [unchecked], row: .row(expires: 9),
            verdict: "expiry_too_early"),
        RowExample(
            testDescription: "whose expiry is too early, settles",
            receipts: answers(.monthly(bought: -0.5)), row: .row(expires: 9),
            verdict: "settling"),
        RowExample(
            testDescription: "that has an end where the right has none",
            receipts: answers(.once("1", "unlock", bought: -10)),
            row: .row("e1", "unlock", expires: 900), verdict: "expiry_too_early"),
        RowExample(
            testDescription: "in grace until the grace period's end",
            receipts: answers(.monthly(bought: -31), renewals: inGrace), row: .row(expires: 9),
            verdict: "expiry_too_late"),
    ]

    @Test(
        "The row's expiry is judged within the tolerance, and settles or waits for evidence",
        arguments: rows)
    func found(row: RowExample) { row.check() }
}
