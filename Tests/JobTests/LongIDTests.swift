import Testing

@testable import TestSupport

/// PostgreSQL's indexes hold texts of up to 2,700 bytes; a stranger, or Apple, may choose longer
/// ids.
@Suite("Ids of 5,000 characters", .timeLimit(.minutes(10)))
struct LongIDTests {
    @Test("A run over them is like any other, and so is all that reads its results")
    func everywhere() async throws {
        let expired = Customer(1)
        let refunded = Customer(2)
        try await scene(of: expired, refunded) { scene in
            try await scene.steps(
                """
                run --evidence=all | 0
                job verify reports/latest | 0
                """)
            let reports = try await scene.latestReports()
            #expect(reports.receipts == .init(inScope: 2, verified: 2))
            let ended = try reports.column("original_transaction_id", of: "expirations")
            #expect(ended == [expired.original])
            let granted = try reports.column("entitlement_id", of: "expirations")
            #expect(granted == [expired.entitlement])
            let cancelled = try reports.column("transaction_id", of: "refunds")
            #expect(Set(cancelled) == [refunded.transaction])
            for customer in [expired, refunded] {
                try await scene.steps(
                    """
                    job explain --user=\(customer.user) > by-user | 0
                    job explain --transaction=\(customer.transaction)| cmp - by-user | 0
                    job explain --receipt=\(customer.receipt)| cmp - by-user | 0
                    job evidence --receipt=\(customer.receipt) | 0 | > \(customer.transaction)
                    job explain --transaction=\(customer.transaction)x | 66 | The nearest
                    job explain --user=\(customer.user)x | 66 | No run has judged
                    """)
            }
            try await scene.steps(
                """
                job explain --finding=$FINDING | 0
                run --as-of=2026-11-21T02:00:00Z | 0
                job diff $RUN1 $RUN2 | 0
                run --replay=$RUN1 | 0
                run --user=\(expired.user) | 0
                job report $RUN2 --reports=again | 0
                job prune --user=\(expired.user) --by=a | 0
                job prune --before=2030-01-01T00:00:00Z | 0
                """)
        }
    }

    /// The customers' rows grant a product; Apple says that it expired, or was refunded.
    private func scene(
        of expired: Customer, _ refunded: Customer, _ body: (Session) async throws -> Void
    ) async throws {
        let acts: [String: LoopbackServer.Act] = [
            expired.receipt: .reply(expired.answer(to: -30)),
            refunded.receipt: .reply(refunded.answer(to: 20, cancelled: -5)),
        ]
        try await Session.empty(acts: acts) { scene in
            // Such a team cannot index its ids either.
            try await scene.test.execute(
                "drop index team.receipts_who_idx; drop index team.entitlements_who_idx")
            for customer in [expired, refunded] {
                let kinds = ["auto_renewable", nil, nil, nil, nil, nil, nil]
                try await scene.test.insert([[customer.product] + kinds], into: "products")
                try await scene.test.insert([customer.storedReceipt], into: "receipts")
                try await scene.test.insert([customer.storedEntitlement], into: "entitlements")
            }
            try await body(scene)
        }
    }
}

/// A customer whose ids are all long.
private struct Customer: Sendable {
    let user: String
    let receipt: String
    let bundle: String
    let entitlement: String
    let product: String
    let original: String
    let transaction: String
    let lineItem: String

    init(_ number: UInt64) {
        var generator = SeededGenerator(number)
        // Random letters, which PostgreSQL cannot compress enough to index them.
        func id() -> String {
            let letters = (0..<5_000).map { _ in
                UInt8(ascii: "a") + UInt8(generator.number(below: 26))
            }
            return String(decoding: letters, as: UTF8.self)
        }
        user = id()
        receipt = id()
        bundle = id()
        entitlement = id()
        product = id()
        original = id()
        transaction = id()
        lineItem = id()
    }

    var storedReceipt: [String?] {
        [receipt, user, bundle, TestDatabase.receipt(receipt), "2026-11-01T00:00:00Z"]
    }

    var storedEntitlement: [String?] {
        [
            entitlement, user, product, original, "true", "2026-12-10T02:00:00Z", nil, nil,
            "app_store", "2026-10-01T00:00:00Z",
        ]
    }

    func answer(to expiry: Double, cancelled: Double? = nil) -> String {
        let period = AppleAnswer.period(
            transaction, of: product, from: -60, to: expiry, cancelled: cancelled)
        let whole = period.replacing(
            #""original_transaction_id":"\#(transaction)""#,
            with: #""original_transaction_id":"\#(original)","#
                + #""web_order_line_item_id":"\#(lineItem)""#)
        return AppleAnswer.verified(bundle: bundle, [whole])
    }
}
