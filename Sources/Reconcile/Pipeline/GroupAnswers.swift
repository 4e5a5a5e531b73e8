/// Apple's answers about a group of users with refused receipts and about its controls.
struct GroupAnswers: Sendable {
    /// What becomes of the refusals.
    enum Decision: Equatable, Sendable {
        /// The group is asked again, among other controls.
        /// - Parameter isDoubted: whether to wait first, because Apple cannot be believed now.
        case postpone(isDoubted: Bool)
        /// Those of the servers are not believed; the others are, where they were repeated.
        case conclude(doubted: Set<AppleServer>)
    }

    static let fewestControls = 10

    /// Refused receipts of the users whom Apple refused one again, by server.
    var refusals: [AppleServer: Int] = [:]
    /// Whether a receipt that was refused before is no longer refused.
    var hasChanged = false
    /// Whether each of the refused receipts was refused by the same server before.
    var areRepeated = true
    /// The server that verified each requested control; nil when none did.
    var controls: [ReceiptID: AppleServer?] = [:]
    var isControlRefused = false

    /// - Parameter isLast: whether the group was postponed before, and may not be again.
    func decision(isLast: Bool) -> Decision {
        let doubted = doubted
        let isDoubted = isControlRefused || !doubted.isEmpty && unansweredControls > 0
        let isUnsettled = isDoubted || hasChanged || !areRepeated
        guard isUnsettled, !isLast, !refusals.isEmpty else { return .conclude(doubted: doubted) }
        return .postpone(isDoubted: isDoubted)
    }

    /// The servers whose refusals prove nothing: one that verifies no control might refuse
    /// everything.
    private var doubted: Set<AppleServer> {
        let needed = max(Self.fewestControls, refusals.values.reduce(0, +))
        let verified = controls.count - unansweredControls
        if isControlRefused || unansweredControls > 0 && verified < needed {
            return Set(AppleServer.allCases)
        }
        return Set(refusals.keys.filter { controlsVerified(by: $0) == 0 })
    }

    func controlsVerified(by server: AppleServer) -> Int {
        controls.values.count { $0 == server }
    }

    /// Refused ones too.
    private var unansweredControls: Int { controls.values.count { $0 == nil } }
}
