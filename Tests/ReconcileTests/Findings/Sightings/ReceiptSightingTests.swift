import Testing

@testable import Reconcile

@Suite("A receipt that proves the app was paid for")
struct ReceiptSightingTests {
    private func sightings(
        _ receipts: [Receipt], rows: [StoredEntitlement] = []
    ) -> [ReceiptSighting] {
        let evidence = receipts.enumerated().map { place, receipt in
            ReceiptEvidence.stored(ReceiptID("r\(place + 1)"), .verified(receipt))
        }
        return Judge.acme.judgement(of: evidence, rows).receipts
    }

    @Test("Every receipt that says paid is kept, with or without a row that relies on it")
    func kept() {
        let receipts = [Receipt.showing(version: "4.0"), .showing(version: "4.10")]
        #expect(
            sightings(receipts) == [
                ReceiptSighting(user: "u", receipt: "r1", bundle: "acme"),
                ReceiptSighting(user: "u", receipt: "r2", bundle: "acme"),
            ])
        let row = StoredEntitlement.row("e1", "full", expires: 20, source: .legacyPaid)
        let grants = sightings(receipts, rows: [row]).map(\.grant)
        let grant = ReceiptSighting.Grant(
            entitlement: "e1", product: "full", expiresAt: .day(20))
        #expect(grants == [grant, grant])
    }

    @Test(
        "A receipt that does not say paid is not kept",
        arguments: [
            Receipt.showing(version: "5.0"), .showing(version: nil),
            .showing(bundle: "other", version: "4.0"), .showing(style: .iOS6, version: "4.0"),
        ])
    func left(receipt: Receipt) { #expect(sightings([receipt]).isEmpty) }

    @Test(
        "A receipt of a paid app that gives this user nothing is kept without a row",
        arguments: [
            Validation.verified(.showing(environment: .sandbox, version: "4.0")),
            .unverified(.timeout), .rejected(.accountGone),
        ])
    func givesNothing(validation: Validation) {
        let row = StoredEntitlement.row("e1", "full", source: .legacyPaid)
        let judgement = Judge.acme.judgement(of: [.stored(validation)], [row])
        #expect(
            judgement.receipts == [ReceiptSighting(user: "u", receipt: "r1", bundle: "acme")])
        let free = Judge(catalog: Catalog(), settings: JudgingSettings(asOf: .asOf))
        #expect(free.judgement(of: [.stored(validation)], [row]).receipts.isEmpty)
    }

    @Test(
        "A row that is not granted, of another source or product, or in flux does not rely on it",
        arguments: [
            StoredEntitlement.row("e1", "full", isActive: false, source: .legacyPaid),
            .row("e1", "full", source: .appStore), .row("e1", "unlock", source: .legacyPaid),
            .row("e1", "full", source: .legacyPaid, updated: 0.1),
        ])
    func notGranted(row: StoredEntitlement) {
        #expect(sightings([.showing(version: "4.0")], rows: [row]).map(\.grant) == [nil])
    }

    @Test("A shared receipt becomes one finding a row, with the receipt and the row")
    func finding() {
        let sighting = ReceiptSighting(
            user: "ann", receipt: "r1", bundle: "acme", digest: [0xAB, 0x01])
        let grant = ReceiptSighting.Grant(
            entitlement: "e1", product: "full", expiresAt: nil)
        let finding = SharedReceipt(sighting, grant: grant, users: 2, otherUser: "bob").finding
        #expect(finding.kind == .sharedReceipt && finding.direction == .leak)
        #expect(finding.user == "ann" && finding.entitlement == "e1")
        #expect(finding.receipt == "r1" && finding.bundle == "acme")
        #expect(finding.reference == "ab01" && finding.productStored == "full")
        #expect(finding.environment == .production && finding.storedActive == true)
        #expect(finding.explanation.contains("is stored for 2 users, the other being bob"))
    }
}
