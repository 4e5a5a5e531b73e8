import Testing

@testable import Reconcile

/// To add a case, copy a line of a table, and change its label, its receipts, its rows and the
/// complete outcome: a verdict for each row, and the findings that are on none.
@Suite("A refund, or the end of a right")
struct RecordedEventTests {
    @Test(
        "Refunds and ends of the last months are recorded for any product",
        arguments: [
            Scene(
                "a refund of a consumable", receipts: [.answer(.coins(bought: -9, cancelled: -5))],
                withoutRow: [.refundRecorded]),
            Scene(
                "a refund of a product that the catalogue does not have",
                receipts: [.answer(.unlisted(bought: -9, cancelled: -5))],
                withoutRow: [.refundRecorded]),
            Scene(
                "a subscription that ended ten days ago", receipts: [.answer(.pro(bought: -40))],
                withoutRow: [.expired]),
            Scene(
                "a pass that ended ten days ago", receipts: [.answer(.pass(bought: -40))],
                withoutRow: [.expired]),
            Scene(
                "a subscription that ended 90 days ago, which is the horizon",
                receipts: [.answer(.pro(bought: -120))], withoutRow: [.expired]),
            Scene(
                "an ended chain beside a running one",
                receipts: [.answer(.pro(bought: -40), .max(bought: -10, original: "2"))],
                rows: [.max(until: 20)], verdicts: [.consistent], withoutRow: [.expired]),
            Scene(
                "a cancelled period that was upgraded",
                receipts: [.answer(.pro(bought: -10, cancelled: -4, isUpgraded: true))]),
            Scene(
                "a subscription that ended over 90 days ago",
                receipts: [.answer(.pro(bought: -120.01))]),
            Scene(
                "a consumable that was refunded over 90 days ago",
                receipts: [.answer(.coins(bought: -99, cancelled: -90.01))]),
            Scene(
                "a refunded test purchase",
                receipts: [.answer(.pro(bought: -10, cancelled: -4), environment: .sandbox)]),
            Scene(
                "a test purchase that has ended",
                receipts: [.answer(.pro(bought: -40), environment: .sandbox)]),
        ])
    func isRecorded(scene: Scene) { scene.check() }

    @Test("An end that a finding mentions is no event of its own, and remembered as reported")
    func isMentioned() throws {
        let scene = Scene(
            "a row that is still active", receipts: [.answer(.pro(bought: -40))],
            rows: [.pro(until: 20)], verdicts: [.found(.expiredStillGranted)])
        let remembered = scene.check().remembered
        #expect(remembered.map(\.kind.rawValue) == ["expired"])
        #expect(remembered.map(\.eventAt) == [.day(-10)])
    }
}
