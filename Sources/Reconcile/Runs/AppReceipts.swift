/// The receipts of an app that are stopped together when Apple rejects the app's shared secret.
package struct AppReceipts: Hashable, Sendable {
    let bundle: BundleID
    /// Whether Apple wrote these receipts, as they are. Others may be forged.
    let areApples: Bool
}
