import Testing

@testable import Reconcile

/// A receipt, and the finding that it always is.
struct BadReceipt: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let receipt: ShownReceipt
    let kind: FindingKind?

    init(_ label: String, _ receipt: ShownReceipt, is kind: FindingKind?) {
        testDescription = label
        self.receipt = receipt
        self.kind = kind
    }
}

/// To add a case, copy a line: a bad receipt, or what the user has beside one.
@Suite("A receipt that proves nothing")
struct BadReceiptTests {
    struct OtherEvidence: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var receipts: [ShownReceipt] = []
        var rows: [Row] = []
        let weight: FindingKind.Weight
    }

    private static let thatMayHaveProved = [
        BadReceipt("not authentic", .refused, is: .receiptNotAuthentic),
        BadReceipt("with a wrong signature", .forged, is: .receiptNotAuthentic),
        BadReceipt("of another app", .answer(saysApp: "other"), is: .receiptForOtherApp),
        BadReceipt(
            "of another app's sandbox", .answer(saysApp: "other", environment: .sandbox),
            is: .receiptForOtherApp),
    ]

    @Test(
        "A bad receipt has a higher severity next to a grant that nothing else gives",
        arguments: thatMayHaveProved, grantsOfNothingElse + grantsOfOthers)
    func weighs(bad: BadReceipt, others: OtherEvidence) throws {
        try Self.check(bad, others.receipts, others.rows, others.weight)
    }

    private static let grantsOfNothingElse = [
        OtherEvidence(testDescription: "a subscription", rows: [.pro()], weight: .criticalLeak),
        OtherEvidence(testDescription: "a product", rows: [.unlock()], weight: .criticalLeak),
        OtherEvidence(
            testDescription: "a subscription that has ended",
            receipts: [.answer(.pro(bought: -80))], rows: [.pro(until: 10)],
            weight: .criticalLeak),
        OtherEvidence(
            testDescription: "a product beside a running subscription",
            receipts: [.answer(.pro(bought: -20))], rows: [.pro(until: 10), .unlock()],
            weight: .criticalLeak),
        OtherEvidence(
            testDescription: "a subscription of another group than the running one",
            receipts: [.answer(.pro(bought: -20))], rows: [.solo()], weight: .criticalLeak),
        OtherEvidence(
            testDescription: "a product that is not the paid app's",
            receipts: [.answer(version: "4.0")], rows: [.unlock()], weight: .criticalLeak),
        OtherEvidence(
            testDescription: "the premium product of an app that was not paid for",
            receipts: [.answer()], rows: [.full()], weight: .criticalLeak),
    ]

    private static let grantsOfOthers = [
        OtherEvidence(
            testDescription: "a row that is not active", rows: [.pro(isActive: false)],
            weight: .medium),
        OtherEvidence(testDescription: "no row", weight: .medium),
        OtherEvidence(
            testDescription: "a row that has ended", rows: [.pro(until: -1)], weight: .medium),
        OtherEvidence(testDescription: "a gift", rows: [.pro(source: .gift)], weight: .medium),
        OtherEvidence(
            testDescription: "a running subscription", receipts: [.answer(.pro(bought: -20))],
            rows: [.pro(until: 10)], weight: .medium),
        OtherEvidence(
            testDescription: "another product of the running subscription's group",
            receipts: [.answer(.pro(bought: -20))], rows: [.max()], weight: .medium),
        OtherEvidence(
            testDescription: "a subscription in grace",
            receipts: [.answer(.pro(bought: -35), .renewal(.grace(until: 5)))],
            rows: [.pro(until: 5)], weight: .medium),
        OtherEvidence(
            testDescription: "the paid app's product", receipts: [.answer(version: "4.0")],
            rows: [.full()], weight: .medium),
        OtherEvidence(
            testDescription: "a row as paid for", receipts: [.answer()],
            rows: [.full(source: .legacyPaid)], weight: .medium),
    ]

    /// The row of a user who has nothing else.
    enum OnlyRow: CaseIterable {
        case granted
        case notActive

        var row: Row { .pro(isActive: self == .granted) }
    }

    @Test(
        "A receipt that cannot be read is more severe next to anything that is granted",
        arguments: [
            BadReceipt("malformed", .malformed, is: .receiptMalformed),
            BadReceipt("empty", .empty, is: .receiptMalformed),
        ], OnlyRow.allCases)
    func unreadable(bad: BadReceipt, beside only: OnlyRow) throws {
        try Self.check(bad, [], [only.row], only == .granted ? .high : .low)
    }

    @Test(
        "A deleted account's receipt has one severity, whatever is granted",
        arguments: OnlyRow.allCases)
    func ofGoneAccount(beside only: OnlyRow) throws {
        let bad = BadReceipt("deleted account", .accountGone, is: .receiptAccountGone)
        try Self.check(bad, [], [only.row], .medium)
    }

    @Test(
        "A receipt of another kind has one severity, whatever is granted",
        arguments: [
            BadReceipt("a signed transaction", .jws, is: .receiptIsJWS),
            BadReceipt("made by Xcode", .xcode, is: .receiptFromXcode),
        ], OnlyRow.allCases)
    func ofOtherKind(bad: BadReceipt, beside only: OnlyRow) throws {
        try Self.check(bad, [], [only.row], .low)
    }

    private static func check(
        _ bad: BadReceipt, _ others: [ShownReceipt], _ rows: [Row], _ weight: FindingKind.Weight
    ) throws {
        let judgement = Judge.acme.judgement([bad.receipt] + others, rows: rows)
        let found = judgement.findings.filter { $0.kind.file == .receipts }
        #expect(found.count == 1)
        let finding = try #require(found.first)
        #expect(finding.kind.rawValue == bad.kind?.rawValue)
        #expect(finding.weight == weight)
        #expect(finding.receipt == "r1")
        #expect(finding.reference == "r1")
        #expect(finding.entitlement == nil)
    }
}

/// To add a case, copy a line: a receipt that makes evidence missing, or a scene.
@Suite("A receipt that leaves evidence missing")
struct MissingEvidenceTests {
    @Test(
        "Missing evidence hides a row's leaks, except a settled refund that the row names",
        arguments: [
            BadReceipt("a signed transaction", .jws, is: .receiptIsJWS),
            BadReceipt("a malformed receipt", .malformed, is: .receiptMalformed),
            BadReceipt("a deleted account's receipt", .accountGone, is: .receiptAccountGone),
            BadReceipt("an unchecked receipt", .unchecked, is: nil),
            BadReceipt(
                "a line that is no transaction", .answer(setAside: [.withoutProduct]),
                is: .parseAnomaly),
        ], namingScenes + otherScenes)
    func hides(missing: BadReceipt, scene: Scene) {
        scene.adding(missing.receipt, finds: missing.kind).check()
    }

    private static let namingScenes = [
        Scene(
            "a refunded subscription that the row names",
            receipts: [.answer(.pro(bought: -20, id: "8", original: "7", cancelled: -5))],
            rows: [.pro(until: 10, original: "7")], verdicts: [.found(.refundedStillGranted)],
            withoutRow: [.refundRecorded]),
        Scene(
            "a refunded product that the row names",
            receipts: [.answer(.unlock(bought: -20, id: "5", original: "4", cancelled: -5))],
            rows: [.unlock(original: "4")], verdicts: [.found(.refundedStillGranted)],
            withoutRow: [.refundRecorded]),
        Scene(
            "a refunded pass that the row names",
            receipts: [.answer(.pass(bought: -20, id: "5", original: "4", cancelled: -5))],
            rows: [.pass(until: 10, original: "4")], verdicts: [.found(.refundedStillGranted)],
            withoutRow: [.refundRecorded]),
        Scene(
            "a withdrawn share that the row names",
            receipts: [
                .answer(
                    .pro(
                        bought: -20, id: "8", original: "7", cancelled: -5, ownership: .familyShared
                    ))
            ], rows: [.pro(until: 10, original: "7")],
            verdicts: [.found(.familyRevokedStillGranted)],
            withoutRow: [.familyRevocationRecorded]),
    ]

    private static let otherScenes = [
        Scene(
            "a refunded subscription, and a row that names none",
            receipts: [.answer(.pro(bought: -20, id: "8", original: "7", cancelled: -5))],
            rows: [.pro(until: 10)], verdicts: [.unverified], withoutRow: [.refundRecorded]),
        Scene(
            "a refunded subscription, and a row that names another",
            receipts: [.answer(.pro(bought: -20, id: "8", original: "7", cancelled: -5))],
            rows: [.pro(until: 10, original: "99")], verdicts: [.unverified],
            withoutRow: [.refundRecorded]),
        Scene(
            "a refunded product, and a row that names none",
            receipts: [.answer(.unlock(bought: -20, id: "5", original: "4", cancelled: -5))],
            rows: [.unlock()], verdicts: [.unverified], withoutRow: [.refundRecorded]),
        Scene(
            "an ended subscription that the row names", receipts: [.answer(.pro(bought: -80))],
            rows: [.pro(until: 10, original: "1")], verdicts: [.unverified],
            withoutRow: [.expired]),
        Scene(
            "a subscription that the row names, refunded in the last day",
            receipts: [.answer(.pro(bought: -20, id: "8", original: "7", cancelled: -0.5))],
            rows: [.pro(until: 10, original: "7")], verdicts: [.settling],
            withoutRow: [.refundRecorded]),
    ]
}
