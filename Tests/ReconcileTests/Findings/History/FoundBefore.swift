import Testing

@testable import Reconcile

/// The evidence with which an open finding was found.
struct FoundBefore: Sendable {
    let label: String
    let kind: FindingKind
    var receipts: [ShownReceipt] = []
    var rows: [Row] = []

    func entry() throws -> LedgerEntry {
        let finding = try Judge.acme.judgement(receipts, rows: rows).only(kind)
        return LedgerEntry(
            id: finding.identity.id, state: .open, identity: finding.identity,
            receipt: finding.receipt, firstSeen: .day(-1), eventAt: finding.eventAt)
    }
}

extension FoundBefore {
    static let leak = FoundBefore(
        label: "a leak", kind: .expiredStillGranted, receipts: [.answer(.pro(bought: -40))],
        rows: [.pro(until: 20)])
    static let refund = FoundBefore(
        label: "a refunded row", kind: .refundedStillGranted,
        receipts: [.answer(.pro(bought: -10, cancelled: -5))], rows: [.pro(until: 20)])
    static let grantWithoutReceipt = FoundBefore(
        label: "a row without a receipt", kind: .grantWithoutReceipt, rows: [.pro(until: 20)])
    static let unpaid = FoundBefore(
        label: "an app that was not paid for", kind: .freemiumGrantedNotPaid, receipts: [.answer()],
        rows: [.full(source: .legacyPaid)])
    static let debt = FoundBefore(
        label: "a debt", kind: .activeNotGranted, receipts: [.answer(.pro(bought: -10))],
        rows: [.pro(isActive: false)])
    static let debtWithoutRow = FoundBefore(
        label: "a debt without a row", kind: .activeNotGranted,
        receipts: [.answer(.pro(bought: -10))])
    static let paidApp = FoundBefore(
        label: "a paid app's product", kind: .freemiumPaidNotGranted,
        receipts: [.answer(version: "4.0")], rows: [.full(isActive: false, source: .legacyPaid)])
    static let paidAppWithoutRow = FoundBefore(
        label: "a paid app's product without a row", kind: .freemiumPaidNotGranted,
        receipts: [.answer(version: "4.0")])
    static let tooEarly = FoundBefore(
        label: "an end that is too early", kind: .expiryTooEarly,
        receipts: [.answer(.pro(bought: -10))], rows: [.pro(until: 5)])
    static let level = FoundBefore(
        label: "an upgrade", kind: .upgradeNotApplied, receipts: [.answer(.max(bought: -10))],
        rows: [.pro(until: 20)])
    static let malformed = FoundBefore(
        label: "a malformed receipt", kind: .receiptMalformed, receipts: [.malformed])
    static let refused = FoundBefore(
        label: "a refused receipt", kind: .receiptNotAuthentic, receipts: [.refused])
    static let accountGone = FoundBefore(
        label: "a deleted account's receipt", kind: .receiptAccountGone, receipts: [.accountGone])
    static let untrueDates = FoundBefore(
        label: "dates that cannot be true", kind: .implausibleDates,
        receipts: [.answer(.pro(bought: -10, until: 290))])
    static let setAside = FoundBefore(
        label: "a line that is no transaction", kind: .parseAnomaly,
        receipts: [.answer(setAside: [.undated("1")])])
    static let otherApp = FoundBefore(
        label: "another app's receipt", kind: .receiptForOtherApp,
        receipts: [.answer(saysApp: "other")])
    static let contradiction = FoundBefore(
        label: "a contradiction", kind: .receiptContradictsAnswer,
        receipts: [.answer(.pro(bought: -10), contradictions: [.ofProduct])])
}
