/// How often the state of a subscription, judged by the rules, is the one that Apple gives it.
struct StatusAgreement: Hashable, Sendable {
    var agree = 0
    /// The subscriptions of which the two differ.
    var differing: [Difference] = []

    struct Difference: Hashable, Sendable {
        let chain: TransactionID
        let state: Grantor.State
        /// Apple's, `1` to `5`, or one that it added since.
        let status: Int
    }
}

extension UserCase {
    /// For each subscription of a right-giving answer of the App Store Server API.
    var statusAgreement: StatusAgreement {
        var agreement = StatusAgreement()
        let answers = verified.filter { $0.proof == .serverAPI && $0.isRightGiving }
        for renewal in answers.flatMap(\.receipt.renewals) {
            guard let status = renewal.appleStatus,
                let grantor = grantors.first(where: { $0.chain == renewal.originalID })
            else { continue }
            if grantor.state.appleStatus == status {
                agreement.agree += 1
            } else {
                agreement.differing.append(
                    .init(chain: renewal.originalID, state: grantor.state, status: status))
            }
        }
        return agreement
    }
}

extension Grantor.State {
    /// Source: <https://developer.apple.com/documentation/appstoreserverapi/status>.
    fileprivate var appleStatus: Int {
        switch self {
        case .active: 1
        case .expired: 2
        case .billingRetry: 3
        case .grace: 4
        case .revoked, .familyRevoked: 5
        }
    }
}
