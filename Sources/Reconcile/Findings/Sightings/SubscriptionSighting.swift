/// That a user's right-giving answers show a subscription. Whether other users' do too is known
/// only when everybody has been judged, so it is kept with the batch and compared at the end.
package struct SubscriptionSighting: Hashable, Sendable {
    package var user: UserID
    package var chain: TransactionID
    /// Nil unless a granted row of the user has the chain for its best grantor.
    package var grant: Grant?

    package init(user: UserID, chain: TransactionID, grant: Grant? = nil) {
        (self.user, self.chain, self.grant) = (user, chain, grant)
    }

    /// The row that is granted by it, and what Apple shows of it.
    package struct Grant: Hashable, Sendable {
        /// Of several rows the one with the smallest id.
        package var entitlement: EntitlementID
        /// The receipt whose answer carried `transaction`.
        package var receipt: ReceiptID
        package var product: ProductID
        package var transaction: TransactionID
        package var ownership: Ownership?
        package var state: AppleState
        package var endsAt: Instant?
        package var reason: String?
        /// Of the answer.
        package var bundle: BundleID?
        /// SHA-256 of the answer's body as received, 32 bytes.
        package var evidenceDigest: [UInt8]?

        package init(
            entitlement: EntitlementID, receipt: ReceiptID, product: ProductID,
            transaction: TransactionID, ownership: Ownership?, state: AppleState,
            endsAt: Instant?, reason: String?, bundle: BundleID? = nil
        ) {
            self.entitlement = entitlement
            self.receipt = receipt
            self.product = product
            self.transaction = transaction
            self.ownership = ownership
            self.state = state
            self.endsAt = endsAt
            self.reason = reason
            self.bundle = bundle
        }
    }
}

/// A subscription that several users' receipts show, for one of them who is granted it.
package struct SharedSubscription: Hashable, Sendable {
    package var user: UserID
    package var chain: TransactionID
    package var grant: SubscriptionSighting.Grant
    /// How many users' right-giving answers show it, this one's among them.
    package var users: Int
    /// One of the others.
    package var otherUser: UserID
    /// SHA-256 of the answer's body as received, in hexadecimal.
    package var evidenceSHA256: String?

    package init(
        user: UserID, chain: TransactionID, grant: SubscriptionSighting.Grant, users: Int,
        otherUser: UserID, evidenceSHA256: String? = nil
    ) {
        self.user = user
        self.chain = chain
        self.grant = grant
        self.users = users
        self.otherUser = otherUser
        self.evidenceSHA256 = evidenceSHA256
    }

    /// `shared_original_transaction`: one a user and chain, whatever rows it grants.
    package var finding: Finding {
        let kind = FindingKind.sharedOriginalTransaction
        var finding = Finding(
            kind: kind, severity: kind.severity ?? .high, direction: kind.direction ?? .leak,
            user: user, explanation: explanation, reference: chain.text)
        finding.receipt = grant.receipt
        finding.productApple = grant.product
        finding.originalTransaction = chain
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
        let end = grant.endsAt.map { " (\(grant.state.rawValue), end \($0))" } ?? ""
        return "The subscription \(grant.product) with the original transaction \(chain)\(end),"
            + " by which entitlement \(grant.entitlement) of this user is granted, stands in the"
            + " receipts of \(users) users, one of the others being \(otherUser):"
            + " it was paid for once, and receipts cannot tell who paid."
    }
}
