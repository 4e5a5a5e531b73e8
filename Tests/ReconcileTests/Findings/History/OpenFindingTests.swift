import Testing

@testable import Reconcile
@testable import TestSupport

/// A finding of the last run, and this run's evidence, in which it is not found again. To add a
/// case, copy a line and change its finding, label and evidence, and whether it is over.
struct LaterNight: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let finding: FoundBefore
    let receipts: [ShownReceipt]
    let rows: [Row]
    let hasInvalidReceipt: Bool
    let isRowUnreadable: Bool

    init(
        _ finding: FoundBefore, _ label: String, receipts: [ShownReceipt] = [], rows: [Row] = [],
        hasInvalidReceipt: Bool = false, isRowUnreadable: Bool = false
    ) {
        testDescription = "\(finding.label): \(label)"
        self.finding = finding
        self.receipts = receipts
        self.rows = rows
        self.hasInvalidReceipt = hasInvalidReceipt
        self.isRowUnreadable = isRowUnreadable
    }

    fileprivate func judgement(by judge: Judge, after entry: LedgerEntry) -> Judgement {
        var evidence = UserEvidence(receipts, rows: rows)
        evidence.invalidReceipts = hasInvalidReceipt ? 1 : 0
        evidence.invalidEntitlements = isRowUnreadable ? 1 : 0
        evidence.unreadableEntitlements = isRowUnreadable ? ["e1"] : []
        return judge.judgement(of: evidence.proven(for: judge), history: UserHistory([entry]))
    }
}

@Suite("A finding that is not found again")
struct OpenFindingTests {
    @Test(
        "It is cleared if the evidence shows its end",
        arguments: [
            LaterNight(
                .debtWithoutRow, "the receipt is refused, and another one is unchecked",
                receipts: [.refused, .unchecked]),
            LaterNight(
                .leak, "the row is not active", receipts: [.answer(.pro(bought: -40))],
                rows: [.pro(isActive: false)]),
            LaterNight(
                .leak, "the row is not active, and a receipt is unchecked", receipts: [.unchecked],
                rows: [.pro(isActive: false)]),
            LaterNight(
                .leak, "the row is gone, and a receipt is unchecked", receipts: [.unchecked]),
            LaterNight(
                .leak, "the row became a gift, and a receipt is unchecked", receipts: [.unchecked],
                rows: [.pro(until: 20, source: .gift)]),
            LaterNight(
                .leak, "the row became a consumable's, and a receipt is unchecked",
                receipts: [.unchecked], rows: [.coins(until: 20)]),
            LaterNight(
                .leak, "the subscription was renewed", receipts: [.answer(.pro(bought: -10))],
                rows: [.pro(until: 20)]),
            LaterNight(
                .leak, "another period ended, and the row has a later end",
                receipts: [.answer(.pro(bought: -0.5, id: "2"))], rows: [.pro(until: 60)]),
            LaterNight(
                .leak, "the row became a gift", receipts: [.answer(.pro(bought: -40))],
                rows: [.pro(until: 20, source: .gift)]),
            LaterNight(
                .grantWithoutReceipt, "a receipt was stored, and is unchecked",
                receipts: [.unchecked], rows: [.pro(until: 20)]),
            LaterNight(
                .debt, "the row is active", receipts: [.answer(.pro(bought: -10))],
                rows: [.pro(until: 20)]),
            LaterNight(
                .debtWithoutRow, "a row is active", receipts: [.answer(.pro(bought: -10))],
                rows: [.pro(until: 20)]),
            LaterNight(
                .debt, "the row is active, and a receipt is unchecked", receipts: [.unchecked],
                rows: [.pro(until: 20)]),
            LaterNight(
                .debt, "a gift covers the right, and a receipt is unchecked",
                receipts: [.unchecked], rows: [.pro(isActive: false), .max(source: .gift)]),
            LaterNight(
                .debtWithoutRow, "a row is active, and one of two receipts is unchecked",
                receipts: [.answer(.pro(bought: -10)), .unchecked], rows: [.pro(until: 20)]),
            LaterNight(
                .debtWithoutRow, "a row is active, and a receipt is unchecked",
                receipts: [.unchecked], rows: [.pro(until: 20)]),
            LaterNight(
                .paidApp, "the row is active as paid for", receipts: [.answer(version: "4.0")],
                rows: [.full(source: .legacyPaid)]),
            LaterNight(
                .tooEarly, "the row has the right end, and a second receipt is unchecked",
                receipts: [.answer(.pro(bought: -10)), .unchecked], rows: [.pro(until: 20)]),
            LaterNight(
                .malformed, "the receipt was replaced by one that Apple verifies",
                receipts: [.answer(.pro(bought: -10))]),
            LaterNight(.malformed, "the receipt is gone"),
            LaterNight(
                .otherApp, "the receipt is the app's, with a line that is no transaction",
                receipts: [.answer(setAside: [.undated("1")])]),
            LaterNight(
                .setAside, "all lines are transactions", receipts: [.answer(.pro(bought: -10))]),
        ])
    func isCleared(night: LaterNight) throws {
        try expect(isOpen: false, night, by: .acme)
    }

    @Test(
        "It stays open while the evidence does not show its end",
        arguments: [
            LaterNight(
                .debtWithoutRow, "the account was deleted", receipts: [.accountGone]),
            LaterNight(
                .leak, "the receipt is unchecked", receipts: [.unchecked], rows: [.pro(until: 20)]),
            LaterNight(
                .leak, "a second receipt is unchecked",
                receipts: [.answer(.pro(bought: -40)), .unchecked], rows: [.pro(until: 20)]),
            LaterNight(
                .leak, "the row changed after the judgement",
                receipts: [.answer(.pro(bought: -40))],
                rows: [.pro(isActive: false, changed: 0.1)]),
            LaterNight(
                .leak, "the row cannot be read", receipts: [.answer(.pro(bought: -40))],
                isRowUnreadable: true),
            LaterNight(
                .leak, "the row became one of a product outside the catalogue",
                receipts: [.answer(.pro(bought: -40))], rows: [.unlisted(until: 20)]),
            LaterNight(
                .leak, "the row became one of a pass of unknown duration",
                receipts: [.answer(.pro(bought: -40))], rows: [.passWithoutDuration(until: 20)]),
            LaterNight(
                .refund, "the refund was in the last day",
                receipts: [.answer(.pro(bought: -10, cancelled: -0.5))], rows: [.pro(until: 20)]),
            LaterNight(
                .unpaid, "the receipt became a test purchase's",
                receipts: [.answer(version: "1.0", environment: .sandbox)],
                rows: [.full(source: .legacyPaid)]),
            LaterNight(
                .debt, "the receipt is unchecked", receipts: [.unchecked],
                rows: [.pro(isActive: false)]),
            LaterNight(
                .debt, "the row is gone, and the receipt is unchecked", receipts: [.unchecked]),
            LaterNight(
                .debt, "the row became a gift that is not active, and the receipt is unchecked",
                receipts: [.unchecked], rows: [.pro(isActive: false, source: .gift)]),
            LaterNight(.debtWithoutRow, "the receipt is unchecked", receipts: [.unchecked]),
            LaterNight(
                .debtWithoutRow, "another period ended, and one was bought in the last day",
                receipts: [.answer(.pro(bought: -30.5), .pro(bought: -0.5))]),
            LaterNight(
                .debtWithoutRow, "a line is no transaction",
                receipts: [.answer(setAside: [.undated("1")])]),
            LaterNight(
                .debtWithoutRow, "another row of the right changed after the judgement",
                receipts: [.answer(.pro(bought: -10))],
                rows: [.max(until: 20, id: "e9", changed: 0.1)]),
            LaterNight(
                .paidApp, "the receipt is unchecked", receipts: [.unchecked],
                rows: [.full(isActive: false, source: .legacyPaid)]),
            LaterNight(
                .paidAppWithoutRow, "another row of the right changed after the judgement",
                receipts: [.answer(version: "4.0")],
                rows: [.full(id: "e9", changed: 0.1, source: .legacyPaid)]),
            LaterNight(
                .tooEarly, "the receipt is unchecked, and another has a longer chain",
                receipts: [.unchecked, .answer(.pro(bought: -25, id: "2", original: "2"))],
                rows: [.pro(until: 5)]),
            LaterNight(
                .tooEarly, "a line is no transaction, and another purchase has the end",
                receipts: [.answer(.pro(bought: -25, id: "2"), setAside: [.undated("1")])],
                rows: [.pro(until: 5)]),
            LaterNight(
                .malformed, "the receipt is a row that is not valid", hasInvalidReceipt: true),
            LaterNight(.refused, "the receipt is unchecked", receipts: [.unchecked]),
            LaterNight(
                .untrueDates, "a line is no transaction",
                receipts: [.answer(setAside: [.undated("1")])]),
            LaterNight(
                .contradiction, "a line is no transaction",
                receipts: [.answer(setAside: [.undated("1")])]),
        ])
    func staysOpen(night: LaterNight) throws {
        try expect(isOpen: true, night, by: .acme)
    }
}

@Suite("A finding that an offline run does not find again")
struct OpenFindingOfflineTests {
    @Test(
        "It is cleared if stored data or a signed receipt shows its end",
        arguments: [
            LaterNight(
                .leak, "the row is not active", receipts: [.answer(.pro(bought: -40))],
                rows: [.pro(isActive: false)]),
            LaterNight(
                .debt, "the row is active", receipts: [.answer(.pro(bought: -10))],
                rows: [.pro(until: 20)]),
            LaterNight(
                .debtWithoutRow, "a row is active", receipts: [.answer(.pro(bought: -10))],
                rows: [.pro(until: 20)]),
            LaterNight(
                .malformed, "the receipt was replaced by one that Apple verifies",
                receipts: [.answer(.pro(bought: -10))]),
            LaterNight(.malformed, "the receipt is gone"),
            LaterNight(.leak, "the row is gone", receipts: [.answer(.pro(bought: -40))]),
            LaterNight(
                .grantWithoutReceipt, "a receipt was stored",
                receipts: [.answer(.pro(bought: -10))], rows: [.pro(until: 20)]),
            LaterNight(
                .tooEarly, "the row has the right end", receipts: [.answer(.pro(bought: -10))],
                rows: [.pro(until: 20)]),
            LaterNight(
                .level, "the row has the product that was bought",
                receipts: [.answer(.max(bought: -10))], rows: [.max(until: 20)]),
            LaterNight(.accountGone, "the receipt is gone"),
        ])
    func isCleared(night: LaterNight) throws {
        try expect(isOpen: false, night, by: .offline)
    }

    @Test(
        "It stays open where only an answer would show its end",
        arguments: [
            LaterNight(
                .leak, "the subscription was renewed", receipts: [.answer(.pro(bought: -10))],
                rows: [.pro(until: 20)]),
            LaterNight(
                .leak, "the row changed after the judgement",
                receipts: [.answer(.pro(bought: -40))],
                rows: [.pro(isActive: false, changed: 0.1)]),
            LaterNight(
                .leak, "the row cannot be read", receipts: [.answer(.pro(bought: -40))],
                isRowUnreadable: true),
            LaterNight(
                .debt, "the row is gone, and the receipt shows an end",
                receipts: [.answer(.pro(bought: -40))]),
            LaterNight(
                .debtWithoutRow, "the receipt shows an end",
                receipts: [.answer(.pro(bought: -40))]),
            LaterNight(
                .debt, "the receipt shows an end", receipts: [.answer(.pro(bought: -40))],
                rows: [.pro(isActive: false)]),
            LaterNight(
                .tooEarly, "the receipt shows an end", receipts: [.answer(.pro(bought: -40))],
                rows: [.pro(until: 5)]),
            LaterNight(
                .level, "the receipt shows an end of another product",
                receipts: [.answer(.pro(bought: -40))], rows: [.max(until: 20)]),
            LaterNight(
                .level, "the receipt shows an end of the row's product",
                receipts: [.answer(.pro(bought: -40))], rows: [.pro(until: 20)]),
            LaterNight(
                .refused, "the receipt was replaced", receipts: [.answer(.pro(bought: -10))]),
        ])
    func staysOpen(night: LaterNight) throws {
        try expect(isOpen: true, night, by: .offline)
    }
}

private func expect(isOpen: Bool, _ night: LaterNight, by judge: Judge) throws {
    let entry = try night.finding.entry()
    let judgement = night.judgement(by: judge, after: entry)
    #expect(!judgement.findings.map(\.identity.id).contains(entry.id))
    #expect(judgement.unjudged == (isOpen ? [entry.id] : []))
}
