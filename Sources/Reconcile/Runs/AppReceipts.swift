/// The questions about an app that are stopped together when Apple rejects the app's shared secret
/// or key.
package struct AppReceipts: Hashable, Sendable {
    /// Raw values are words in SQL and the log.
    enum Kind: String, Hashable, Sendable {
        /// About receipts that Apple wrote, as they are.
        case writtenByApple = "written_by_apple"
        /// About other receipts, which may be forged.
        case others
        /// About customers, to the App Store Server API.
        case customers
    }

    let bundle: BundleID
    let kind: Kind
}
