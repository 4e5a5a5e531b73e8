extension FindingKind {
    static let familyRevocationRecorded = FindingKind(
        "family_revocation_recorded", .info, .none, in: .refunds, action: .none,
        event: .familyRevocation)
}

extension FactRule {
    static let familyRevocationRecorded = FactRule(.familyRevocationRecorded) { user in
        user.newCancellations.filter(\.purchase.isOfFamily).map { cancelled in
            Finding(
                .familyRevocationRecorded, of: cancelled, of: user,
                explanation: "Apple withdrew the family sharing of \(cancelled.purchase.named) at"
                    + " \(cancelled.at).")
        }
    }
}
