/// What earlier runs left of the users of a batch. An earlier run is one that was published, over
/// everything (SPEC §5).
package struct BatchHistory: Sendable {
    /// Findings of these users, by id.
    package var findings: [String: PastFinding]
    package var users: [UserID: UserHistory]
    /// Ids of findings of these users that somebody has accepted.
    package var accepted: Set<String>
    /// Ids of the open findings, by their user.
    package var open: [UserID: [String]]

    package init(
        findings: [(user: UserID, finding: PastFinding)] = [],
        cancellations: [(user: UserID, cancellation: Cancellation)] = [],
        accepted: Set<String> = []
    ) {
        self.findings = Dictionary(
            findings.map { ($0.finding.id, $0.finding) }, uniquingKeysWith: { $1 })
        open = Dictionary(
            grouping: findings.filter(\.finding.isOpen), by: \.user
        ).mapValues { $0.map(\.finding.id) }
        users = Dictionary(grouping: cancellations, by: \.user).mapValues { list in
            UserHistory(
                cancellations: Dictionary(
                    list.map { ($0.cancellation.transaction, $0.cancellation) },
                    uniquingKeysWith: { $1 }))
        }
        self.accepted = accepted
    }

    package func history(of user: UserID) -> UserHistory { users[user] ?? UserHistory() }
}
