/// One pass over everything in scope, judged at one instant.
package struct Run: Hashable, Sendable {
    package let id: RunID
    /// The instant at which everything is judged.
    package let asOf: Instant
    package let scope: RunScope
    /// The run whose recorded answers are judged again, without asking.
    package let replayOf: RunID?
    /// Apple is not asked: receipts are judged by their own signatures alone.
    package let isOffline: Bool
    /// Everything is judged and published beside, as if it had not been.
    package let isTrial: Bool
    /// How its reports are written.
    package let csvDialect: CSVDialect

    package init(
        id: RunID, asOf: Instant, scope: RunScope, replayOf: RunID? = nil, isOffline: Bool = false,
        isTrial: Bool = false, csvDialect: CSVDialect = .plain
    ) {
        self.id = id
        self.asOf = asOf
        self.scope = scope
        self.replayOf = replayOf
        self.isOffline = isOffline
        self.isTrial = isTrial
        self.csvDialect = csvDialect
    }

    /// Runs before this one are earlier runs: itself, or the one whose answers are judged again.
    package var past: RunID { replayOf ?? id }

    /// Whether it is a night over everything: such a run becomes the latest report, and an
    /// earlier run to those after it. Partial runs, replays and trials are neither.
    package var isNight: Bool { scope.isEverything && replayOf == nil && !isTrial }

    /// Whether the guards look at it: it is compared with nights, though a trial is none.
    package var isGuarded: Bool { scope.isEverything && replayOf == nil }

    /// The column `scope` of the reports: empty for everything, else what makes the run another
    /// account than the night's, so that files can be told apart.
    package var scopeMark: String? {
        if replayOf != nil { return "replay" }
        if isTrial { return "trial" }
        return scope.isEverything ? nil : scope.name
    }

    /// What its findings say of it.
    package var reporting: ReportingRun {
        ReportingRun(id: id.text, asOf: asOf, scope: scopeMark)
    }

    /// The name of its folder among the reports.
    package var folderName: String { isTrial ? id.text + "-trial" : id.text }

    /// Raised by every change of the rules of SPEC §4–§5.
    package static let rulesVersion = 7
}

/// `20261120T020000Z-` and six hexadecimal digits: sorts by the time the run was started.
package struct RunID: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    package init(text: String) { self.text = text }

    package init(startedAt: Instant, suffix: UInt32) {
        let digits = String(suffix & 0xFF_FFFF, radix: 16)
        text =
            startedAt.basicDescription + "-" + String(repeating: "0", count: 6 - digits.count)
            + digits
    }

    package var description: String { text }
}

/// Which users a run is about: always whole users.
package enum RunScope: Hashable, Sendable {
    case everything
    /// These users, and those of these receipts.
    case selected(users: [UserID], receipts: [ReceiptID])
    /// The first so many users, in the database's order.
    case limited(users: Int)

    /// A partial run leaves no trace in the history and does not become the latest report.
    package var isEverything: Bool { self == .everything }

    /// `everything`, or how the run was narrowed: a narrowed run is not the night's account.
    package var name: String {
        switch self {
        case .everything: "everything"
        case .selected: "selected"
        case .limited: "limited"
        }
    }
}

/// A unit of reading: users of a run, leased by one worker.
package struct Batch: Hashable, Sendable {
    package let number: Int
    /// In the order of the database's own collation. Nil: in a first look, the receipts and
    /// entitlements that name no user; in a second look, a group of users who were put off.
    package let users: ClosedUserRange?
    /// 1; 2 for a group of users of whom Apple refused a receipt; 3 for the same group, put off
    /// once more (SPEC §2.8).
    package let look: Int
    /// The fencing number under which it is held: nothing is written once there is a greater one.
    package let lease: Int
    /// How often in a row work on it began, without a user being recorded.
    package let attempts: Int

    package init(
        number: Int, users: ClosedUserRange?, look: Int = 1, lease: Int = 0, attempts: Int = 0
    ) {
        self.number = number
        self.users = users
        self.look = look
        self.lease = lease
        self.attempts = attempts
    }

    package var isFirstLook: Bool { look == 1 }
}

package struct ClosedUserRange: Hashable, Sendable {
    package let first: UserID
    package let last: UserID

    package init(first: UserID, last: UserID) {
        self.first = first
        self.last = last
    }
}
