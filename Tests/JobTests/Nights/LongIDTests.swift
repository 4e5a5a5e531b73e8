import Testing

@testable import TestSupport

/// PostgreSQL's indexes hold texts of up to 2,700 bytes; a stranger, or Apple, may choose longer
/// ids. To add a case: a command of `everywhere`.
@Suite("Ids of 5,000 characters", .hangLimit)
struct LongIDTests {
    @Test("A run over them is like any other, and so is all that reads its results")
    func everywhere() async throws {
        let expired = Customer(1)
        let refunded = Customer(2)
        try await with(expired, refunded) { session in
            try await session.run("--evidence=all").exits()
            try await session.job("verify", "reports/latest").exits()
            let reports = try await session.latestReports()
            #expect(reports.receipts == .init(inScope: 2, verified: 2))
            let ended = try reports.column("original_transaction_id", of: "expirations")
            #expect(ended == [expired.original])
            let granted = try reports.column("entitlement_id", of: "expirations")
            #expect(granted == [expired.entitlement])
            let cancelled = try reports.column("transaction_id", of: "refunds")
            #expect(Set(cancelled) == [refunded.transaction])
            for customer in [expired, refunded] { try await explain(customer, in: session) }
            let first = session.latestRun()
            let finding = try await session.finding()
            try await session.job("explain", "--finding=\(finding)").exits()
            try await session.run("--as-of=2026-11-21T02:00:00Z").exits()
            let second = session.latestRun()
            try await session.job("diff", first, second).exits()
            try await session.run("--replay=\(first)").exits()
            try await session.run("--user=\(expired.user)").exits()
            try await session.job("report", second, "--reports=again").exits()
            try await session.job("prune", "--user=\(expired.user)", "--by=a").exits()
            try await session.job("prune", "--before=2030-01-01T00:00:00Z").exits()
        }
    }

    private func explain(_ customer: Customer, in session: Session) async throws {
        let byUser = try await session.job("explain", "--user=\(customer.user)").exits()
        for id in ["--transaction=\(customer.transaction)", "--receipt=\(customer.receipt)"] {
            let job = try await session.job("explain", id).exits()
            #expect(job.output == byUser.output, "\(id.prefix(12))")
        }
        try await session.job("evidence", "--receipt=\(customer.receipt)").exits()
            .prints(customer.transaction)
        try await session.job("explain", "--transaction=\(customer.transaction)x").exits(66)
            .says("The nearest")
        try await session.job("explain", "--user=\(customer.user)x").exits(66)
            .says("No run has judged")
    }

    /// The customers' rows grant a product; Apple says that it expired, or was refunded.
    private func with(
        _ expired: Customer, _ refunded: Customer, _ body: (Session) async throws -> Void
    ) async throws {
        let acts: [String: LoopbackServer.Act] = [
            expired.receipt: .reply(expired.answer(to: -30)),
            refunded.receipt: .reply(refunded.answer(to: 20, cancelled: -5)),
        ]
        try await Session.empty(acts: acts) { session in
            // Such a team cannot index its ids either.
            try await session.test.execute(
                "drop index team.receipts_who_idx; drop index team.entitlements_who_idx")
            for customer in [expired, refunded] {
                try await session.test.sell(customer.product)
                try await session.test.insert([customer.storedReceipt], into: "receipts")
                try await session.test.insert([customer.storedEntitlement], into: "entitlements")
            }
            try await body(session)
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

    var storedReceipt: [String: String?] {
        [
            "id": receipt, "who": user, "bundle": bundle, "data": TestDatabase.receipt(receipt),
            "at": "2026-11-01T00:00:00Z",
        ]
    }

    var storedEntitlement: [String: String?] {
        [
            "id": entitlement, "who": user, "product": product, "chain": original,
            "active": "true", "expires": "2026-12-10T02:00:00Z", "source": "app_store",
            "at": "2026-10-01T00:00:00Z",
        ]
    }

    /// - Parameters: in days from `AppleAnswer.asOf`.
    func answer(to expiry: Double, cancelled: Double? = nil) -> String {
        func milliseconds(_ days: Double) -> Int64 { 1_795_140_000_000 + Int64(days * 86_400_000) }
        let cancellation = cancelled.map { #","cancellation_date_ms":"\#(milliseconds($0))""# }
        let period = """
            {"transaction_id":"\(transaction)","original_transaction_id":"\(original)",\
            "web_order_line_item_id":"\(lineItem)","product_id":"\(product)",\
            "purchase_date_ms":"\(milliseconds(-60))",\
            "expires_date_ms":"\(milliseconds(expiry))"\(cancellation ?? "")}
            """
        return AppleAnswer.verified(bundle: bundle, [period])
    }
}
