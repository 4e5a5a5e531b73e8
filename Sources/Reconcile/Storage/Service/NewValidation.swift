internal import SQL

struct NewValidation: Sendable {
    var digest: Digest
    var content: SignedContent?
    /// Nil: its digest is the user.
    var user: UserID?
    var bundle: BundleID
    var data: ReceiptData
    var environment: StoreEnvironment
    var validatedAt: Instant
    var validUntil: Instant
    /// The number of the newest published run when Apple was asked.
    var runNumber: Int64
    var unlocked: UnlockedProducts
}

extension NewValidation {
    /// Its row in `app.receipts`.
    static let table = InsertTable<NewValidation>(
        SQL.storeValidatedReceipt,
        [
            TextColumn("receipt_id") { $0.digest.hexadecimal },
            TextColumn("receipt_sha256") { PostgresBytea.text($0.digest.bytes) },
            TextColumn("user_id") { $0.user?.text ?? $0.digest.hexadecimal },
            TextColumn("bundle_id") { $0.bundle.text },
            TextColumn("receipt_data") { String(decoding: $0.data.text, as: UTF8.self) },
            TextColumn("stored_at") { $0.validatedAt.timestamptz },
            TextColumn("environment") { $0.environment.rawValue },
            TextColumn("validated_at") { $0.validatedAt.timestamptz },
            TextColumn("valid_until") { $0.validUntil.timestamptz },
            TextColumn("validated_run_no") { String($0.runNumber) },
            TextColumn("refund_references") { PostgresArray.text($0.unlocked.refundReferences) },
            TextColumn("content_sha256") { row in
                row.content.map { PostgresBytea.text($0.digest.bytes) }
            },
            TextColumn("is_variant") { row in row.content.map { $0.isVariant ? "t" : "f" } },
        ])
}

extension UnlockedProducts.Product {
    /// Of rows in `app.receipt_products`, which a product has for each of its assets.
    static let given = GivenRows<Self>(
        SQL.storeUnlockedProducts,
        [
            .id("product_id") { $0.id },
            .timestamp("right_ends_at") { $0.endsAt },
            .texts("refund_references") { $0.refundReferences },
        ])
}

/// What Apple signed in a receipt. Anybody can put it into other bytes: one receipt stands for all
/// with the same content.
struct SignedContent: Sendable {
    let digest: Digest
    /// Whether there is more in the receipt, or the same content came in other bytes before.
    let isVariant: Bool
}

struct IssuedKey: Sendable {
    let asset: StoredValidation.Asset
    let key: String
    let expiresAt: Instant

    static let given = GivenRows<IssuedKey>(
        SQL.issueDownloadKeys,
        [
            .id("product_id") { $0.asset.product },
            .text("asset_id") { $0.asset.id },
            .text("download_key") { $0.key },
            .timestamp("expires_at") { $0.expiresAt },
        ])
}
