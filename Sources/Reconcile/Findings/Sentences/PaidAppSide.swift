extension Grandfathering.Ruling {
    /// - Parameter isOffline: whether the source is the receipt instead of Apple's answer.
    func facts(isOffline: Bool) -> String {
        let witness =
            isOffline
            ? "the signed receipt \(source.id)" : "Apple's answer to receipt \(source.id)"
        let version = source.receipt.originalApplicationVersion
        switch payment {
        case .undecidable:
            let shown =
                version.map { "the original version \"\($0)\", which cannot be compared with" }
                ?? "no original version to compare with"
            return "\(witness) has \(shown) \(lastPaid), and \(missingDay(isOffline, version))"
        case .paid, .notPaid:
            guard isByDate else {
                let relation = payment == .paid ? "not later" : "later"
                return "by \(witness) the user first got \(app.bundle) at version"
                    + " \"\(version ?? "")\", \(relation) than \(lastPaid)"
            }
            let relation = payment == .paid ? "before" : "not before"
            return "by \(witness) the user first got \(app.bundle) at"
                + " \(source.receipt.originalPurchaseAt?.description ?? ""), \(relation) it became"
                + " free at \(app.paidUntil?.description ?? "")"
        }
    }

    private var lastPaid: String {
        app.lastPaidVersion.map { "the last version that had to be paid for, \"\($0)\"" }
            ?? "the last paid version, which the catalogue does not name"
    }

    private func missingDay(_ isOffline: Bool, _ version: String?) -> String {
        guard app.paidUntil != nil else {
            return "the catalogue names no day on which \(app.bundle) became free"
        }
        return "the \(isOffline ? "receipt" : "answer") has no original purchase date"
            + (version == nil ? " either" : "")
    }
}
