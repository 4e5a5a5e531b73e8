extension Grandfathering.Ruling {
    var facts: String {
        let named =
            source.proof != .ownSignature
            ? "Apple's answer to receipt \(source.id)" : "the signed receipt \(source.id)"
        let version = source.receipt.originalApplicationVersion
        switch payment {
        case .undecidable:
            let shown =
                version.map { "the original version \"\($0)\", which cannot be compared with" }
                ?? "no original version to compare with"
            return "\(named) has \(shown) \(lastPaid), and \(missingDay(version))"
        case .paid, .notPaid:
            guard isByDate else {
                let relation = payment == .paid ? "not later" : "later"
                return "by \(named) the user first got \(app.bundle) at version"
                    + " \"\(version ?? "")\", \(relation) than \(lastPaid)"
            }
            let relation = payment == .paid ? "before" : "not before"
            return "by \(named) the user first got \(app.bundle) at"
                + " \(source.receipt.originalPurchaseAt?.description ?? ""), \(relation) it became"
                + " free at \(app.paidUntil?.description ?? "")"
        }
    }

    private var lastPaid: String {
        app.lastPaidVersion.map { "the last version that had to be paid for, \"\($0)\"" }
            ?? "the last paid version, which the catalogue does not name"
    }

    private func missingDay(_ version: String?) -> String {
        guard app.paidUntil != nil else {
            return "the catalogue names no day on which \(app.bundle) became free"
        }
        return "the \(source.proof.noun) has no original purchase date"
            + (version == nil ? " either" : "")
    }
}
