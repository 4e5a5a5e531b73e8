package struct Run: Hashable, Sendable {
    package let id: RunID
    package let asOf: Instant
    var scope: Scope
    /// The run whose kept answers are judged again, without requests to Apple.
    package let replayOf: RunID?
    /// Receipts are judged by their own signatures alone, without requests to Apple.
    package let isOffline: Bool
    /// Judged and published to a separate folder; changes neither ledger nor `latest` (`--trial`).
    let isTrial: Bool
    package let csvDialect: CSVDialect
    /// The days whose units it counts; nil for a run that counts none.
    package let units: UnitWindow?

    package init(
        id: RunID, asOf: Instant, scope: Scope, replayOf: RunID? = nil, isOffline: Bool = false,
        isTrial: Bool = false, csvDialect: CSVDialect = .plain,
        units: UnitWindow? = nil
    ) {
        self.id = id
        self.asOf = asOf
        self.scope = scope
        self.replayOf = replayOf
        self.isOffline = isOffline
        self.isTrial = isTrial
        self.csvDialect = csvDialect
        self.units = units
    }

    /// The earlier runs by which it judges.
    var past: PastRuns {
        PastRuns(
            before: replayOf ?? id, isReplay: replayOf != nil, comparesRecords: makesHistory)
    }

    /// Whether it enters the history and becomes `latest`: no partial run, replay or trial.
    package var makesHistory: Bool { scope.isEverything && replayOf == nil && !isTrial }

    /// Whether it learns what Apple says by asking.
    var asksApple: Bool { replayOf == nil && !isOffline }

    /// Whether it learns of renewals, refunds and expiries after a receipt was made.
    package var knowsLaterFacts: Bool { !isOffline }

    /// A finding that the run clears, as its reports show it.
    package func shown(cleared finding: ReportedFinding) -> ReportedFinding {
        knowsLaterFacts ? finding : finding.judgedOffline()
    }

    /// Whether the guards check it. Trials are checked too.
    var isGuarded: Bool { scope.isEverything && replayOf == nil }

    /// The column `scope` of the reports; nil for a nightly run.
    var scopeMark: String? {
        if replayOf != nil { return "replay" }
        if isTrial { return "trial" }
        return scope.isEverything ? nil : scope.name
    }

    var reporting: RowStamp {
        RowStamp(id: id.text, asOf: asOf, scope: scopeMark)
    }

    package var folderName: String { isTrial ? id.text + "-trial" : id.text }

    /// Must be raised by every change of the rules of entitlements and findings.
    static let rulesVersion = 8
}

extension Run {
    /// Whether its users are compared with the notices of whole apps.
    package var mayBeSwept: Bool { scope.isEverything && asksApple }

    /// The scope of a run, in whole users: a named receipt selects its user.
    package enum Scope: Hashable, Sendable {
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

    /// Raw values are the column `state`.
    package enum State: String, Sendable {
        case open, published, held, retracted, failed, abandoned
    }
}
