import Testing

@testable import AppStoreSimulator

@Suite("A simulated world")
struct SimulatedStoreTests {
    @Test("A seed gives the same world in any order, on any thread and machine; another, another")
    func isTheSame() async {
        let store = SimulatedStore.demo(customers: 200)
        let receipts = store.receipts(of: 0..<200)
        let parts = await withTaskGroup(of: (Int, [SimulatedReceipt]).self) { group in
            for start in stride(from: 0, to: 200, by: 40).reversed() {
                group.addTask { (start, store.receipts(of: start..<start + 40)) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(parts.sorted { $0.0 < $1.0 }.flatMap(\.1) == receipts)
        let rows = (0..<200).map(store.entitlements)
        #expect((0..<200).map(SimulatedStore.demo(customers: 9_999).entitlements) == rows)
        let other = SimulatedStore.demo(seed: 2, customers: 120)
        #expect(other.receipts(of: 0..<20) != store.receipts(of: 0..<20))
        #expect((0..<50).map(other.entitlements) != Array(rows.prefix(50)))
        // The digest of all is a known value.
        let text =
            receipts.map { "\($0.id) \($0.data) \($0.storedAt)" } + rows.joined().map { "\($0)" }
        let digest = Hash.sha256(Array(text.joined(separator: "\n").utf8)).prefix(8)
        #expect(digest == [0xDB, 0xCB, 0xC8, 0xAF, 0x89, 0xD7, 0xDE, 0x99])
    }

    @Test("Every thousand customers include each card", arguments: [0, 1, 77] as [UInt64])
    func dealsEachCard(seed: UInt64) {
        let deck = Deck(seed: seed)
        #expect(Set((0..<1_000).map(deck.card)) == Deck.kinds)
        #expect(Set((5_000..<6_000).map(deck.card)) == Deck.kinds)
    }

    @Test("On further nights receipts stay, subscriptions renew, refunds come, some rows are fixed")
    func livesOn() {
        let nights = (1...3).map { SimulatedStore.demo(night: $0) }
        #expect(nights[0].receipts(of: 0..<99) == nights[2].receipts(of: 0..<99))
        let customers = nights.map { night in (0..<1_000).map { night.customer($0) } }
        let seen = zip(nights, customers).map { night, customers in
            customers.flatMap(\.accounts).flatMap { $0.seen(at: night.now) }
        }
        #expect(seen[0].count < seen[1].count && seen[1].count < seen[2].count)
        let refunded = zip(nights, seen).map { night, purchases in
            purchases.count { $0.cancellation(at: night.now) != nil }
        }
        #expect(refunded[0] != refunded[1])
        let wrong = (0...2).map { night in
            customers[night].count { $0.flaw(on: night + 1) != .none }
        }
        #expect(wrong[2] < wrong[0] && wrong[2] > 0)
        let comes = customers[0].filter { $0.wrongFrom > 1 }
        #expect(comes.contains { $0.flaw(on: 1) == .none && $0.flaw(on: 2) != .none })
        // No row has a date in the future, and no entitlement is stored twice.
        for store in nights {
            let rows = (0..<1_000).flatMap { store.entitlements(of: $0) }
            #expect(rows.allSatisfy { $0.updatedAt < store.now })
            #expect(Set(rows.map(\.id)).count == rows.count)
        }
    }
}
