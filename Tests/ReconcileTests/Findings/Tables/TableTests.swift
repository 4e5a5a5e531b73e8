import Testing

@testable import Reconcile
@testable import TestSupport

/// A new kind needs a `KindCase` in `RowKinds` or `FactKinds`: the smallest world that shows it,
/// with its cause on a day that the tests choose, and the nearest one that does not.
@Suite("A line of the tables")
struct TableTests {
    @Test("Each kind of the tables has a line, those on a stored row in the table's order")
    func complete() {
        let onRows = KindCase.onRows.map(\.kind.rawValue)
        #expect(onRows == FindingKind.ofStoredRows.map(\.rawValue))
        let all = onRows + KindCase.facts.map(\.kind.rawValue)
        let expected = Set(FindingKind.allCases).subtracting(FactRules.acrossUsers)
        #expect(all.sorted() == expected.map(\.rawValue).sorted())
    }

    @Test(
        "Each line on a row fires once its cause, if any, is a day old, and not at its near miss",
        arguments: KindCase.onRows)
    func firesOnRow(line: KindCase) throws {
        let world = line.world(-1)
        let judgement = world.judgement()
        let finding = try #require(judgement.findings.first { $0.entitlement == "e1" })
        #expect(finding.kind.rawValue == line.kind.rawValue)
        #expect(finding.severity == line.kind.severity)
        #expect(finding.direction == line.kind.direction)
        #expect(finding.eventAt == (line.neverSettles ? nil : .day(-1)))
        let row = world.rows[0].entitlement(number: 1)
        #expect(finding.productStored == row.product)
        #expect(finding.storedActive == row.isActive)
        #expect(finding.storedExpiresAt == row.expiresAt)
        #expect(judgement.entitlements.isBalanced)
        #expect(judgement.unordered == world.judgement().unordered)
        #expect(line.world(-0.999).judgement().verdict(on: "e1") == line.early)
        #expect(line.nearMiss.judgement().verdict(on: "e1") == line.nearVerdict)
    }

    /// With any receipt, even an unverified one, a row is no longer a grant without a receipt.
    @Test(
        "Missing evidence hides what accuses, before it settles", arguments: KindCase.onRows)
    func hidden(line: KindCase) {
        let isHidden = line.kind.direction == .leak || line.kind == .grantWithoutReceipt
        let old = line.world(-1).adding(.unchecked).judgement()
        #expect(old.verdict(on: "e1") == (isHidden ? .unverified : .found(line.kind)))
        let recent = line.world(-0.5).adding(.unchecked).judgement()
        #expect(recent.verdict(on: "e1") == (isHidden ? .unverified : line.early))
    }

    @Test("A row in flux has no finding, and nothing is owed for it", arguments: KindCase.onRows)
    func inFlux(line: KindCase) {
        let judgement = line.world(-1).inFlux.judgement()
        #expect(!judgement.kinds.contains(line.kind))
        #expect(judgement.verdict(on: "e1") == .settling)
        let owed = judgement.findings.filter { $0.direction == .owed && $0.entitlement == nil }
        #expect(owed.map(\.kind.rawValue) == [])
    }

    @Test(
        "Each line of the second table fires once, not at its near miss; only an end must settle",
        arguments: KindCase.facts)
    func fires(fact: KindCase) throws {
        let judgement = fact.world(-1).judgement()
        let finding = try judgement.only(fact.kind)
        #expect(finding.entitlement == nil)
        #expect(finding.user == "u")
        let isEvent = FindingKind.events.contains(fact.kind)
        #expect(finding.eventAt == (isEvent ? .day(-1) : nil))
        #expect((finding.severity == .info) == isEvent)
        #expect(judgement.unordered == fact.world(-1).judgement().unordered)
        #expect(!fact.nearMiss.judgement().kinds.contains(fact.kind))
        let early = fact.world(-0.999).judgement().kinds
        #expect(early.contains(fact.kind) == (fact.kind != .expired))
    }

    @Test(
        "Neither missing evidence nor a row in flux hides a line of the second table",
        arguments: KindCase.facts, Doubt.allCases)
    func isNotHidden(fact: KindCase, by doubt: Doubt) {
        let judgement = doubt.adding(fact.world(-1)).judgement()
        #expect(judgement.kinds.contains(fact.kind))
        #expect(judgement.entitlements.isBalanced)
    }

    enum Doubt: CaseIterable {
        case uncheckedReceipt
        case malformedReceipt
        case rowInFlux

        func adding(_ world: World) -> World {
            switch self {
            case .uncheckedReceipt: world.adding(.unchecked)
            case .malformedReceipt: world.adding(.malformed)
            case .rowInFlux: world.adding(.solo(id: "e9", changed: 0.001))
            }
        }
    }
}
