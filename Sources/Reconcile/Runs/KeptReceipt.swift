/// The newest receipt that Apple signed as it answered about a user and an app: what
/// `--keep-receipts` keeps for a night on which Apple cannot be asked.
package struct KeptReceipt: Equatable, Sendable {
    package var user: UserID
    package var bundle: BundleID
    package var environment: StoreEnvironment
    /// The stored receipt that was asked about.
    package var receipt: ReceiptID
    /// When Apple signed it.
    package var madeAt: Instant
    /// PKCS#7, in DER.
    package var bytes: [UInt8]

    package init(
        user: UserID, bundle: BundleID, environment: StoreEnvironment, receipt: ReceiptID,
        madeAt: Instant, bytes: [UInt8]
    ) {
        self.user = user
        self.bundle = bundle
        self.environment = environment
        self.receipt = receipt
        self.madeAt = madeAt
        self.bytes = bytes
    }
}
