import Testing

@testable import Reconcile
@testable import TestSupport

/// A complete finding and the user that has it.
private struct FoundCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var receipts: [ShownReceipt] = []
    var rows: [Row] = []
    let finding: ExpectedFinding
}

/// To add a finding, copy a `FoundCase` and change its label, its receipts, its rows and what the
/// finding has: a member that is not given must be empty.
@Suite("A finding")
struct FindingTests {
    @Test(
        "A finding has the stored side, Apple's side and the receipt, if there are any",
        arguments: onRows + ofRights + ofEvents + ofReceipts)
    fileprivate func facts(example: FoundCase) throws {
        // An earlier run saw a refund of the line item 7.
        let judgement = Judge.acme.judgement(
            example.receipts, rows: example.rows, after: [.refund("7", cancelled: -40)])
        example.finding.check(try judgement.only(example.finding.kind))
    }

    private static let onRows = [
        FoundCase(
            testDescription: "a row of a refunded chain",
            receipts: [
                .answer(
                    .pro(
                        bought: -10, id: "9", original: "8", cancelled: -4, reason: "1",
                        ownership: .purchased))
            ],
            rows: [.yearly(until: 20)],
            finding: ExpectedFinding(
                kind: .refundedStillGranted, severity: .critical, direction: .leak, action: .revoke,
                entitlement: "e1", receipt: "r1", productStored: "pro.yearly",
                productApple: "pro.monthly", originalTransaction: "8", transaction: "9",
                environment: .production, bundle: "acme", ownership: .purchased,
                storedActive: true, storedUntil: 20, state: .revoked, appleUntil: -4, event: -4,
                reason: "app_issue")),
        FoundCase(
            testDescription: "a row without a receipt", rows: [.pro()],
            finding: ExpectedFinding(
                kind: .grantWithoutReceipt, severity: .medium, direction: .none,
                action: .investigate, entitlement: "e1", productStored: "pro.monthly",
                storedActive: true, event: -10)),
    ]

    private static let ofRights = [
        FoundCase(
            testDescription: "a right without a row", receipts: [.answer(.pro(bought: -10))],
            finding: ExpectedFinding(
                kind: .activeNotGranted, severity: .critical, direction: .owed, action: .restore,
                receipt: "r1", productApple: "pro.monthly", originalTransaction: "1",
                transaction: "1", environment: .production, bundle: "acme", state: .active,
                appleUntil: 20, event: -10, reference: "group:G")),
        FoundCase(
            testDescription: "a paid app's product without a row",
            receipts: [.answer(version: "4.0")],
            finding: ExpectedFinding(
                kind: .freemiumPaidNotGranted, severity: .high, direction: .owed, action: .restore,
                productApple: "full", reference: "product:full")),
    ]

    private static let ofEvents = [
        FoundCase(
            testDescription: "a refund in two receipts",
            receipts: [
                .answer(.pro(bought: -10, cancelled: -4, reason: "1")),
                .answer(.pro(bought: -10, cancelled: -4)),
            ],
            finding: ExpectedFinding(
                kind: .refundRecorded, severity: .info, direction: .none, action: .none,
                receipt: "r1", productApple: "pro.monthly", originalTransaction: "1",
                transaction: "1", environment: .production, bundle: "acme", state: .revoked,
                appleUntil: -4, event: -4, reason: "app_issue", reference: "1")),
        FoundCase(
            testDescription: "a refund that Apple reversed",
            receipts: [.answer(.pro(bought: -10, lineItem: "7"))], rows: [.pro(until: 20)],
            finding: ExpectedFinding(
                kind: .refundReversed, severity: .info, direction: .none, action: .none,
                receipt: "r1", productApple: "pro.monthly", originalTransaction: "1",
                transaction: "1", environment: .production, bundle: "acme", state: .active,
                appleUntil: 20, event: -40, reference: "7")),
        FoundCase(
            testDescription: "a subscription that ended",
            receipts: [.answer(.pro(bought: -40))],
            finding: ExpectedFinding(
                kind: .expired, severity: .info, direction: .none, action: .none, receipt: "r1",
                productApple: "pro.monthly", originalTransaction: "1", transaction: "1",
                environment: .production, bundle: "acme", state: .expired, appleUntil: -10,
                event: -10, reason: "unknown",
                reference: "chain:1@\(Instant.day(-10).milliseconds)")),
    ]

    private static let ofReceipts = [
        FoundCase(
            testDescription: "dates that cannot be true",
            receipts: [.answer(.pro(bought: -10, until: -11))],
            finding: ofReceipt(.implausibleDates, .medium)),
        FoundCase(
            testDescription: "two lines without what a transaction needs",
            receipts: [.answer(setAside: [.withoutProduct, .undated("1")])],
            finding: ofReceipt(.parseAnomaly, .low)),
        FoundCase(
            testDescription: "a line without a product, in another app's receipt",
            receipts: [.answer(saysApp: "other", setAside: [.withoutProduct])],
            finding: ofReceipt(.parseAnomaly, .low, bundle: "other")),
        FoundCase(
            testDescription: "a line without a product, in a sandbox receipt",
            receipts: [.answer(environment: .sandbox, setAside: [.withoutProduct])],
            finding: ofReceipt(.parseAnomaly, .low, environment: .sandbox)),
    ]

    private static func ofReceipt(
        _ kind: FindingKind, _ severity: Severity, bundle: BundleID = "acme",
        environment: StoreEnvironment = .production
    ) -> ExpectedFinding {
        ExpectedFinding(
            kind: kind, severity: severity, direction: .none, action: .investigate,
            receipt: "r1", environment: environment, bundle: bundle, reference: "r1")
    }

    /// `FindingRuleTests`, about README, does not look at the weight of such a kind.
    @Test("Only kinds whose weight depends on the user have a lesser weight")
    func lesserWeights() {
        let kinds = FindingKind.allCases.filter { $0.lesserWeight != nil }
        let names = ["receipt_for_other_app", "receipt_malformed", "receipt_not_authentic"]
        #expect(kinds.map(\.rawValue).sorted() == names)
    }
}

/// To add a case, copy a line and change its label, the contradiction, and what the text must have.
@Suite("A receipt that contradicts its answer")
struct ContradictionTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let contradiction: Contradiction
        let words: String
    }

    @Test(
        "Each contradicting receipt gives one finding, whose explanation names both sides",
        arguments: [
            Case(
                testDescription: "of another app", contradiction: .bundle(signed: "acme.old"),
                words: "is of the app acme.old, and Apple's answer of acme:"),
            Case(
                testDescription: "another product of a transaction",
                contradiction: .product(of: "7", signed: "a", answered: "b"),
                words: "has a in transaction 7, and Apple's answer b:"),
            Case(
                testDescription: "another date of a transaction",
                contradiction: .purchaseDate(of: "7", signed: .day(0), answered: .day(1)),
                words: "has transaction 7 bought at \(Instant.day(0)), and Apple's answer at"),
            Case(
                testDescription: "a cancellation that the answer lacks",
                contradiction: .cancellation(of: "7", signed: .day(0)),
                words: "cancelled at \(Instant.day(0)), and Apple's answer has it not cancelled:"),
        ])
    func contradicts(example: Case) throws {
        let finding = try finding(of: [example.contradiction])
        #expect(finding.weight == .medium)
        #expect(finding.kind.file == .receipts)
        #expect(finding.receipt == "r1")
        #expect(finding.reference == "r1")
        #expect(finding.explanation.contains(example.words))
        let ofTwo = try self.finding(of: [example.contradiction, .bundle(signed: "x")])
        #expect(ofTwo.explanation.contains("(and 1 more): both cannot be true."))
    }

    private func finding(of contradictions: [Contradiction]) throws -> Finding {
        try Judge.acme.judgement([.answer(contradictions: contradictions)])
            .only(.receiptContradictsAnswer)
    }
}
