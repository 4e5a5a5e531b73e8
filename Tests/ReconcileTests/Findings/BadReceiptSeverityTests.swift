import Testing

@testable import Reconcile

/// The severity of a receipt that is not authentic, or of another app, depends on the rows that it
/// may explain.
@Suite("The severity of a bad receipt")
struct BadReceiptSeverityTests {
    struct Bad: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let kind: FindingKind
        let receipt: ReceiptEvidence
    }

    static let bad: [Bad] = [
        Bad(
            testDescription: "refused by Apple", kind: .receiptNotAuthentic,
            receipt: .stored("r9", .rejected(.notAuthentic))),
        Bad(
            testDescription: "with a wrong signature", kind: .receiptNotAuthentic,
            receipt: .stored("r9", .rejected(.signature))),
        Bad(
            testDescription: "for another app", kind: .receiptForOtherApp,
            receipt: .stored("r9", .verified(.showing(bundle: "other")))),
    ]

    private static let active = ReceiptEvidence.showing(AppleLine.period(from: -20, to: 10))
    private static let grace = ReceiptEvidence.answered(
        AppleLine.answer(
            latest: [AppleLine.period(from: -35, to: -5)],
            renewals: [
                #"{"original_transaction_id":"1","product_id":"pro.monthly","#
                    + #""grace_period_expires_date_ms":"\#(Instant.day(5).milliseconds)"}"#
            ]))
    private static let ended = ReceiptEvidence.showing(AppleLine.period(from: -80, to: -50))
    private static let paid = ReceiptEvidence.answered(AppleLine.answer(version: "4.0"))

    private static let pro = StoredEntitlement.row("e1", expires: 10)
    private static let unlock = StoredEntitlement.row("e2", "unlock")

    /// The user's other receipts and rows; the cases' outcome is not checked.
    static let critical: [AnsweredCase] = [
        AnsweredCase("a row that nothing else proves", [], unlock),
        AnsweredCase("a row of a chain that ended", [ended], pro),
        AnsweredCase("one row, though another is proved", [active], pro, unlock),
        AnsweredCase(
            "a row of another product than the app's premium product", [paid], unlock),
    ]

    @Test(
        "A bad receipt is a critical leak next to a grant that nothing else explains",
        arguments: bad, critical)
    func isCritical(bad: Bad, world: AnsweredCase) throws {
        let finding = try finding(bad, in: world)
        #expect(finding.severity == .critical && finding.direction == .leak)
    }

    static let medium: [AnsweredCase] = [
        AnsweredCase("nothing that is granted", [], .row("e1", isActive: false)),
        AnsweredCase("no row", []),
        AnsweredCase("a row that another receipt proves", [active], pro),
        AnsweredCase("a row in grace", [grace], .row("e1", expires: 5)),
        AnsweredCase("a row of the app that was paid for", [paid], .row("e1", "full")),
        AnsweredCase("a row whose time is over", [], .row("e1", expires: -1)),
        AnsweredCase("a gift", [], .row("e1", source: .other("promo"))),
        AnsweredCase("a row that is no purchase", [], .row("e1", "full", source: .legacyPaid)),
    ]

    @Test(
        "A bad receipt is medium when nothing is granted or something else explains the grant",
        arguments: bad, medium)
    func isMedium(bad: Bad, world: AnsweredCase) throws {
        let finding = try finding(bad, in: world)
        #expect(finding.severity == .medium && finding.direction == .none)
    }

    private func finding(_ bad: Bad, in world: AnsweredCase) throws -> Finding {
        let all = AnsweredCase("", world.receipts + [bad.receipt], world.rows, expected: [])
        let found = all.judgement().findings.filter { $0.kind == bad.kind }
        #expect(found.count == 1)
        return try #require(found.first)
    }
}
