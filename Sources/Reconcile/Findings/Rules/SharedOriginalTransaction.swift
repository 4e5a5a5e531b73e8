extension FindingKind {
    /// One purchase stands in the receipts of several users, and grants something to each.
    static let sharedOriginalTransaction = FindingKind(
        "shared_original_transaction", .high, .leak, in: .mismatches, action: .investigate,
        remedy: "the purchase gives a right to one of the users only, or an operator accepts it")
}

/// A purchase that several users' receipts show, for one of them who is granted it.
package struct SharedPurchase: Hashable, Sendable {
    package var sighting: PurchaseSighting
    package var grant: PurchaseSighting.Grant
    /// How many users' right-giving answers show it, this one's among them.
    package var users: Int
    /// One of the others.
    package var otherUser: UserID
    /// SHA-256 of the answer's body as received, in hexadecimal.
    package var evidenceSHA256: String?

    package init(
        user: UserID, originalID: TransactionID, grant: PurchaseSighting.Grant, users: Int,
        otherUser: UserID, evidenceSHA256: String? = nil
    ) {
        sighting = PurchaseSighting(user: user, originalID: originalID, grant: grant)
        self.grant = grant
        self.users = users
        self.otherUser = otherUser
        self.evidenceSHA256 = evidenceSHA256
    }

    /// `shared_original_transaction`: one a user and purchase, whatever rows it grants.
    package var finding: Finding {
        let kind = FindingKind.sharedOriginalTransaction
        var finding = Finding(
            kind: kind, weight: kind.weight, user: sighting.user, explanation: explanation,
            reference: sighting.originalID.text)
        finding.receipt = grant.receipt
        finding.productApple = grant.product
        finding.originalTransaction = sighting.originalID
        finding.transaction = grant.transaction
        // Only such answers give rights.
        finding.environment = .production
        finding.bundle = grant.bundle
        finding.ownership = grant.ownership
        finding.appleState = grant.state
        finding.appleExpiresAt = grant.endsAt
        finding.reason = grant.reason
        finding.evidenceSHA256 = evidenceSHA256
        return finding
    }

    private var explanation: String {
        let end = grant.endsAt.map { ", end \($0)" } ?? ""
        let state = grant.state.rawValue.replacing("_", with: " ")
        let other = users == 2 ? "the other" : "one of the others"
        return "The purchase of \(grant.product) with the original transaction"
            + " \(sighting.originalID) (\(state)\(end)), by which entitlement"
            + " \(grant.entitlement) of this user is granted, stands in the receipts of \(users)"
            + " users, \(other) being \(otherUser): it was paid for once, and receipts cannot"
            + " tell who paid."
    }
}
