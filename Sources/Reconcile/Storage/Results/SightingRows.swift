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
        append(sighting.user)
        append(sighting.originalID)
        append(sighting.grant?.entitlement)
        append(sighting.grant?.receipt)
        append(sighting.grant?.product)
        append(sighting.grant?.transaction)
        append(sighting.grant?.bundle)
        append(bytes: sighting.grant?.evidenceDigest)
        append(sighting.grant?.ownership?.rawValue)
        append(sighting.grant?.state.rawValue)
        append(timestamp: sighting.grant?.endsAt?.milliseconds)
        append(sighting.grant?.reason)
    }

    mutating func append(_ sighting: ReceiptSighting, of run: RunID) {
        beginRow(columns: 8)
        append(run.text)
        append(sighting.user)
        append(bytes: sighting.digest)
        append(sighting.receipt)
        append(sighting.bundle)
        append(sighting.grant?.entitlement)
        append(sighting.grant?.product)
        append(timestamp: sighting.grant?.expiresAt?.milliseconds)
    }
}
