extension FindingKind {
    /// One purchase is in the receipts of several users, and is granted to each.
    static let sharedOriginalTransaction = FindingKind(
        "shared_original_transaction", .high, .leak, in: .mismatches, action: .investigate,
        remedy: "the purchase gives a right to one of the users only, or an operator accepts it")
}

struct SharedPurchase: Hashable, Sendable {
    var sighting: PurchaseSighting
    var grant: PurchaseSighting.Grant
    /// The number of users whose right-giving answers show it, including this user.
    var users: Int
    var otherUser: UserID
    /// One of the other users, where a token proves that they paid, and the token.
    var payer: UserID?
    var token: String?
    /// SHA-256 of the answer body as received, in hexadecimal.
    var evidenceSHA256: String?

    init(
        user: UserID, originalID: TransactionID, grant: PurchaseSighting.Grant, users: Int,
        otherUser: UserID, payer: UserID? = nil, token: String? = nil,
        evidenceSHA256: String? = nil
    ) {
        sighting = PurchaseSighting(user: user, originalID: originalID, grant: grant)
        self.grant = grant
        self.users = users
        self.otherUser = otherUser
        self.payer = payer
        self.token = token
        self.evidenceSHA256 = evidenceSHA256
    }

    var finding: Finding {
        let kind = FindingKind.sharedOriginalTransaction
        var finding = Finding(
            kind: kind, weight: kind.weight, user: sighting.user, explanation: explanation,
            reference: sighting.originalID.text)
        finding.receipt = grant.receipt
        finding.source = grant.source
        finding.productApple = grant.product
        finding.originalTransaction = sighting.originalID
        finding.transaction = grant.transaction
        // Only answers of production give rights.
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
        let proof =
            if let payer, let token {
                "Apple's record of the newest transaction names the account \(token) as the one"
                    + " that paid, which is user \(payer)."
            } else {
                "it was paid for once, and receipts cannot tell who paid."
            }
        return "The purchase of \(grant.product) with the original transaction"
            + " \(sighting.originalID) (\(state)\(end)), by which entitlement"
            + " \(grant.entitlement) of this user is granted, is in the receipts of \(users)"
            + " users, \(other) being \(payer ?? otherUser): \(proof)"
    }
}
