/// A finding as earlier runs left it: the last change of its life.
package struct PastFinding: Hashable, Sendable {
    package enum Change: String, Hashable, Sendable {
        /// Reported, and in every run since.
        case reported
        /// Could not be judged since it was last reported: it stays open.
        case held
        /// Judged, and no longer true.
        case cleared
        /// An event, which comes once.
        case told
    }

    package var id: String
    package var change: Change
    /// `as_of` of the first run that reported it. Nil for an event.
    package var firstSeen: Instant?
    /// The number of the run that reported it last. Nil unless it is open.
    package var lastReported: Int?

    package init(id: String, change: Change, firstSeen: Instant? = nil, lastReported: Int? = nil) {
        (self.id, self.change) = (id, change)
        (self.firstSeen, self.lastReported) = (firstSeen, lastReported)
    }

    package var isOpen: Bool { change == .reported || change == .held }

    /// What a run that reports it again says of it.
    package var lifecycle: Lifecycle { isOpen ? .persisting : .reopened }
}

/// A change of a finding's life that a run brought, for later runs.
package struct FindingChange: Hashable, Sendable {
    package var user: UserID?
    /// `lastReported` is set only where the finding is held.
    package var finding: PastFinding

    package init(user: UserID?, finding: PastFinding) {
        (self.user, self.finding) = (user, finding)
    }
}
