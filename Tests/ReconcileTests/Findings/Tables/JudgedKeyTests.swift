import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case, copy a line and change its label, receipts and keys, and the findings about
/// them. All keys are of the first receipt.
@Suite("A download key that the service gave")
struct JudgedKeyTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let world: World
        let finds: [FindingKind]

        init(
            _ label: String, receipts: [ShownReceipt], keys: [StoredDownloadKey],
            finds: [FindingKind] = []
        ) {
            testDescription = label
            world = World(receipts: receipts, keys: keys)
            self.finds = finds
        }
    }

    @Test(
        "It is found only if every purchase of its product was taken back, or none is shown",
        arguments: [
            Case(
                "of a refunded product", receipts: [.answer(.unlock(bought: -20, cancelled: -2))],
                keys: [.key("unlock")], finds: [.downloadKeyForRevokedProduct]),
            Case(
                "of a refunded premium product, which the app's purchase gives",
                receipts: [.answer(.full(bought: -20, cancelled: -2), version: "4.0")],
                keys: [.key("full")]),
            Case(
                "of a product that was bought again after the judgement",
                receipts: [.answer(.unlock(bought: -20, cancelled: -2), .unlock(bought: 0.5))],
                keys: [.key("unlock")]),
            Case(
                "of two consumables, one of them refunded",
                receipts: [.answer(.coins(bought: -20, cancelled: -2), .coins(bought: -19))],
                keys: [.key("coins")]),
            Case(
                "of two refunded consumables",
                receipts: [
                    .answer(
                        .coins(bought: -20, cancelled: -2), .coins(bought: -19, cancelled: -1))
                ], keys: [.key("coins")], finds: [.downloadKeyForRevokedProduct]),
            Case(
                "of a refunded product, in an answer with a line that is no transaction",
                receipts: [
                    .answer(
                        .unlock(bought: -20, cancelled: -2), setAside: [.withoutProduct])
                ], keys: [.key("unlock")]),
            Case(
                "of a product that no answer shows", receipts: [.answer()],
                keys: [.key("unlock")], finds: [.downloadKeyOrphaned]),
            Case(
                "of a product that a sandbox receipt does not show",
                receipts: [.answer(environment: .sandbox)], keys: [.key("unlock")]),
        ])
    func isFound(example: Case) {
        let found = example.world.judgement().findings.map(\.kind)
        let aboutKeys = found.filter(FactRules.ofDownloadKeys.contains)
        #expect(aboutKeys.map(\.rawValue) == example.finds.map(\.rawValue))
    }
}
