extension SharedPurchase {
    init(_ row: borrowing PostgresRow) throws {
        self.init(
            user: UserID(try row.text("user_id")),
            originalID: TransactionID(try row.text("original_transaction_id")),
            grant: PurchaseSighting.Grant(
                entitlement: EntitlementID(try row.text("entitlement_id")),
                receipt: ReceiptID(try row.text("receipt_id")),
                product: ProductID(try row.text("product_id")),
                transaction: TransactionID(try row.text("transaction_id")),
                ownership: try row.optionalWord("ownership"), state: try row.word("apple_state"),
                endsAt: try row.optionalInstant("apple_expires_at"),
                reason: try row.optionalText("reason"),
                bundle: try row.optionalID("bundle_id")),
            users: try row.int("users"), otherUser: UserID(try row.text("other_user")),
            evidenceSHA256: try row.optionalText("evidence_sha256"))
    }
}

extension SharedReceipt {
    init(_ row: borrowing PostgresRow) throws {
        let sighting = ReceiptSighting(
            user: UserID(try row.text("user_id")), receipt: ReceiptID(try row.text("receipt_id")),
            bundle: BundleID(try row.text("bundle_id")), digest: try row.bytea("receipt_sha256"))
        self.init(
            sighting,
            grant: ReceiptSighting.Grant(
                entitlement: EntitlementID(try row.text("entitlement_id")),
                product: ProductID(try row.text("product_id")),
                expiresAt: try row.optionalInstant("stored_expires_at")),
            users: try row.int("users"), otherUser: UserID(try row.text("other_user")))
    }
}

extension UnknownProduct {
    init(_ row: borrowing PostgresRow) throws {
        self.init(
            product: ProductID(try row.text("product_id")), users: try row.int("users"),
            rows: try row.int("entitlements"))
    }
}

extension CopyBuffer {
    init(undecided: [UndecidedUser], of run: RunID) {
        self.init()
        for user in undecided {
            append(run.text)
            append(user.user.text)
            append(user.lacksEvidence)
            append(user.mayBeGranted)
            endRow()
        }
    }

    init(unknownProducts: [UnknownProduct], of run: RunID) {
        self.init()
        for product in unknownProducts {
            append(run.text)
            append(product.product.text)
            append(product.users)
            append(product.rows)
            endRow()
        }
    }
}

extension BinaryCopyBuffer {
    mutating func append(_ sighting: PurchaseSighting, of runNumber: Int) {
        beginRow(columns: 13)
        append(bigint: runNumber)
        append(sighting.user.text)
        append(sighting.originalID.text)
        append(sighting.grant?.entitlement.text)
        append(sighting.grant?.receipt.text)
        append(sighting.grant?.product.text)
        append(sighting.grant?.transaction.text)
        append(sighting.grant?.bundle?.text)
        append(bytes: sighting.grant?.evidenceDigest)
        append(sighting.grant?.ownership?.rawValue)
        append(sighting.grant?.state.rawValue)
        append(timestamp: sighting.grant?.endsAt?.milliseconds)
        append(sighting.grant?.reason)
    }

    mutating func append(_ sighting: ReceiptSighting, of run: RunID) {
        beginRow(columns: 8)
        append(run.text)
        append(sighting.user.text)
        append(bytes: sighting.digest)
        append(sighting.receipt.text)
        append(sighting.bundle.text)
        append(sighting.grant?.entitlement.text)
        append(sighting.grant?.product.text)
        append(timestamp: sighting.grant?.expiresAt?.milliseconds)
    }
}
