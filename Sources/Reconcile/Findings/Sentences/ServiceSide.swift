extension RowCase {
    static let uncovered = "no other entitlement of the user covers it"

    /// For a right without a judged row: that no row exists, or a row of another source.
    var serviceSide: String {
        if let row { return user.words(for: row) }
        let rows = user.evidence.entitlements.filter {
            user.catalog.right(of: $0.product) == right
        }
        guard let other = rows.min(by: { $0.id < $1.id }) else {
            let unreadable = user.evidence.invalidEntitlements > 0 ? " that can be read" : ""
            return "the service has no entitlement for it on file\(unreadable)"
        }
        return "\(user.words(for: other)) (source \"\(other.source.name)\")"
    }

    /// `serviceSide` at the beginning of a sentence, with the row's last change.
    var changedServiceSide: String {
        let changed = row.map { " (last changed \($0.updatedAt))" } ?? ""
        return (serviceSide + changed).capitalizedFirst
    }

    func sentence(_ rule: String) -> String {
        "\(best?.inWords ?? "Apple shows nothing of it"), but \(serviceSide): \(rule)."
    }
}

extension UserCase {
    fileprivate func words(for row: StoredEntitlement) -> String {
        row.inWords(asOf: settings.asOf)
    }
}

extension StoredEntitlement {
    func inWords(asOf: Instant) -> String {
        let entitlement = "entitlement \(id)"
        guard isActive else { return "\(entitlement) of \(product) is not active" }
        switch expiresAt {
        case nil: return "\(entitlement) grants \(product) without an end"
        case .distantFuture:
            return
                "\(entitlement) grants \(product) without an end (its expiry is stored as infinity)"
        case .distantPast:
            return "\(entitlement) never grants \(product) (its expiry is stored as -infinity)"
        case let expiresAt?:
            return expiresAt > asOf
                ? "\(entitlement) grants \(product) until \(expiresAt)"
                : "\(entitlement) granted \(product) only until \(expiresAt)"
        }
    }
}

extension JudgingSettings {
    var toleranceInWords: String {
        let milliseconds = tolerance.inMilliseconds
        return milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms"
    }
}

extension String {
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
