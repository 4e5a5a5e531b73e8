import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The kind of a product that is not in the catalogue")
struct SignedKindTests {
    private static let opinion = LocalProof(
        TrustedRoots([ReceiptAuthority.shared.root.der]),
        catalogued: Set(Catalog.acme.products.keys))
    private static let answer = Receipt(bundle: "acme", environment: .production)

    private static func kinds(
        _ purchases: [UInt8]..., by authority: ReceiptAuthority = .shared,
        in validation: Validation = .verified(answer)
    ) -> [ProductID: ProductKind] {
        let bytes = authority.receipt(PayloadForge(purchases: purchases).encoded)
        return opinion.facts(
            of: SendableReceipt(encoding: bytes), with: validation
        ).kinds
    }

    private static func bought(_ product: String, _ kind: UInt8, id: String = "7") -> [UInt8] {
        PayloadForge.purchase(product, id: id, expires: "", kind: kind)
    }

    @Test("Attribute 1707 of a receipt that Apple signed decides the kind")
    func signed() {
        #expect(
            Self.kinds(
                Self.bought("map", 0), Self.bought("gems", 1), Self.bought("summer", 2, id: "8"))
                == ["map": .nonConsumable, "gems": .consumable, "summer": .nonRenewing])
    }

    @Test("The attribute is not used for a catalogue product, nor for a subscription")
    func known() {
        #expect(Self.kinds(Self.bought("unlock", 1), Self.bought("news", 3)).isEmpty)
        #expect(Self.kinds(Self.bought("map", 9)).isEmpty)
    }

    @Test("An unsigned or unverified receipt, and one that contradicts Apple, decide nothing")
    func notBelieved() {
        #expect(Self.kinds(Self.bought("map", 0), by: .other).isEmpty)
        #expect(Self.kinds(Self.bought("map", 0), in: .unverified(.timeout)).isEmpty)
        for other: UInt8 in [1, 3, 9] {
            #expect(Self.kinds(Self.bought("map", 0), Self.bought("map", other, id: "8")).isEmpty)
        }
    }

    @Test("A row is judged by the kind that the receipt gives")
    func judged() {
        func verdict(
            _ row: StoredEntitlement, cancelled: Double? = nil,
            _ words: [ProductID: ProductKind]...
        ) -> (bucket: String, kinds: [FindingKind]) {
            let answer = Receipt.showing(
                .once("1", "map", bought: -50, cancelled: cancelled))
            let receipts = words.enumerated().map { number, kinds in
                var receipt = ReceiptEvidence.stored(
                    ReceiptID("r\(number)"), .verified(answer))
                receipt.signedKinds = kinds
                return receipt
            }
            let judgement = Judge.acme.judgement(of: receipts, [row])
            return (judgement.bucket, judgement.disagreements.filter { $0 != .refundRecorded })
        }
        let granted = StoredEntitlement.row("e1", "map")
        #expect(verdict(granted, [:]).bucket == "not_judged")
        #expect(verdict(granted, ["map": .nonConsumable]).bucket == "consistent")
        #expect(verdict(granted, ["map": .consumable]).bucket == "not_judged")
        #expect(verdict(granted, ["map": .nonRenewing]).bucket == "not_judged")
        #expect(
            verdict(granted, cancelled: -3, ["map": .nonConsumable]).kinds
                == [.refundedStillGranted])
        let taken = verdict(.row("e1", "map", isActive: false), ["map": .nonConsumable])
        #expect(taken.bucket == "consistent" && taken.kinds.isEmpty)
        // Two receipts that disagree decide nothing.
        #expect(
            verdict(granted, ["map": .nonConsumable], ["map": .consumable]).bucket
                == "not_judged")
    }
}
