/// By whose answers rows are judged (`--source`).
package enum SourceChoice: String, CaseIterable, Sendable {
    case verifyReceipt = "verify-receipt"
    case serverAPI = "server-api"
    case both

    /// Whether verifyReceipt is asked about an app's receipts: unless all are asked about by their
    /// customers. It still gets those without a transaction id, for which it needs no secret.
    package func asksVerifyReceipt(of bundle: BundleID, _ apps: APIApps) -> Bool {
        self != .serverAPI || !apps.contains(bundle)
    }
}
