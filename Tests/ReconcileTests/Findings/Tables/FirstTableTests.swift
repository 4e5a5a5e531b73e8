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
    }

    @Test("Each line's near miss does not fire", arguments: Line.all)
    func doesNot(line: Line) { #expect(line.nearly.verdict == line.verdict) }

    @Test("Each line settles for a day, unless it has no cause", arguments: Line.all)
    func settles(line: Line) {
        let verdict = line.neverSettles ? line.kind.rawValue : "settling"
        #expect(line.world(-0.999).verdict == verdict)
    }

    @Test("Missing evidence hides each line that accuses, and no other", arguments: Line.all)
    func hidden(line: Line) {
        // With any receipt, even an unverified one, the row is no longer a grant without a receipt.
        let isHidden = line.kind.direction == .leak || line.kind == .grantWithoutReceipt
        let verdict = isHidden ? "unverified" : line.kind.rawValue
        #expect(line.world(-1).hidden.verdict == verdict)
    }

    @Test("Missing evidence is checked before settling", arguments: Line.all)
    func hiddenFirst(line: Line) {
        let isHidden = line.kind.direction == .leak || line.kind == .grantWithoutReceipt
        let verdict =
            isHidden ? "unverified" : line.neverSettles ? line.kind.rawValue : "settling"
        #expect(line.world(-0.5).hidden.verdict == verdict)
    }

    @Test(
        "A row in flux gives no finding, neither on the row nor without it", arguments: Line.all)
    func inFlux(line: Line) {
        let world = line.world(-1).inFlux
        #expect(world.verdict == "settling")
        #expect(!world.judgement.kinds.contains(line.kind))
        #expect(
            !world.judgement.findings.contains { $0.direction == .owed && $0.entitlement == nil })
    }

    @Test("A second judgement gives the same result", arguments: Line.all)
    func again(line: Line) {
        let isEqual = line.world(-1).judgement.unordered == line.world(-1).judgement.unordered
        #expect(isEqual)
    }
}
