import Testing

@testable import Reconcile

@Suite("A line of the second table")
struct SecondTableTests {
    @Test("Each kind that one user's evidence shows has a line")
    func complete() {
        let others = Set(FactRules.acrossUsers + FindingKind.ofStoredRows)
        #expect(Set(Fact.all.map(\.kind)) == Set(FindingKind.allCases).subtracting(others))
        #expect(Set(Fact.all.map(\.kind)).count == Fact.all.count)
    }

    @Test("Each line fires once", arguments: Fact.all)
    func fires(fact: Fact) throws {
        let findings = fact.world(-1).judgement.findings.filter { $0.kind == fact.kind }
        #expect(findings.count == 1)
        let finding = try #require(findings.first)
        #expect(finding.entitlement == nil && finding.user == "u")
        let isEvent = FindingKind.events.contains(fact.kind)
        #expect(finding.eventAt == (isEvent ? .day(-1) : nil))
        #expect((finding.severity == .info) == isEvent)
    }

    @Test("Each line's near miss does not fire", arguments: Fact.all)
    func doesNot(fact: Fact) {
        #expect(!fact.nearly.judgement.kinds.contains(fact.kind))
    }

    @Test("A line with a cause settles, and any other is reported at once", arguments: Fact.all)
    func settles(fact: Fact) {
        let isFound = fact.world(-0.999).judgement.kinds.contains(fact.kind)
        #expect(isFound == !fact.settles)
    }

    @Test(
        "Neither missing evidence nor a row in flux hides a line",
        arguments: Fact.all)
    func isNotHidden(fact: Fact) {
        let world = fact.world(-1)
        let inFlux = StoredEntitlement.row("e9", "solo.monthly", updated: 0.001)
        for other in [
            world.with(receipts: [unchecked]), world.with(rows: [inFlux]),
            world.with(receipts: [.stored("r8", .unusable(.notAReceipt))]),
        ] {
            #expect(other.judgement.kinds.contains(fact.kind))
            #expect(other.judgement.entitlements.isBalanced)
        }
    }

    @Test("A second judgement gives the same result", arguments: Fact.all)
    func again(fact: Fact) {
        let isEqual = fact.world(-1).judgement.unordered == fact.world(-1).judgement.unordered
        #expect(isEqual)
    }
}
