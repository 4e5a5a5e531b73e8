extension FindingKind {
    /// One receipt of a paid app is stored for several users. Reported for each granted row.
    static let sharedReceipt = FindingKind(
        "shared_receipt", .high, .leak, in: .mismatches, action: .investigate,
        remedy: "the receipt is stored for one of the users only, or an operator accepts it")
}

struct SharedReceipt: Hashable, Sendable {
    var sighting: ReceiptSighting
    var grant: ReceiptSighting.Grant
    var users: Int
    var otherUser: UserID

    init(
        _ sighting: ReceiptSighting, grant: ReceiptSighting.Grant, users: Int, otherUser: UserID
    ) {
        self.sighting = sighting
        self.grant = grant
        self.users = users
        self.otherUser = otherUser
    }

    var finding: Finding {
        let kind = FindingKind.sharedReceipt
        var finding = Finding(
            kind: kind, weight: kind.weight, user: sighting.user, explanation: explanation,
            reference: sighting.digest.hexadecimal)
        finding.entitlement = grant.entitlement
        finding.receipt = sighting.receipt
        finding.bundle = sighting.bundle
        // Only answers of production give rights.
        finding.environment = .production
        finding.productStored = grant.product
        finding.storedActive = true
        finding.storedExpiresAt = grant.expiresAt
        return finding
    }

    private var explanation: String {
        let other = users == 2 ? "the other" : "one of the others"
        return "The receipt \(sighting.receipt), by which entitlement \(grant.entitlement) of this"
            + " user counts as paid for before the app became free, is stored for \(users) users,"
            + " \(other) being \(otherUser): it was paid for once, and receipts cannot tell who"
            + " paid."
    }
}
