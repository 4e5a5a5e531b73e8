internal import Testing

@testable import Reconcile
@testable import TestSupport

/// Data about a user that later runs, or the end of this one, need.
@Suite("Recording data that no report shows directly")
struct RecordingBesideReportsTests {
    @Test("Sightings, which are compared across users, are written with the user")
    func sightings() async throws {
        try await night { test, database, batches in
            var ann = JudgedUser.test()
            ann.purchases = [PurchaseSighting(user: "ann", originalID: "100")]
            ann.receiptSightings = [
                ReceiptSighting(user: "ann", receipt: "r1", bundle: "app", digest: [0xAB])
            ]
            ann.unknownProducts = [UnknownProduct(product: "gold", users: 1, rows: 2)]
            var bob = JudgedUser.test("bob")
            bob.unknownProducts = [UnknownProduct(product: "gold", users: 1, rows: 0)]
            bob.undecided = UndecidedUser(user: "bob", lacksEvidence: true, mayBeGranted: false)
            _ = try await database.results.record(
                [.test(batches[0], ann), .test(batches[1], bob)], of: .test())
            #expect(
                try await test.texts(
                    """
                    select concat_ws(' ', user_id, original_transaction_id, entitlement_id)
                    from reconcile.sighted_purchase union all
                    select concat_ws(' ', user_id, receipt_id, encode(receipt_sha256, 'hex'))
                    from reconcile.sighted_receipt union all
                    select concat_ws(' ', product_id, sum(users), sum(entitlements))
                    from reconcile.sighted_product group by product_id union all
                    select concat_ws(' ', user_id, lacks_evidence, may_be_granted)
                    from reconcile.undecided_user
                    """) == ["ann 100", "ann r1 ab", "gold 2 2", "bob t f"])
        }
    }

    @Test("Unreported, open and remembered findings are written with the user")
    func besideReports() async throws {
        try await night { test, database, batches in
            var ann = JudgedUser.test()
            ann.notReported = [
                NotReported(
                    entitlement: "e1", bucket: .settling, kind: .expiredStillGranted,
                    cause: .recent),
                NotReported(entitlement: nil, bucket: .notJudged, cause: .invalidRow),
            ]
            let refund = ReportedFinding.test("a", .refundRecorded) { finding in
                finding.reference = "77"
                finding.eventAt = Run.test().asOf
            }.finding
            ann.remembered = [refund]
            ann.unjudged = [String(repeating: "b", count: 32)]
            _ = try await database.results.record([.test(batches[0], ann)], of: .test())
            #expect(
                try await test.texts(
                    """
                    select concat_ws(' ', user_id, entitlement_id, bucket, kind, cause)
                    from reconcile.not_reported union all
                    select concat_ws(' ', kind, user_id, reference, event_at)
                    from reconcile.remembered_event union all
                    select left(finding_id, 4) from reconcile.unjudged_finding
                    """) == [
                        "ann e1 settling expired_still_granted recent",
                        "ann not_judged invalid_row",
                        "refund_recorded ann 77 2026-11-21 02:00:00.123+00", "bbbb",
                    ])
            let id = try await test.texts("select finding_id from reconcile.remembered_event")
            #expect(id == [refund.identity.id])
        }
    }

    private func night(
        _ body: (TestDatabase, Database, [Batch]) async throws -> Void
    ) async throws {
        try await TestDatabase.connected { test, database in
            try await test.store(receipts: [("r1", "ann"), ("r9", "bob")])
            try await body(test, database, try await database.openedBatches())
        }
    }
}
