internal import Reconcile

/// Everything that the command line and the environment may set, with its defaults.
///
/// `Flag.all` says how each is written; SPEC §7 what it means.
struct Configuration: Equatable, Sendable {
    /// The flags that were given, here or in the environment, without the dashes.
    var given: Set<String> = []

    var database: DatabaseAddress?
    var reports = "reports"
    /// The group that may read the reports, by name or number. Nil: the one that new files get.
    var reportsGroup: String?
    /// How many nights' folders stay. Nil: all.
    var keptNights: Int?
    /// Nil: when the run starts.
    var asOf: Instant?

    var productionURL = "https://buy.itunes.apple.com/verifyReceipt"
    var sandboxURL = "https://sandbox.itunes.apple.com/verifyReceipt"
    var caFile: String?
    var sharedSecrets: String?

    /// Requests a second.
    var rate = 10.0
    var sandboxRate: Double?
    var burst: Double?
    var inFlight = 16
    /// Of one attempt.
    var timeout = Duration.seconds(15)
    var connectTimeout = Duration.seconds(5)
    /// For one receipt, per environment.
    var maxAttempts = 4
    var backoff = Duration.seconds(1)
    var receiptDeadline = Duration.seconds(60)
    var outagePatience = Duration.seconds(600)

    var settle = Duration.seconds(24 * 3_600)
    var tolerance = Duration.seconds(60)
    var eventHorizon = Duration.seconds(90 * 86_400)

    var users: [UserID] = []
    var receipts: [ReceiptID] = []
    var limit: Int?

    /// Whether a run that was left open is given up, and not gone on with.
    var startsAnew = false
    /// How long ago the `as_of` of a run may be that is gone on with.
    var resumeWithin = Duration.seconds(12 * 3_600)
    /// How long to wait for another run over everything to end.
    var lockPatience = Duration.zero
    /// `check`: how long ago the last published run may have been judged.
    var maxAge = Duration.seconds(26 * 3_600)
    /// Whether to work beside a running run.
    var joins = false
    var csvDialect = CSVDialect.plain
    var evidence = Evidence.findings
    var keepsReceipts = Evidence.findings
    /// The run whose answers are judged again.
    var replay: RunID?
    /// Whether Apple is not asked, and receipts are judged by their own signatures.
    var isOffline = false
    /// Whether everything is judged and published beside, as if it had not been.
    var isTrial = false
    /// A folder of certificates that receipts are to be signed under, in place of Apple's.
    var roots: String?

    /// How long the rows of ended runs are kept. Nil: always.
    var keepHistory: Duration? = .seconds(400 * 86_400)

    /// Whether a run is held that is implausible, and from where on it is.
    var isGuarded = true
    var guards = GuardSettings()

    var maxRuntime: Duration?
    var maxUnverified = Allowance.percent(1)
    var failOn = FailOn.none
    var allowsWritableRole = false
    var isDryRun = false
    /// `doctor`: whether Apple is asked about a deliberately bad receipt for each app.
    var asksLive = false

    /// `retract`, `release`, `report` and `diff`: the run, or the beginning of its id.
    var run = ""
    /// `diff`: the other run.
    var otherRun = ""
    /// `explain`: what is asked about.
    var desk = DeskSettings()
    /// `verify`: the folder of a run.
    var folder = ""
    /// `diff`: whether also what moves by itself is shown.
    var showsAll = false
    /// `generate`: what is printed.
    var generated = GenerateCommand.What.man
    /// `prune`: runs that ended before this.
    var pruneBefore: Instant?

    /// `migrate`: also the tables and views of the reference service.
    var withReferenceApp = false
    /// `migrate`: what to do with the role that runs use, in place of the tables.
    var roles: RolesAction?
    var acceptance = AcceptanceSettings()
    var service = ServiceSettings()
    var simulation = SimulationSettings()
    var inspection = InspectionSettings()

    var logFormat = Log.Format.text
    var logLevel = Log.Level.info
    var progress = ProgressDisplay.auto
    /// Of a run over everything, for node_exporter.
    var metricsFile: String?
    /// Of a monitor that is told of runs over everything.
    var pingURL: String?
    /// Whether nothing is printed on success, and the last line otherwise.
    var isQuiet = false
    var output = SummaryOutput.text
}

/// What `migrate --roles` does with the SQL that makes role `reconcile_job`.
enum RolesAction: String, CaseIterable, Sendable {
    case print, apply
}

/// What `explain` is asked about, beside users and receipts.
struct DeskSettings: Equatable, Sendable {
    var transactions: [TransactionID] = []
    /// Hexadecimal digits: an id, or the beginning of one.
    var finding: String?
    /// Whether what Apple signed is wanted, and not the answer.
    var isSigned = false
}

/// What the receipt validation service is told.
struct ServiceSettings: Equatable, Sendable {
    /// Where `serve` listens.
    var socket = ""
    /// A file of lines `key_id = base64 of 32 bytes`.
    var keyFile = ""
    var sandbox = SandboxAction.grant
    var validationTTL = Duration.seconds(24 * 3_600)
    var keyTTL = Duration.seconds(3_600)
}

/// What sandbox receipts unlock.
enum SandboxAction: String, CaseIterable, Sendable {
    case grant, refuse
}

/// What `inspect` is told. What is nil is not checked.
struct InspectionSettings: Equatable, Sendable {
    /// A path, or `-` for the standard input.
    var file = "-"
    var bundle: BundleID?
    var appVersion: String?
    var deviceIdentifier: [UInt8]?
}

/// What `simulate` is told.
struct SimulationSettings: Equatable, Sendable {
    var seed = 1
    var customers = 300
    /// 1 for the first.
    var night = 1
    /// 0 for a free one.
    var port: UInt16 = 0
    var sandboxPort: UInt16 = 0
    var latency = Duration.zero
    /// A rate or a script that `FaultPlan` can read; nil: no faults.
    var faults: String?
    /// Where to fill schema `app` first.
    var load: DatabaseAddress?
}

extension Configuration {
    var effectiveSandboxRate: Double { sandboxRate ?? rate }

    /// By default as many as a second allows, and at least one.
    var effectiveBurst: Double { burst ?? max(1, rate) }

    var scope: RunScope {
        if let limit { return .limited(users: limit) }
        let isEverything = users.isEmpty && receipts.isEmpty
        return isEverything ? .everything : .selected(users: users, receipts: receipts)
    }
}

/// How many receipts may stay unverified in a run that still counts as complete.
enum Allowance: Equatable, Sendable {
    /// Of the receipts in scope, 0 to 100.
    case percent(Double)
    case count(Int)

    func allows(_ unverified: Int, of inScope: Int) -> Bool {
        switch self {
        case .percent(let percent): Double(unverified) * 100 <= percent * Double(inScope)
        case .count(let count): unverified <= count
        }
    }
}

extension Allowance: CustomStringConvertible {
    var description: String {
        switch self {
        case .percent(let percent):
            percent == percent.rounded() ? "\(Int(percent))%" : "\(percent)%"
        case .count(let count): "\(count)"
        }
    }
}

/// The least severe finding that turns exit status 0 into 1.
enum FailOn: String, Equatable, Sendable, CaseIterable {
    case none, low, medium, high, critical

    var severities: [Severity] {
        guard let least = Severity(rawValue: rawValue) else { return [] }
        return Severity.allCases.filter { $0.rank <= least.rank }
    }
}

enum ProgressDisplay: String, Equatable, Sendable, CaseIterable { case auto, always, never }

/// What the summary on stdout is for: a person, a script, or nobody.
enum SummaryOutput: String, Equatable, Sendable, CaseIterable { case text, json, none }
