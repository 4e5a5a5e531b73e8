import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: a receipt with one purchase, the customer whom Apple shows, and what comes of it.
@Suite("A signed receipt beside the answers about its customers", .hangLimit)
struct RowProofTests {
    struct Compared: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let row: StoredReceipt
        let customers: [APICustomer]
        /// What the answers lack.
        var unanswered: [TransactionID] = []
        var contradictions: [Contradiction] = []
    }

    private static func receipt(
        cancelled: String = "", in environment: String = "Production", app: String = "acme",
        for bundle: BundleID = "acme", with other: [UInt8]? = nil
    ) -> StoredReceipt {
        var forge = PayloadForge(createdAt: "2026-11-10T00:00:00Z")
        forge.bundle = app
        forge.environment = environment
        forge.purchases = [
            PayloadForge.purchase(
                "pro.monthly", id: "77", of: "7", at: Instant.day(-10).description,
                expires: Instant.day(20).description, cancelled: cancelled)
        ]
        forge.purchases += other.map { [$0] } ?? []
        return .row("r1", holding: Base64.encode(forge.signed()), for: bundle)
    }

    private static let shown = PayloadJSON.sale("77", of: "7", until: 20)
    private static let other = PayloadJSON.sale("70", of: "7", until: -5)

    @Test(
        "It shows what the answers lack, and what cannot be true beside them",
        arguments: [
            Compared(
                testDescription: "all is shown", row: receipt(), customers: [APICustomer(shown)]),
            Compared(
                testDescription: "a purchase is lacking", row: receipt(),
                customers: [APICustomer(other)], unanswered: ["77"]),
            Compared(
                testDescription: "it was refunded in the receipt",
                row: receipt(cancelled: "2026-11-09T00:00:00Z"), customers: [APICustomer(other)]),
            Compared(
                testDescription: "it was refunded in the receipt, and is not in the answer",
                row: receipt(cancelled: "2026-11-09T00:00:00Z"), customers: [APICustomer(shown)],
                contradictions: [
                    .cancellation(
                        of: "77", signed: Instant(rfc3339: "2026-11-09T00:00:00Z") ?? .asOf)
                ]),
            Compared(
                testDescription: "another product", row: receipt(),
                customers: [
                    APICustomer(PayloadJSON.sale("77", of: "7", "pro.yearly", until: 20))
                ],
                contradictions: [
                    .product(of: "77", signed: "pro.monthly", answered: "pro.yearly")
                ]),
            Compared(
                testDescription: "of the sandbox", row: receipt(in: "ProductionSandbox"),
                customers: [APICustomer(other)]),
            Compared(
                testDescription: "stored for another app",
                row: receipt(for: "acme.other"), customers: [APICustomer(other)]),
            Compared(
                testDescription: "two customers show all",
                row: receipt(
                    with: PayloadForge.purchase("unlock", id: "8", of: "8", at: "2026-11-01")),
                customers: [APICustomer(shown), APICustomer(.sale("8", "unlock"))]),
            Compared(
                testDescription: "of two customers one is unknown",
                row: receipt(
                    with: PayloadForge.purchase("unlock", id: "8", of: "8", at: "2026-11-01")),
                customers: [APICustomer(.sale("8", "unlock"))]),
        ])
    func compared(row: Compared) async throws {
        let answers = try await APIScene(ScriptedAPI(row.customers)).answers([row.row])
        let facts = answers.proofs[0]?.facts ?? SignedFacts()
        #expect(facts.unanswered.map(\.id) == row.unanswered)
        #expect(facts.contradictions == row.contradictions)
    }

    @Test("A row of an id, and one that Apple did not sign, show nothing")
    func unsigned() async throws {
        let scene = try APIScene(ScriptedAPI([APICustomer(Self.other)]))
        let answers = try await scene.answers([.id("r1", "7")])
        #expect(answers.proofs.isEmpty)
    }

    @Test("Where verifyReceipt answered the same receipt, its comparison stands")
    func both() async throws {
        let apple = try ScriptedApple { _ in
            [.reply(AppleLine.answer(latest: []))]
        }
        let scene = try APIScene(
            ScriptedAPI([APICustomer(Self.shown)]), apple, by: .both)
        let answers = try await scene.answers([Self.receipt()])
        let own = answers.question(aboutReceiptAt: 0).map { answers.asked[$0].report }
        #expect(own?.facts.unanswered.map(\.id) == ["77"])
    }
}
