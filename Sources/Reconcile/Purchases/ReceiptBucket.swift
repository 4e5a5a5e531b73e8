/// What became of a stored receipt in a run.
package enum ReceiptBucket: Int, CaseIterable, Sendable {
    case verified, rejected, unusable, unverified

    var name: String {
        switch self {
        case .verified: "verified"
        case .rejected: "rejected"
        case .unusable: "unusable"
        case .unverified: "unverified"
        }
    }
}
