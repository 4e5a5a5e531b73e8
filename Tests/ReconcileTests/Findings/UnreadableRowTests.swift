import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case, copy a scene and change its label, receipts, rows and the complete outcome.
/// Its user has one row more, which cannot be read.
@Suite("A row that cannot be read")
struct UnreadableRowTests {
    private static let month = ShownReceipt.answer(.pro(bought: -10))
    private static let notGranted = Row.pro(until: 20, isActive: false)

    @Test(
        "It may grant anything, so nothing is owed to its user",
        arguments: [
            Scene("a month that no row grants", receipts: [month]),
            Scene(
                "a month beside a row without a grant", receipts: [month], rows: [notGranted],
                verdicts: [.consistent]),
            Scene(
                "a month that has ended", receipts: [.answer(.pro(bought: -31))],
                rows: [notGranted], verdicts: [.consistent], withoutRow: [.expired]),
            Scene(
                "a product bought once", receipts: [.answer(.unlock(bought: -50))],
                rows: [.unlock(isActive: false)], verdicts: [.consistent]),
            Scene(
                "the premium product of a paid app", receipts: [.answer(version: "4.0")],
                rows: [.full(isActive: false)], verdicts: [.consistent]),
        ])
    func owesNothing(scene: Scene) { scene.check(unreadableRows: 1) }

    @Test(
        "It hides no right that is granted too long",
        arguments: [
            Scene(
                "an expired month", receipts: [.answer(.pro(bought: -40))],
                rows: [.pro(until: 20)], verdicts: [.found(.expiredStillGranted)]),
            Scene(
                "a refunded product", receipts: [.answer(.unlock(bought: -50, cancelled: -9))],
                rows: [.unlock()], verdicts: [.found(.refundedStillGranted)],
                withoutRow: [.refundRecorded]),
        ])
    func hidesNoLeak(scene: Scene) { scene.check(unreadableRows: 1) }

    @Test("A reversed refund is an event, since nothing is to be restored for it")
    func reversedRefund() {
        Scene(
            "a reversed refund", receipts: [Self.month], rows: [Self.notGranted],
            history: [.refund("1", cancelled: -8)], verdicts: [.consistent],
            withoutRow: [.refundReversed]
        ).check(unreadableRows: 1)
    }

    @Test(
        "A debt of an earlier run stays open while a row may have paid it",
        arguments: [
            Scene(
                "a debt on a row", receipts: [month], rows: [notGranted],
                history: [.open(.activeNotGranted, row: "e1")]),
            Scene(
                "a debt without a row", receipts: [month],
                history: [.open(.activeNotGranted, reference: "group:G")]),
        ])
    func staysOpen(scene: Scene) {
        let unjudged = scene.judgement(unreadableRows: 1).unjudged
        #expect(unjudged == scene.history.map(\.id))
    }

    @Test("A debt is over when the right has ended, whatever a row says that cannot be read")
    func isOver() {
        let scene = Scene(
            "an ended right", receipts: [.answer(.pro(bought: -40))], rows: [Self.notGranted],
            history: [.open(.activeNotGranted, row: "e1")])
        #expect(scene.judgement(unreadableRows: 1).unjudged == [])
    }

    @Test("What is consistent only because of it is not explained as agreement")
    func explained() throws {
        let scene = Scene("a month", receipts: [Self.month], rows: [Self.notGranted])
        let right = try #require(scene.judgement(unreadableRows: 1).rights.first)
        let sentence = right.sentence(asOf: .asOf)
        #expect(!sentence.contains("the two agree"))
        #expect(sentence.contains("cannot be read"))
    }
}

extension LedgerEntry {
    fileprivate static func open(
        _ kind: FindingKind, row: EntitlementID? = nil, reference: String = ""
    ) -> LedgerEntry {
        let identity = FindingIdentity(
            kind: kind, user: "u", entitlement: row, reference: reference)
        return LedgerEntry(
            id: identity.id, state: .open, identity: identity, firstSeen: .day(-5))
    }
}
