import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case, copy a line and change its label, its answer, and what follows from it.
/// `RepeatedPurchaseTests` shows what several answers and lines about one purchase mean.
@Suite("What a user's purchases give")
struct StandingTests {
    struct UnlockCase: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let receipt: ShownReceipt
        let unlocks: [Unlocked]

        init(_ label: String, _ receipt: ShownReceipt, unlocks: [Unlocked]) {
            testDescription = label
            self.receipt = receipt
            self.unlocks = unlocks
        }
    }

    struct Unlocked: Equatable, Sendable {
        let product: ProductID
        let endsAt: Instant?

        static func product(_ id: ProductID, until end: Double? = nil) -> Unlocked {
            Unlocked(product: id, endsAt: end.map { .day($0) })
        }
    }

    @Test(
        "A receipt unlocks products by the rules of the nightly run",
        arguments: [
            UnlockCase("nothing", .answer(), unlocks: []),
            UnlockCase(
                "a refunded product", .answer(.unlock(bought: -3, cancelled: -1)), unlocks: []),
            UnlockCase("a subscription that has ended", .answer(.pro(bought: -40)), unlocks: []),
            UnlockCase(
                "a subscription in billing retry", .answer(.pro(bought: -40), .renewal(.retry)),
                unlocks: []),
            UnlockCase("a pass that has ended", .answer(.pass(bought: -31)), unlocks: []),
            UnlockCase(
                "a refunded consumable", .answer(.coins(bought: -3, cancelled: -2)), unlocks: []),
            UnlockCase(
                "a product outside the catalogue", .answer(.unlisted(bought: -3)), unlocks: []),
            UnlockCase("a version that was not paid for", .answer(version: "4.11"), unlocks: []),
            UnlockCase("a product", .answer(.unlock(bought: -3)), unlocks: [.product("unlock")]),
            UnlockCase(
                "a refunded product that was bought again",
                .answer(.unlock(bought: -3, cancelled: -1), .unlock(bought: -1)),
                unlocks: [.product("unlock")]),
            UnlockCase(
                "a subscription", .answer(.pro(bought: -10)),
                unlocks: [.product("pro.monthly", until: 20)]),
            UnlockCase(
                "a subscription in grace", .answer(.pro(bought: -32), .renewal(.grace(until: 5))),
                unlocks: [.product("pro.monthly", until: 5)]),
            UnlockCase(
                "a pass", .answer(.pass(bought: -10)), unlocks: [.product("pass", until: 20)]),
            UnlockCase(
                "two consumables, one of them refunded",
                .answer(.coins(bought: -3, cancelled: -2), .coins(bought: -3)),
                unlocks: [.product("coins")]),
            UnlockCase(
                "a version that was paid for", .answer(version: "4.9"),
                unlocks: [.product("full")]),
            UnlockCase(
                "a product in the sandbox, whose version does not count",
                .answer(.unlock(bought: -3), version: "1.0", environment: .sandbox),
                unlocks: [.product("unlock")]),
        ])
    func unlocks(example: UnlockCase) throws {
        let found = try unlocked(by: example.receipt)
        let products = found.products.map { Unlocked(product: $0.id, endsAt: $0.endsAt) }
        #expect(products == example.unlocks)
        #expect(found.earliestEnd == products.compactMap(\.endsAt).min())
    }

    private func unlocked(by shown: ShownReceipt) throws -> UnlockedProducts {
        let receipt = try #require(shown.evidence(number: 1).verified?.receipt)
        let answer = VerifiedReceipt(id: "r1", storedBundle: receipt.bundle, receipt: receipt)
        return UnlockedProducts(by: [answer], to: [], catalog: .acme, at: .asOf)
    }

    @Test("Of an answer about a customer only the consumables unlock that the receipt itself names")
    func usedUpConsumables() throws {
        let shown = ShownReceipt.answer(
            .coins(bought: -90, id: "7"), .coins(bought: -3, id: "8", cancelled: -1),
            .unlock(bought: -9))
        let receipt = try #require(shown.evidence(number: 1).verified?.receipt)
        let answer = VerifiedReceipt(
            id: "r1", storedBundle: receipt.bundle, receipt: receipt, proof: .serverAPI)
        func unlocked(by own: Set<TransactionID>) -> [ProductID] {
            UnlockedProducts(by: [answer], to: own, catalog: .acme, at: .asOf).products.map(\.id)
        }
        #expect(unlocked(by: []) == ["unlock"])
        #expect(unlocked(by: ["7"]) == ["coins", "unlock"])
        #expect(unlocked(by: ["8"]) == ["unlock"])
    }

    @Test("An unlocked product has its refund's references, and one outside the catalogue a name")
    func references() throws {
        let found = try unlocked(
            by: .answer(
                .unlock(bought: -3), .pro(bought: -10, id: "3", original: "2", lineItem: "w3"),
                .coins(bought: -3, id: "9", cancelled: -1), .unlisted(bought: -3)))
        #expect(found.products.map(\.refundReferences) == [["w3"], ["1"]])
        #expect(found.refundReferences == ["1", "4", "w3"])
        #expect(found.unknown == ["theme"])
    }

    struct StandingCase: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let receipt: ShownReceipt
        let row: Row
        let standing: Standing?

        init(_ label: String, _ receipt: ShownReceipt, row: Row, is standing: Standing?) {
            testDescription = label
            self.receipt = receipt
            self.row = row
            self.standing = standing
        }

        func check() throws {
            let judgement = Judge.acme.judgement([receipt], rows: [row])
            let right = try #require(judgement.rights.first)
            #expect(right.apple?.state == standing?.state)
            #expect(right.apple?.endsAt == standing?.endsAt)
            #expect(right.apple?.transaction == standing?.transaction)
            #expect(right.apple?.goneAt == standing?.goneAt)
        }
    }

    struct Standing: Sendable {
        let state: AppleState
        let endsAt: Instant?
        let transaction: TransactionID
        /// Since when an ended right is gone.
        let goneAt: Instant?

        init(
            _ state: AppleState, until end: Double? = nil, by transaction: TransactionID,
            gone: Double? = nil
        ) {
            self.state = state
            endsAt = end.map { .day($0) }
            self.transaction = transaction
            goneAt = gone.map { .day($0) }
        }
    }

    @Test(
        "A subscription's periods and its renewal decide its state, end and transaction",
        arguments: [
            StandingCase(
                "active until its expiry", .answer(.pro(bought: -40), .pro(bought: -10)),
                row: .pro(until: 20), is: Standing(.active, until: 20, by: "2")),
            StandingCase(
                "expired at its very expiry", .answer(.pro(bought: -30)), row: .pro(until: 20),
                is: Standing(.expired, until: 0, by: "1", gone: 0)),
            StandingCase(
                "until the greatest expiry",
                .answer(.pro(bought: -5, id: "2"), .pro(bought: -20, id: "1")),
                row: .pro(until: 20), is: Standing(.active, until: 25, by: "2")),
            StandingCase(
                "active by an older period",
                .answer(.pro(bought: -20, until: 11), .pro(bought: -5, cancelled: -2)),
                row: .pro(until: 20), is: Standing(.active, until: 11, by: "1")),
            StandingCase(
                "revoked by a running refund",
                .answer(.pro(bought: -40), .pro(bought: -10, cancelled: -4)), row: .pro(until: 20),
                is: Standing(.revoked, until: -4, by: "2")),
            StandingCase(
                "revoked by an older refund", .answer(.pro(bought: -60, cancelled: -50)),
                row: .pro(until: 20), is: Standing(.revoked, until: -50, by: "1")),
            StandingCase(
                "expired if refunded after it", .answer(.pro(bought: -60, cancelled: -20)),
                row: .pro(until: 20), is: Standing(.expired, until: -30, by: "1", gone: -20)),
            StandingCase(
                "family-revoked when shared",
                .answer(.pro(bought: -10, cancelled: -4, ownership: .familyShared)),
                row: .pro(until: 20), is: Standing(.familyRevoked, until: -4, by: "1")),
            StandingCase(
                "in grace while that lasts",
                .answer(.pro(bought: -32), .renewal(.grace(until: 4), .retry)),
                row: .pro(until: 20), is: Standing(.grace, until: 4, by: "1")),
            StandingCase(
                "over as grace ends", .answer(.pro(bought: -32), .renewal(.grace(until: 0))),
                row: .pro(until: 20), is: Standing(.expired, until: -2, by: "1", gone: 0)),
            StandingCase(
                "in billing retry after grace",
                .answer(.pro(bought: -40), .renewal(.grace(until: -4), .retry)),
                row: .pro(until: 20), is: Standing(.billingRetry, until: -10, by: "1", gone: -4)),
            StandingCase(
                "in billing retry without grace", .answer(.pro(bought: -40), .renewal(.retry)),
                row: .pro(until: 20), is: Standing(.billingRetry, until: -10, by: "1", gone: -10)),
            StandingCase(
                "not in grace when refunded",
                .answer(.pro(bought: -32, cancelled: -5), .renewal(.grace(until: 4))),
                row: .pro(until: 20), is: Standing(.revoked, until: -5, by: "1")),
            StandingCase(
                "active although it will end", .answer(.pro(bought: -10), .renewal(.off)),
                row: .pro(until: 20), is: Standing(.active, until: 20, by: "1")),
            StandingCase(
                "without an upgraded period",
                .answer(.pro(bought: -20, until: 345, isUpgraded: true), .pro(bought: -10)),
                row: .pro(until: 20), is: Standing(.active, until: 20, by: "2")),
            StandingCase(
                "nothing when all are upgraded", .answer(.pro(bought: -10, isUpgraded: true)),
                row: .pro(until: 20), is: nil),
            StandingCase(
                "by the period that was not cancelled",
                .answer(.pro(bought: -40, id: "2", cancelled: -39), .pro(bought: -40, id: "1")),
                row: .pro(until: 20), is: Standing(.expired, until: -10, by: "1", gone: -10)),
            StandingCase(
                "by the greater id, as a number, of two equal periods",
                .answer(.pro(bought: -10, id: "10"), .pro(bought: -10, id: "9")),
                row: .pro(until: 20), is: Standing(.active, until: 20, by: "10")),
            StandingCase(
                "nothing without an expiry", .answer(.pro(bought: -10, lacksEnd: true)),
                row: .pro(until: 20), is: nil),
        ])
    func subscription(example: StandingCase) throws { try example.check() }

    /// A pass lasts 30 days. It is gone only when the last refunded purchase would have ended too;
    /// and of passes bought at one instant the greatest id, as a number, covers.
    @Test(
        "The purchases of another product, in order, decide its state, end and transaction",
        arguments: [
            StandingCase(
                "owned by the first purchase that was not cancelled",
                .answer(
                    .unlock(bought: -90), .unlock(bought: -9, id: "3", cancelled: -8),
                    .unlock(bought: -30, id: "2")), row: .unlock(until: 20),
                is: Standing(.active, by: "2")),
            StandingCase(
                "revoked by the last refund",
                .answer(.unlock(bought: -90, cancelled: -5), .unlock(bought: -30, cancelled: -20)),
                row: .unlock(until: 20), is: Standing(.revoked, until: -5, by: "1")),
            StandingCase(
                "a product is family-revoked",
                .answer(.unlock(bought: -9, cancelled: -5, ownership: .familyShared)),
                row: .unlock(until: 20), is: Standing(.familyRevoked, until: -5, by: "1")),
            StandingCase(
                "a pass alone", .answer(.pass(bought: -10)), row: .pass(until: 20),
                is: Standing(.active, until: 20, by: "1")),
            StandingCase(
                "two passes whose days do not overlap",
                .answer(.pass(bought: -10), .pass(bought: -40)), row: .pass(until: 20),
                is: Standing(.active, until: 20, by: "1")),
            StandingCase(
                "two passes whose days add up", .answer(.pass(bought: -20), .pass(bought: -30)),
                row: .pass(until: 20), is: Standing(.active, until: 30, by: "1")),
            StandingCase(
                "two passes at one instant, whose days add up",
                .answer(.pass(bought: -40), .pass(bought: -40)), row: .pass(until: 20),
                is: Standing(.active, until: 20, by: "2")),
            StandingCase(
                "a pass after another that has ended",
                .answer(.pass(bought: -90), .pass(bought: -10)), row: .pass(until: 20),
                is: Standing(.active, until: 20, by: "2")),
            StandingCase(
                "ended after two passes at one instant",
                .answer(.pass(bought: -60), .pass(bought: -60)), row: .pass(until: 20),
                is: Standing(.expired, until: 0, by: "2", gone: 0)),
            StandingCase(
                "a pass that ended, despite a refund that would have ended later",
                .answer(.pass(bought: -40), .pass(bought: -35, cancelled: -34)),
                row: .pass(until: 20), is: Standing(.expired, until: -10, by: "1", gone: -10)),
            StandingCase(
                "a pass that ended, with a later refund",
                .answer(.pass(bought: -50), .pass(bought: -45, cancelled: -0.5)),
                row: .pass(until: 20), is: Standing(.expired, until: -20, by: "1", gone: -0.5)),
            StandingCase(
                "a refunded pass", .answer(.pass(bought: -40, cancelled: -39)),
                row: .pass(until: 20), is: Standing(.revoked, until: -39, by: "1")),
            StandingCase(
                "ten passes at one instant",
                .answer(
                    .pass(bought: -5), .pass(bought: -5), .pass(bought: -5), .pass(bought: -5),
                    .pass(bought: -5), .pass(bought: -5), .pass(bought: -5), .pass(bought: -5),
                    .pass(bought: -5), .pass(bought: -5)), row: .pass(until: 20),
                is: Standing(.active, until: 295, by: "10")),
        ])
    func product(example: StandingCase) throws { try example.check() }
}
