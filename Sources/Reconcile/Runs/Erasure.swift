/// What a run had of the users who were erased since (`prune --user`). Names no user.
package struct Erasure: Hashable, Sendable {
    package struct Act: Hashable, Sendable {
        let by: String
        let at: Instant
    }

    /// One for each erased user, in the order of erasing.
    var acts: [Act] = []
    /// How many the run had in scope.
    var receipts = 0
    var entitlements = 0
    /// Lines of the reports by table, such as `refunds` or `not_reported`.
    var rows: [String: Int] = [:]
    package internal(set) var money = MoneyTally()

    package var users: Int { acts.count }
    package var isEmpty: Bool { acts.isEmpty }

    package func rows(of table: String) -> Int { rows[table] ?? 0 }

    /// Lines of the four files of findings.
    package var findings: Int { FindingFile.allCases.map { rows(of: $0.rawValue) }.reduce(0, +) }

    package var lines: Int { rows.values.reduce(0, +) }

    /// The tables that name users.
    package static let tables =
        FindingFile.allCases.map(\.rawValue) + ["cleared", "unverified", "not_reported"]

    /// Stands for an erased user where another user's sentence, or the scope of a run, named one.
    static let unnamed = "an erased user"

    /// Whether `sentence` is `other` with the name of an erased user in place of the user's id,
    /// wherever that stands.
    static func isUnnamed(_ sentence: String, from other: String) -> Bool {
        let parts = sentence.split(separator: unnamed, omittingEmptySubsequences: false)
        guard parts.count > 1, let first = parts.first, let last = parts.last,
            other.hasPrefix(first)
        else { return false }
        var rest = other.dropFirst(first.count)
        for part in parts.dropFirst().dropLast() {
            guard let next = rest.dropFirst().firstRange(of: part) else { return false }
            rest = rest[next.upperBound...]
        }
        return rest.count > last.count && rest.hasSuffix(last)
    }
}

extension Erasure {
    /// `3 rows of 1 erased user`.
    package var sentence: String { Self.sentence(lines, of: users) }

    static func sentence(_ lines: Int, of users: Int) -> String {
        "\(lines.grouped) \(lines == 1 ? "row" : "rows") of \(users.grouped) erased"
            + " \(users == 1 ? "user" : "users")"
    }

    /// What was erased after `earlier`, which a folder has left out already.
    package func since(_ earlier: Erasure?) -> Erasure {
        guard let earlier else { return self }
        var rest = self
        rest.acts = Array(acts.dropFirst(earlier.acts.count))
        rest.receipts -= earlier.receipts
        rest.entitlements -= earlier.entitlements
        for (table, count) in earlier.rows { rest.rows[table, default: 0] -= count }
        rest.money = money.subtracting(earlier.money)
        return rest
    }

    /// How the numbers that a run published differ from those of the rows that are left and of
    /// the erased users; nil when they agree.
    package func difference(
        from known: RunListing, findings: Int, money: MoneyTally
    ) throws(MoneyTally.Unsummable) -> String? {
        guard let published = known.publishedFindings else { return nil }
        guard findings + self.findings == published else {
            return "\(published.grouped) findings were published, but \(findings.grouped) are left"
                + " and \(self.findings.grouped) are erased"
        }
        var sum = money
        try sum.add(self.money)
        var publishedMoney = MoneyTally()
        for amount in known.publishedMoney { try publishedMoney.add(amount) }
        return sum.isSame(as: publishedMoney)
            ? nil : "\(publishedMoney) was published, but it is \(sum) now"
    }
}
