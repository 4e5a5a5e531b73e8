/// The newest receipt that Apple signed in its answers for one user and app. `--keep-receipts`
/// keeps it for runs during which Apple does not answer.
package struct KeptReceipt: Equatable, Sendable {
    package var user: UserID
    package var bundle: BundleID
    package var environment: StoreEnvironment
    /// The stored receipt that was sent to Apple.
    package var receipt: ReceiptID
    /// When Apple signed it.
    package var madeAt: Instant
    /// PKCS#7 in DER.
    package var bytes: [UInt8]
}
