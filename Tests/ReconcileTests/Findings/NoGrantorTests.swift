import Testing

@testable import Reconcile

@Suite("A stored row that nothing from Apple ever granted")
struct NoGrantorTests {
    static let rows: [RowExample] = [
        RowExample(
            testDescription: "without any receipt", row: .row(),
            verdict: "grant_without_receipt"),
        RowExample(
            testDescription: "without any receipt, settles", row: .row(updated: -0.5),
            verdict: "settling"),
        RowExample(
            testDescription: "with nothing but an invalid stored row", row: .row(),
            verdict: "unverified", invalidReceipts: 1),
        RowExample(
            testDescription: "in a receipt for another app",
            receipts: [
                .stored(.verified(.showing(.monthly(bought: -10), bundle: "other")))
            ], row: .row(), verdict: "wrong_app_receipt"),
        RowExample(
            testDescription: "in a receipt for another app, by another product of the group",
            receipts: [
                .stored(
                    .verified(
                        .showing(
                            .monthly("1", of: "1", "max.monthly", bought: -10), bundle: "other")
                    ))
            ], row: .row(), verdict: "wrong_app_receipt"),
        RowExample(
            testDescription: "in a receipt for another app, settles",
            receipts: [
                .stored(.verified(.showing(.monthly(bought: -10), bundle: "other")))
            ], row: .row(updated: -0.5), verdict: "settling"),
        RowExample(
            testDescription: "in a receipt for another app, hidden by missing evidence",
            receipts: [
                .stored(.verified(.showing(.monthly(bought: -10), bundle: "other"))), unchecked,
            ], row: .row(), verdict: "unverified"),
        RowExample(
            testDescription: "in the sandbox",
            receipts: [
                .stored(.verified(.showing(.monthly(bought: -10), environment: .sandbox)))
            ], row: .row(), verdict: "sandbox_grants_production"),
        RowExample(
            testDescription: "in the sandbox, bought after the instant of judgement",
            receipts: [
                .stored(.verified(.showing(.monthly(bought: 1), environment: .sandbox)))
            ], row: .row(), verdict: "grant_without_transaction"),
        RowExample(
            testDescription: "beside an Xcode receipt", receipts: [.stored(.unusable(.xcode))],
            row: .row(), verdict: "sandbox_grants_production"),
        RowExample(
            testDescription: "in no answer", receipts: answers(), row: .row(),
            verdict: "grant_without_transaction"),
        RowExample(
            testDescription: "in no answer, by a rejected receipt alone",
            receipts: [.stored(.rejected(.notAuthentic))], row: .row(),
            verdict: "grant_without_transaction"),
        RowExample(
            testDescription: "in no answer, settles", receipts: answers(),
            row: .row(updated: -0.5), verdict: "settling"),
        RowExample(
            testDescription: "in no answer, in flux", receipts: answers(),
            row: .row(updated: 0.5), verdict: "settling"),
        RowExample(
            testDescription: "in no answer, hidden by an unverified receipt",
            receipts: answers() + [unchecked], row: .row(), verdict: "unverified"),
        RowExample(
            testDescription: "in no answer, hidden by a malformed receipt",
            receipts: answers() + [.stored("r2", .unusable(.notAReceipt))], row: .row(),
            verdict: "unverified"),
        RowExample(
            testDescription: "in no answer, hidden by a JWS",
            receipts: answers() + [.stored("r2", .unusable(.jws))], row: .row(),
            verdict: "unverified"),
        RowExample(
            testDescription: "in no answer, hidden by a parse anomaly",
            receipts: [
                .stored(.verified(.showing(anomalies: [ParseAnomaly(key: "product_id")])))
            ], row: .row(), verdict: "unverified"),
        RowExample(
            testDescription: "in no answer, a subscription that the row names since the receipt",
            receipts: answers(), row: .row(updated: -2), verdict: "grant_without_transaction"),
        RowExample(
            testDescription: "in no answer, a non-consumable granted since the receipt was stored",
            receipts: answers(), row: .row("e1", "unlock", updated: -2), verdict: "unverified"),
        RowExample(
            testDescription: "in no answer, a pass granted since the receipt was stored",
            receipts: answers(), row: .row("e1", "pass", updated: -2), verdict: "unverified"),
        RowExample(
            testDescription: "in no answer, a non-consumable granted before",
            receipts: answers(), row: .row("e1", "unlock"), verdict: "grant_without_transaction"),
        RowExample(
            testDescription: "the premium product of a paid app",
            receipts: [.stored(.verified(.showing(version: "4.0")))], row: .row("e1", "full"),
            verdict: "consistent"),
        RowExample(
            testDescription: "the premium product with an undecidable version",
            receipts: [.stored(.verified(.showing(version: nil)))], row: .row("e1", "full"),
            verdict: "unverified"),
        RowExample(
            testDescription: "the premium product of an unpaid app",
            receipts: [.stored(.verified(.showing(version: "5.0")))], row: .row("e1", "full"),
            verdict: "grant_without_transaction"),
    ]

    @Test(
        "The reason decides the finding, and newer rows and missing evidence prevent it",
        arguments: rows)
    func found(row: RowExample) { row.check() }
}
