import Testing

@testable import Reconcile

@Suite("The kind of a product")
struct ProductKindsTests {
    private static let kinds: ProductKinds = {
        var kinds = ProductKinds(catalog: .acme, seenExpiring: ["seen", "unlock"])
        kinds.signed = ["signed": .nonConsumable, "seen": .consumable, "coins": .nonConsumable]
        return kinds
    }()

    @Test(
        "The catalogue decides the kind, else an expiry that was seen, else a signed receipt",
        arguments: [
            ("pro.monthly", .autoRenewable), ("unlock", .nonConsumable), ("coins", .consumable),
            ("seen", .autoRenewable), ("signed", .nonConsumable), ("nobody.knows", nil),
        ] as [(ProductID, ProductKind?)])
    func kind(product: ProductID, expected: ProductKind?) {
        #expect(Self.kinds.kind(of: product) == expected)
    }

    @Test(
        "A row is judged only if the product's kind and duration are known",
        arguments: [
            ("pro.monthly", nil), ("unlock", nil), ("pass", nil), ("seen", nil), ("signed", nil),
            ("pass.unknown", .accessDurationUnknown), ("coins", .consumable),
            ("nobody.knows", .productUnknown),
        ] as [(ProductID, NotReported.Cause?)])
    func obstacle(product: ProductID, expected: NotReported.Cause?) {
        #expect(Self.kinds.obstacle(to: product) == expected)
    }
}
