internal import SQL

/// Stored validations and download keys of the receipt validation service, in schema `app`.
package struct ValidationStore: Sendable {
    let session: DatabaseSession

    /// How long a result that unlocks nothing is valid.
    private static let emptyTTL = Duration.seconds(60)

    /// Throws `notMigrated` when the service's tables, or columns of them, are missing.
    package func check() async throws(DatabaseError) {
        _ = try await receipt(with: SignedContent(digest: .sha256([]), isVariant: false))
        _ = try await asset(receipt: [], product: "", productKey: "")
    }

    /// The number of the newest published run over everything; 0 before the first.
    func newestRun() async throws(DatabaseError) -> Int64 {
        let rows = try await session.query(SQL.newestHistory) { row in
            try row.int64("run_no")
        }
        return rows.first ?? 0
    }

    /// The stored validation of a receipt; nil when Apple has never verified it.
    /// - Parameter user: nil: the digest is the user.
    func find(
        _ digest: Digest, for user: UserID?, at now: Instant
    ) async throws(DatabaseError) -> StoredValidation? {
        let user = user?.text ?? digest.hexadecimal
        let parameters = [PostgresBytea.text(digest.bytes), now.timestamptz, user]
        let rows = try await session.query(SQL.findValidation, parameters) {
            row in try ValidationRow(row)
        }
        guard let first = rows.first else { return nil }
        var seen: Set<String> = []
        let assets = rows.compactMap(\.asset).filter { seen.insert($0.id).inserted }
        return StoredValidation(
            receipt: first.receipt, environment: first.environment,
            validatedAt: first.validatedAt, isCurrent: first.isCurrent, hasUser: first.hasUser,
            assets: assets)
    }

    /// The stored receipt that stands for all with this content; nil without one. A receipt that
    /// Apple wrote stands for its variants, but no variant for it: its maker may have found bytes
    /// that Apple reads differently from us.
    func receipt(with content: SignedContent) async throws(DatabaseError) -> Digest? {
        try await session.query(SQL.findReceiptOfContent, Self.search(content)) { row in
            Digest(try row.bytea("receipt_sha256"))
        }.first.flatMap(\.self)
    }

    private static func search(_ content: SignedContent) -> [String?] {
        [PostgresBytea.text(content.digest.bytes), content.isVariant ? "true" : "false"]
    }

    /// The bytes of a stored receipt; nil when it no longer exists.
    func data(of receipt: Digest) async throws(DatabaseError) -> ReceiptData? {
        try await session.query(SQL.readValidatedReceipt, [receipt.hexadecimal]) { row in
            ReceiptData(text: try row.bytes("receipt_data"))
        }.first
    }

    /// Stores a validation in one transaction. Retried after a conflict.
    /// - Returns: the receipt under which a validation is now stored: another one, which was left
    ///   as it was, if it stands for the content.
    func store(_ new: NewValidation) async throws(DatabaseError) -> Digest {
        let receipt = new.digest.hexadecimal
        let products = UnlockedProducts.Product.given
        let unlocked =
            [receipt, String(new.runNumber)] + products.arrays(of: new.unlocked.products)
        let now = new.validatedAt.timestamptz
        let soon = (new.validatedAt + Self.emptyTTL).timestamptz
        return try await session.retrying {
            try await session.pool.transaction { connection in
                if let other = try await Self.other(than: new, connection) { return other }
                try await connection.execute(
                    NewValidation.table.statement, NewValidation.table.parameters(of: new))
                try await connection.execute(
                    PostgresStatement(SQL.revokeUnlockedProducts), [receipt])
                try await connection.execute(products.statement, unlocked)
                try await connection.execute(
                    PostgresStatement(SQL.dropDeadProducts), [receipt, now])
                try await connection.execute(
                    PostgresStatement(SQL.limitEmptyValidation), [receipt, soon])
                return new.digest
            }
        }
    }

    /// The receipt that stands for the content of `new`, if it is another one. Holds up others with
    /// the same content until the transaction ends.
    private static func other(
        than new: NewValidation, _ connection: PostgresConnection
    ) async throws -> Digest? {
        guard let content = new.content else { return nil }
        try await connection.execute(
            PostgresStatement(SQL.lockContent), [content.digest.hexadecimal])
        let found = try await connection.query(
            PostgresStatement(SQL.findReceiptOfContent), search(content)
        ) { row in Digest(try row.bytea("receipt_sha256")) }
        return found.first.flatMap(\.self).flatMap { $0 == new.digest ? nil : $0 }
    }

    enum Sharing: Sendable {
        case known
        /// The receipt was added for a further user.
        case added
        /// The receipt has the maximum number of users.
        case full
    }

    func add(
        _ user: UserID, to receipt: ReceiptID, at now: Instant
    ) async throws(DatabaseError) -> Sharing {
        let parameters = [receipt.text, user.text, now.timestamptz]
        let rows = try await session.retrying {
            try await session.pool.transaction { connection in
                // Separate, so that the next statement sees what the previous lock holder wrote.
                try await connection.execute(PostgresStatement(SQL.lockReceipt), [receipt.text])
                return try await connection.query(
                    PostgresStatement(SQL.addReceiptUser), parameters
                ) { row in
                    (isAdded: try row.bool("is_added"), isFull: try row.bool("is_full"))
                }
            }
        }
        guard let row = rows.first else { return .known }
        return row.isAdded ? .added : row.isFull ? .full : .known
    }

    /// Stores the download keys of an answer, encrypted by the key `keyID`.
    /// - Returns: false when the receipt was validated again in the meantime.
    func issue(
        _ keys: [IssuedKey], of validation: StoredValidation, sealedBy keyID: String
    ) async throws(DatabaseError) -> Bool {
        let parameters =
            [validation.receipt.text, validation.validatedAt.timestamptz, keyID]
            + IssuedKey.given.arrays(of: keys)
        let rows = try await session.query(IssuedKey.given.statement, parameters) { row in
            try row.int("issued")
        }
        return rows.first == keys.count
    }

    /// The asset that a download key opens; nil when the receipt or the asset no longer exists.
    func asset(
        receipt: [UInt8], product: ProductID, productKey: String
    ) async throws(DatabaseError) -> (remoteProduct: String, isRevoked: Bool)? {
        let parameters = [PostgresBytea.text(receipt), product.text, productKey]
        return try await session.query(SQL.findDownloadKey, parameters) { row in
            (try row.text("remote_product_id"), try row.bool("is_revoked"))
        }.first
    }
}

private struct ValidationRow: Sendable {
    let receipt: ReceiptID
    let environment: StoreEnvironment
    let validatedAt: Instant
    let isCurrent: Bool
    let hasUser: Bool
    let asset: StoredValidation.Asset?

    init(_ row: borrowing PostgresRow) throws {
        receipt = ReceiptID(try row.text("receipt_id"))
        environment = try row.word("environment")
        validatedAt = try row.instant("validated_at")
        isCurrent = try row.bool("is_current")
        hasUser = try row.bool("has_user")
        guard let id = try row.optionalText("asset_id"),
            let productKey = try row.optionalText("product_key")
        else {
            asset = nil
            return
        }
        asset = StoredValidation.Asset(
            id: id, remoteProduct: try row.text("remote_product_id"),
            product: try row.id("product_id"), productKey: productKey,
            endsAt: try row.optionalInstant("right_ends_at"))
    }
}
