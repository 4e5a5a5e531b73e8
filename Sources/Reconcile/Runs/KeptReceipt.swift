/// The newest receipt that Apple signed in its answers for one user, app and
/// environment.
/// `--keep-receipts` keeps it for runs with `--offline`.
package struct KeptReceipt: Equatable, Sendable {
    var user: UserID
    var bundle: BundleID
    var environment: StoreEnvironment
    /// The stored receipt that was sent to Apple.
    var receipt: ReceiptID
    /// When Apple signed it.
    var madeAt: Instant
    /// PKCS#7 in DER.
    var bytes: [UInt8]
}
