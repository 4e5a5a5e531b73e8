import Testing

@testable import Reconcile

@Suite("The identity of a finding")
struct IdentityTests {
    private static func id(_ user: UserID, _ reference: String) -> String {
        FindingIdentity(kind: .expired, user: user, entitlement: nil, reference: reference).id
    }

    @Test("Different parts give different ids, and equal parts the same one")
    func parts() {
        #expect(Self.id("ab", "c") != Self.id("a", "bc"))
        #expect(Self.id("ab", "c") == Self.id("ab", "c"))
    }

    @Test("A user's findings differ in their right, also if a group has a product's name")
    func rights() {
        let catalog = Catalog(products: [
            .subscription("team.m", group: "team"), .subscription("team"),
            .pass("a", lasts: .days(7)), .pass("b", lasts: .days(7)),
        ])
        let judgement = Judge(catalog).judgement([
            .answer(
                .teamMonth(bought: -10), .team(bought: -9, original: "2"),
                .passA(bought: -40, id: "3"), .passB(bought: -40, id: "4", original: "3"))
        ])
        let expected: [FindingKind] = [.activeNotGranted, .activeNotGranted, .expired, .expired]
        #expect(judgement.kinds.map(\.rawValue) == expected.map(\.rawValue))
        #expect(Set(judgement.findings.map(\.identity.id)).count == 4)
    }

    /// A refund's reference is its line item, else an id, which two purchases share in some
    /// receipts. To add a pair, copy one: `first` is the one that is reported, with the `id`.
    struct Pair: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let first: ShownLine
        let second: ShownLine
        let id: TransactionID
    }

    @Test(
        "Two refunds with one reference are reported once, for the first purchase",
        arguments: [
            Pair(
                testDescription: "two subscriptions with one line item",
                first: .pro(bought: -10, id: "1", cancelled: -4, lineItem: "77"),
                second: .max(bought: -10, id: "3", original: "3", cancelled: -4, lineItem: "77"),
                id: "1"),
            Pair(
                testDescription: "two consumables with one line item",
                first: .coins(bought: -9, id: "2", cancelled: -5, lineItem: "77"),
                second: .coins(bought: -8, id: "3", cancelled: -5, lineItem: "77"), id: "2"),
            Pair(
                testDescription: "a consumable whose id is another product's original one",
                first: .coins(bought: -9, id: "2", cancelled: -5),
                second: .unlock(bought: -8, id: "4", original: "2", cancelled: -5), id: "2"),
            Pair(
                testDescription: "a refund that is older than the event horizon",
                first: .coins(bought: -9, id: "2", cancelled: -5, lineItem: "77"),
                second: .coins(bought: -99, id: "3", cancelled: -95, lineItem: "77"), id: "2"),
        ])
    func refundsAlike(pair: Pair) throws {
        let orders = [
            ShownReceipt.answer(pair.first, pair.second),
            ShownReceipt.answer(pair.second, pair.first),
        ]
        for answer in orders {
            let judgement = Judge.acme.judgement([answer])
            #expect(judgement.namesWithoutRow == ["refund_recorded"])
            #expect(judgement.remembered.map(\.kind.rawValue) == [])
            #expect(try judgement.only(.refundRecorded).transaction == pair.id)
        }
    }
}

extension ShownLine {
    fileprivate static var teamMonth: Builder { builder(of: "team.m", days: 30) }
    fileprivate static var team: Builder { builder(of: "team", days: 30) }
    fileprivate static var passA: Builder { builder(of: "a", days: nil) }
    fileprivate static var passB: Builder { builder(of: "b", days: nil) }
}
