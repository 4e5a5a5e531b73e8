package struct Run: Hashable, Sendable {
    package let id: RunID
    package let asOf: Instant
    let scope: RunScope
    /// The run whose kept answers are judged again, without requests to Apple.
    let replayOf: RunID?
    /// Receipts are judged by their own signatures alone, without requests to Apple.
    package let isOffline: Bool
    /// Judged and published to a separate folder; changes neither ledger nor `latest` (`--trial`).
    let isTrial: Bool
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

    /// The run whose earlier runs are its history: itself, or the replayed run.
    var past: RunID { replayOf ?? id }

    /// Whether it enters the history and becomes `latest`: no partial run, replay or trial.
    package var isNight: Bool { scope.isEverything && replayOf == nil && !isTrial }

    /// Whether the guards check it. Trials are checked too.
    var isGuarded: Bool { scope.isEverything && replayOf == nil }

    /// The column `scope` of the reports; nil for a nightly run.
    var scopeMark: String? {
        if replayOf != nil { return "replay" }
        if isTrial { return "trial" }
        return scope.isEverything ? nil : scope.name
    }

    var reporting: ReportingRun {
        ReportingRun(id: id.text, asOf: asOf, scope: scopeMark)
    }

    package var folderName: String { isTrial ? id.text + "-trial" : id.text }

    /// Must be raised by every change of the rules of entitlements and findings.
    static let rulesVersion = 8
}

/// The start time and six hexadecimal digits: `20261120T020000Z-0a1b2c`. Sorts by start time.
package struct RunID: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    package init(text: String) { self.text = text }

    package init(startedAt: Instant, suffix: UInt32) {
        let digits = withUnsafeBytes(of: suffix.bigEndian) { $0.dropFirst().hexadecimal }
        text = startedAt.basicDescription + "-" + digits
    }

    package var description: String { text }
}

/// The scope of a run, in whole users: a named receipt selects its user.
package enum RunScope: Hashable, Sendable {
    case everything
    case selected(users: [UserID], receipts: [ReceiptID])
    /// The first users in the database's order.
    case limited(users: Int)

    package var isEverything: Bool { self == .everything }

    var name: String {
        switch self {
        case .everything: "everything"
        case .selected: "selected"
        case .limited: "limited"
        }
    }
}

/// A range of users, leased by one worker.
struct Batch: Hashable, Sendable {
    let number: Int
    /// In the database's collation. Nil for rows without a user and for a group of a second look.
    let users: ClosedUserRange?
    /// What the range had when the run was cut; no receipts and entitlements for a group.
    let planned: ViewCounts
    /// 1: first look; 2: a group of the second look; 3: the same group after it was postponed.
    let look: Int
    /// Whether users of it were put off because their app was stopped. All others are recorded now.
    let isPutOff: Bool
    /// The fencing number of the lease. A worker writes nothing once there is another one.
    let lease: Int
    /// Whether no worker had it before, and so no user of it is recorded.
    let isFirstLease: Bool
    /// Consecutive attempts that ended before a user was recorded.
    let attempts: Int

    init(
        number: Int, users: ClosedUserRange?, planned: ViewCounts = .zero, look: Int = 1,
        isPutOff: Bool = false, lease: Int = 0, isFirstLease: Bool = true, attempts: Int = 0
    ) {
        self.number = number
        self.users = users
        self.planned = planned
        self.look = look
        self.isPutOff = isPutOff
        self.lease = lease
        self.isFirstLease = isFirstLease
        self.attempts = attempts
    }

    /// How many users, receipts or entitlements that the range had are missing among `found`: the
    /// greatest of the three. Negative if there are more of each.
    func missing(among found: ViewCounts) -> Int {
        max(
            planned.users - found.users, planned.receipts - found.receipts,
            planned.entitlements - found.entitlements)
    }

    var isFirstLook: Bool { look == 1 }

    /// Whether it stands for the stored rows without a user.
    var isWithoutUser: Bool { isFirstLook && users == nil }
}

struct ClosedUserRange: Hashable, Sendable {
    let first: UserID
    let last: UserID
}
