@testable import Reconcile

extension OpenFindingsTests {
    private static func answer(_ receipt: Receipt) -> [ReceiptEvidence] {
        [.stored(.verified(receipt))]
    }

    /// The right is granted by a row that this run does not judge.
    static let notJudged: [OpenCase] = [
        OpenCase(
            testDescription: "a leak stays open when the kind of the product is unknown",
            before: ended, rowsBefore: granted, kind: .expiredStillGranted, receipts: ended,
            rows: [.row("e1", "nobody.sells", expires: 20)], isCleared: false),
        OpenCase(
            testDescription: "a leak stays open when the product has no access_duration",
            before: ended, rowsBefore: granted, kind: .expiredStillGranted, receipts: ended,
            rows: [.row("e1", "pass.unknown", expires: 20)], isCleared: false),
        OpenCase(
            testDescription: "a leak is cleared when the row is of a consumable",
            before: ended, rowsBefore: granted, kind: .expiredStillGranted, receipts: silent,
            rows: [.row("e1", "coins", expires: 20)], isCleared: true),
        OpenCase(
            testDescription: "a grant of an unpaid app stays open when no answer shows the app",
            before: answer(.showing(version: "5.0")), rowsBefore: premium(isActive: true),
            kind: .freemiumGrantedNotPaid,
            receipts: answer(.showing(environment: .sandbox, version: "1.0")),
            rows: premium(isActive: true), isCleared: false),
        OpenCase(
            testDescription: "a debt on a row that is judged no more stays open in a silence",
            before: running, rowsBefore: notGranted, kind: .activeNotGranted, receipts: silent,
            rows: [.row(isActive: false, source: .other("promo"))], isCleared: false),
    ]

    /// An answer with a line that was set aside.
    private static func hiding(_ shown: Transaction...) -> [ReceiptEvidence] {
        var receipt = Receipt.showing(
            anomalies: [ParseAnomaly(key: "purchase_date", transaction: "1")])
        receipt.transactions = shown
        return answer(receipt)
    }

    private static let contradicted: [ReceiptEvidence] = running.map { evidence in
        var evidence = evidence
        evidence.contradictions = [.product(of: "1", signed: "a", answered: "b")]
        return evidence
    }

    /// Lines that were set aside and may matter, and debts that are clearly paid.
    static let doubts: [OpenCase] = [
        OpenCase(
            testDescription: "a debt without a row stays open when its line is set aside",
            before: running, kind: .activeNotGranted, receipts: hiding(), isCleared: false),
        OpenCase(
            testDescription: "an early expiry stays open when the line that ends it is set aside",
            before: running, rowsBefore: [.row(expires: 5)], kind: .expiryTooEarly,
            receipts: hiding(.monthly("2", bought: -25)), rows: [.row(expires: 5)],
            isCleared: false),
        OpenCase(
            testDescription: "odd dates stay open when their line is set aside",
            before: answers(.monthly(bought: -10, days: 300)), kind: .implausibleDates,
            receipts: hiding(), isCleared: false),
        OpenCase(
            testDescription: "a contradiction stays open when its line is set aside",
            before: contradicted, kind: .receiptContradictsAnswer, receipts: hiding(),
            isCleared: false),
        OpenCase(
            testDescription: "a receipt of another app is cleared by an answer, whatever is in it",
            before: answer(.showing(bundle: "other")), kind: .receiptForOtherApp,
            receipts: hiding(), isCleared: true),
        OpenCase(
            testDescription: "a parse anomaly is cleared when the line can be read",
            before: hiding(), kind: .parseAnomaly, receipts: running, isCleared: true),
        OpenCase(
            testDescription: "a debt on a row is cleared when it grants, whatever Apple says",
            before: running, rowsBefore: notGranted, kind: .activeNotGranted, receipts: silent,
            rows: granted, isCleared: true),
        OpenCase(
            testDescription: "a debt is cleared when another row covers it, whatever Apple says",
            before: running, rowsBefore: notGranted, kind: .activeNotGranted, receipts: silent,
            rows: notGranted + [.row("e2", "max.monthly", source: .other("promo"))],
            isCleared: true),
        OpenCase(
            testDescription: "a debt without a row is cleared when one covers it, in a silence too",
            before: running, kind: .activeNotGranted, receipts: silent, rows: granted,
            isCleared: true),
        OpenCase(
            testDescription: "a paid app's owed right stays open while a row of it is in flux",
            before: paidFor, kind: .freemiumPaidNotGranted, receipts: paidFor,
            rows: [.row("e9", "full", source: .legacyPaid, updated: 0.1)], isCleared: false),
    ]
}
