/// By whose answers rows are judged (`--source`).
package enum SourceChoice: String, CaseIterable, Sendable {
    case verifyReceipt = "verify-receipt"
    case serverAPI = "server-api"
    case both
}
