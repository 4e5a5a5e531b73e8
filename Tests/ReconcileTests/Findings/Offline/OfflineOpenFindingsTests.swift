import Testing

@testable import Reconcile

@Suite("An open finding on an offline run")
struct OfflineOpenFindingsTests {
    private static let ended = OpenFindingsTests.ended
    private static let running = OpenFindingsTests.running
    private static let granted = OpenFindingsTests.granted
    private static let notGranted = OpenFindingsTests.notGranted

    static let cases: [OpenCase] = [
        .leak(
            "a leak stays open, though its receipt was read", receipts: running,
            rows: granted, isCleared: false),
        .leak(
            "a leak is cleared when the row grants no more", receipts: ended,
            rows: notGranted, isCleared: true),
        .leak(
            "a leak is cleared when the row is gone", receipts: ended,
            isCleared: true),
        .leak(
            "a leak stays open while the row is in flux", receipts: ended,
            rows: [.row(isActive: false, updated: 0.1)], isCleared: false),
        .leak(
            "a leak stays open while the row cannot be read", receipts: ended,
            unreadable: ["e1"], isCleared: false),
        OpenCase(
            testDescription: "a grant without a receipt is cleared by a receipt",
            rowsBefore: granted, kind: .grantWithoutReceipt, receipts: running, rows: granted,
            isCleared: true),
        .debt(
            "a debt is cleared when the row grants", receipts: running,
            rows: granted, isCleared: true),
        .debt(
            "a debt stays open when an older receipt does not show it", receipts: ended,
            rows: notGranted, isCleared: false),
        .debt(
            "a debt stays open when its row is gone and its receipt is older", receipts: ended,
            isCleared: false),
        OpenCase(
            testDescription: "a debt without a row is cleared by a row that grants it",
            before: running, kind: .activeNotGranted, receipts: running, rows: granted,
            isCleared: true),
        OpenCase(
            testDescription: "a debt without a row stays open while there is none",
            before: running, kind: .activeNotGranted, receipts: ended, isCleared: false),
        OpenCase(
            testDescription: "an early expiry is cleared when it was moved",
            before: running, rowsBefore: [.row(expires: 5)], kind: .expiryTooEarly,
            receipts: running, rows: granted, isCleared: true),
        OpenCase(
            testDescription: "an early expiry stays open as it is",
            before: running, rowsBefore: [.row(expires: 5)], kind: .expiryTooEarly,
            receipts: ended, rows: [.row(expires: 5)], isCleared: false),
        OpenCase(
            testDescription: "a level is cleared when the row has it",
            before: answers(.monthly("1", of: "1", "max.monthly", bought: -10)),
            rowsBefore: granted, kind: .upgradeNotApplied,
            receipts: answers(.monthly("1", of: "1", "max.monthly", bought: -10)),
            rows: [.row("e1", "max.monthly", expires: 20)], isCleared: true),
        OpenCase(
            testDescription: "a level stays open when no receipt shows it any more",
            before: answers(.monthly("1", of: "1", "max.monthly", bought: -10)),
            rowsBefore: granted, kind: .upgradeNotApplied, receipts: ended,
            rows: [.row("e1", "max.monthly", expires: 20)], isCleared: false),
        OpenCase(
            testDescription: "a level stays open as it is",
            before: answers(.monthly("1", of: "1", "max.monthly", bought: -10)),
            rowsBefore: granted, kind: .upgradeNotApplied, receipts: ended, rows: granted,
            isCleared: false),
        OpenCase(
            testDescription: "a bad receipt is cleared when it was replaced",
            before: [.stored(.unusable(.notAReceipt))], kind: .receiptMalformed,
            receipts: running, isCleared: true),
        OpenCase(
            testDescription: "a bad receipt is cleared when it is gone",
            before: [.stored(.unusable(.notAReceipt))], kind: .receiptMalformed, isCleared: true),
        OpenCase(
            testDescription: "a refused receipt stays open, whoever signed it",
            before: [.stored(.rejected(.notAuthentic))], kind: .receiptNotAuthentic,
            receipts: running, isCleared: false),
        OpenCase(
            testDescription: "a refused receipt is cleared when it is gone",
            before: [.stored(.rejected(.accountGone))], kind: .receiptAccountGone,
            isCleared: true),
    ]

    @Test(
        "An offline run clears an open finding only by what the service's own rows show",
        arguments: cases)
    func clears(open: OpenCase) throws {
        #expect(try open.clears(by: OfflineJudgementTests.judge) == open.isCleared)
    }
}
