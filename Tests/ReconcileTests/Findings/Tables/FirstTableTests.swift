import Testing

@testable import Reconcile

@Suite("A line of the first table")
struct FirstTableTests {
    @Test("Each kind of a finding on a stored row has a line, in the table's order")
    func complete() { #expect(Line.all.map(\.kind) == FindingKind.ofStoredRows) }

    @Test("Each line fires as soon as its cause has settled", arguments: Line.all)
    func fires(line: Line) throws {
        let world = line.world(-1)
        #expect(world.verdict == line.kind.rawValue)
        let finding = try #require(world.finding)
        #expect(finding.severity == line.kind.severity)
        #expect(finding.direction == line.kind.direction)
        #expect(finding.eventAt == (line.neverSettles ? nil : .day(-1)))
        #expect(finding.productStored == world.row.product)
        #expect(finding.storedActive == world.row.isActive)
        #expect(finding.storedExpiresAt == world.row.expiresAt)
        #expect(world.judgement.entitlements.isBalanced)
        let isSameAgain = line.world(-1).judgement.unordered == line.world(-1).judgement.unordered
        #expect(isSameAgain)
    }

    @Test("Each line's near miss does not fire", arguments: Line.all)
    func doesNot(line: Line) { #expect(line.nearly.verdict == line.verdict) }

    @Test("Each line settles for a day, unless it has no cause", arguments: Line.all)
    func settles(line: Line) {
        let verdict = line.neverSettles ? line.kind.rawValue : "settling"
        #expect(line.world(-0.999).verdict == verdict)
    }

    @Test("Missing evidence hides each line that accuses, before it settles", arguments: Line.all)
    func hidden(line: Line) {
        // With any receipt, even an unverified one, the row is no longer a grant without a receipt.
        let isHidden = line.kind.direction == .leak || line.kind == .grantWithoutReceipt
        let kind = line.kind.rawValue
        #expect(line.world(-1).hidden.verdict == (isHidden ? "unverified" : kind))
        #expect(
            line.world(-0.5).hidden.verdict
                == (isHidden ? "unverified" : line.neverSettles ? kind : "settling"))
    }

    @Test("A row in flux gives no finding, neither on the row nor without it", arguments: Line.all)
    func inFlux(line: Line) {
        let world = line.world(-1).inFlux
        #expect(world.verdict == "settling")
        #expect(!world.judgement.kinds.contains(line.kind))
        #expect(
            !world.judgement.findings.contains { $0.direction == .owed && $0.entitlement == nil })
    }
}

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
        let judgement = fact.world(-1).judgement
        let finding = try judgement.only(fact.kind)
        #expect(finding.entitlement == nil && finding.user == "u")
        let isEvent = FindingKind.events.contains(fact.kind)
        #expect(finding.eventAt == (isEvent ? .day(-1) : nil))
        #expect((finding.severity == .info) == isEvent)
        let isSameAgain = judgement.unordered == fact.world(-1).judgement.unordered
        #expect(isSameAgain)
    }

    @Test("Each line's near miss does not fire", arguments: Fact.all)
    func doesNot(fact: Fact) { #expect(!fact.nearly.judgement.kinds.contains(fact.kind)) }

    @Test("A line with a cause settles, and any other is reported at once", arguments: Fact.all)
    func settles(fact: Fact) {
        #expect(fact.world(-0.999).judgement.kinds.contains(fact.kind) == !fact.settles)
    }

    @Test("Neither missing evidence nor a row in flux hides a line", arguments: Fact.all)
    func isNotHidden(fact: Fact) {
        var worlds = [fact.world(-1), fact.world(-1), fact.world(-1)]
        worlds[0].receipts.append(unchecked)
        worlds[1].receipts.append(.stored("r8", .unusable(.notAReceipt)))
        worlds[2].rows.append(.row("e9", "solo.monthly", updated: 0.001))
        for world in worlds {
            #expect(world.judgement.kinds.contains(fact.kind))
            #expect(world.judgement.entitlements.isBalanced)
        }
    }
}
