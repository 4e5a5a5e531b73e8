extension SharedPurchase {
    init(_ row: borrowing PostgresRow) throws {
        self.init(
            user: try row.id("user_id"),
            originalID: try row.id("original_transaction_id"),
            grant: PurchaseSighting.Grant(
                entitlement: try row.id("entitlement_id"),
                receipt: try row.id("receipt_id"),
                product: try row.id("product_id"),
                transaction: try row.id("transaction_id"),
                ownership: try row.optionalWord("ownership"), state: try row.word("apple_state"),
                endsAt: try row.optionalInstant("apple_expires_at"),
                reason: try row.optionalText("reason"),
                bundle: try row.optionalID("bundle_id")),
            users: try row.int("users"), otherUser: try row.id("other_user"),
            evidenceSHA256: try row.optionalText("evidence_sha256"))
    }
}

extension SharedReceipt {
    init(_ row: borrowing PostgresRow) throws {
        let sighting = ReceiptSighting(
            user: try row.id("user_id"), receipt: try row.id("receipt_id"),
            bundle: try row.id("bundle_id"), digest: try row.bytea("receipt_sha256"))
        self.init(
            sighting,
            grant: ReceiptSighting.Grant(
                entitlement: try row.id("entitlement_id"),
                product: try row.id("product_id"),
                expiresAt: try row.optionalInstant("stored_expires_at")),
            users: try row.int("users"), otherUser: try row.id("other_user"))
    }
}

extension UnknownProduct {
    init(_ row: borrowing PostgresRow) throws {
        self.init(
            product: try row.id("product_id"), users: try row.int("users"),
            rows: try row.int("entitlements"))
    }
}

extension ResultTables {
    static let sightedPurchases = CopyTable<PurchaseSighting>(
        "sighted_purchase", of: .number,
        [
            .id("user_id") { $0.user },
            .id("original_transaction_id") { $0.originalID },
            .id("entitlement_id") { $0.grant?.entitlement },
            .id("receipt_id") { $0.grant?.receipt },
            .id("product_id") { $0.grant?.product },
            .id("transaction_id") { $0.grant?.transaction },
            .id("bundle_id") { $0.grant?.bundle },
            .bytea("evidence_sha256") { $0.grant?.evidenceDigest },
            .word("ownership") { $0.grant?.ownership },
            .word("apple_state") { $0.grant?.state },
            .timestamp("apple_expires_at") { $0.grant?.endsAt },
            .text("reason") { $0.grant?.reason },
        ])

    static let sightedReceipts = CopyTable<ReceiptSighting>(
        "sighted_receipt",
        [
            .id("user_id") { $0.user },
            .bytea("receipt_sha256") { $0.digest },
            .id("receipt_id") { $0.receipt },
            .id("bundle_id") { $0.bundle },
            .id("entitlement_id") { $0.grant?.entitlement },
            .id("product_id") { $0.grant?.product },
            .timestamp("stored_expires_at") { $0.grant?.expiresAt },
        ])

    static let sightedProducts = CopyTable<UnknownProduct>(
        "sighted_product",
        [
            .id("product_id") { $0.product },
            .int("users") { $0.users },
            .int("entitlements") { $0.rows },
        ])

    static let undecidedUsers = CopyTable<UndecidedUser>(
        "undecided_user",
        [
            .id("user_id") { $0.user },
            .boolean("lacks_evidence") { $0.lacksEvidence },
            .boolean("may_be_granted") { $0.mayBeGranted },
        ])
}
