import Testing

@testable import Reconcile

@Suite("A right that Apple gives and no row grants")
struct OwedTests {
    static let rows: [RowExample] = [
        RowExample(
            testDescription: "active: fires", receipts: answers(.monthly(bought: -10)),
            row: .row(isActive: false), verdict: "active_not_granted"),
        RowExample(
            testDescription: "active: fires on a row whose expiry has passed",
            receipts: answers(.monthly(bought: -10)), row: .row(expires: -1),
            verdict: "active_not_granted"),
        RowExample(
            testDescription: "active: settles", receipts: answers(.monthly(bought: -0.5)),
            row: .row(isActive: false), verdict: "settling"),
        RowExample(
            testDescription: "active: needs only the positive proof",
            receipts: answers(.monthly(bought: -10)) + [unchecked], row: .row(isActive: false),
            verdict: "active_not_granted"),
        RowExample(
            testDescription: "active: a row in flux settles",
            receipts: answers(.monthly(bought: -10)), row: .row(isActive: false, updated: 0.1),
            verdict: "settling"),
        RowExample(
            testDescription: "active: does not fire, it has expired",
            receipts: answers(.monthly(bought: -31)), row: .row(isActive: false),
            verdict: "consistent"),
        RowExample(
            testDescription: "grace: fires",
            receipts: answers(.monthly(bought: -32), renewals: inGrace),
            row: .row(isActive: false), verdict: "grace_not_granted"),
        RowExample(
            testDescription: "grace: settles by the expiry that began it",
            receipts: answers(.monthly(bought: -30.5), renewals: inGrace),
            row: .row(isActive: false), verdict: "settling"),
        RowExample(
            testDescription: "owned: fires", receipts: answers(.once("1", "unlock", bought: -9)),
            row: .row("e1", "unlock", isActive: false), verdict: "owned_not_granted"),
        RowExample(
            testDescription: "owned: fires for a pass",
            receipts: answers(.once("1", "pass", bought: -9)),
            row: .row("e1", "pass", isActive: false), verdict: "owned_not_granted"),
        RowExample(
            testDescription: "owned: settles",
            receipts: answers(.once("1", "unlock", bought: -0.5)),
            row: .row("e1", "unlock", isActive: false), verdict: "settling"),
        RowExample(
            testDescription: "owned: does not fire, it was refunded",
            receipts: answers(.once("1", "unlock", bought: -9, cancelled: -5)),
            row: .row("e1", "unlock", isActive: false), verdict: "consistent"),
    ]

    @Test(
        "The right is owed on its row only when the table's conditions hold and it has settled",
        arguments: rows)
    func found(row: RowExample) { row.check() }

    @Test("Without a row the finding has no entitlement")
    func withoutRow() throws {
        let judgement = Judge.acme.judgement(of: answers(.monthly(bought: -10)), [])
        let finding = try #require(judgement.findings.first)
        #expect(judgement.findings.count == 1)
        #expect(finding.kind == .activeNotGranted)
        #expect(finding.entitlement == nil)
        #expect(finding.reference == "group:G")
        #expect(finding.transaction == "1")
    }

    @Test("Without a row there is no finding while it settles")
    func settlingWithoutRow() {
        #expect(Judge.acme.judgement(of: answers(.monthly(bought: -0.5)), []).findings.isEmpty)
    }

    @Test("A granted row of any source and any product of the right covers it")
    func covered() {
        let yearly = StoredEntitlement.row(
            "e1", "pro.yearly", expires: 9, source: .other("promo"))
        let judgement = Judge.acme.judgement(of: answers(.monthly(bought: -10)), [yearly])
        #expect(judgement.findings.isEmpty)
    }

    @Test("A granted row of another right covers it if the row's best grantor is its chain")
    func coveredByName() {
        let row = StoredEntitlement.row("e1", "solo.monthly", chain: "1", expires: 20)
        let judgement = Judge.acme.judgement(of: answers(.monthly(bought: -10)), [row])
        #expect(judgement.kinds == [.productMismatch])
    }

    @Test("The finding is on the row of the chain, else of the product, else the latest one")
    func choosesRow() {
        func chosen(_ rows: StoredEntitlement...) -> EntitlementID? {
            Judge.acme.judgement(of: answers(.monthly(bought: -10)), rows).findings.first?
                .entitlement
        }
        let chain = StoredEntitlement.row("z", "pro.yearly", chain: "1", isActive: false)
        let product = StoredEntitlement.row("y", isActive: false)
        let late = StoredEntitlement.row("x", "pro.yearly", isActive: false, updated: -2)
        let early = StoredEntitlement.row("a", "pro.yearly", isActive: false, updated: -3)
        let twin = StoredEntitlement.row("w", "pro.yearly", isActive: false, updated: -2)
        #expect(chosen(early, late, product, chain) == "z")
        #expect(chosen(early, late, product) == "y")
        #expect(chosen(early, late) == "x")
        #expect(chosen(late, twin) == "w")
    }

    @Test("A right gives one finding however many of its rows are not granted")
    func once() {
        let judgement = Judge.acme.judgement(
            of: answers(.monthly(bought: -10)),
            [.row("a", isActive: false), .row("b", isActive: false)])
        #expect(judgement.kinds == [.activeNotGranted])
        #expect(judgement.entitlements.consistent == 1)
    }
}
