internal import AppStoreSimulator
internal import Reconcile

/// The settings that flags and environment variables may change, with their defaults. `Flag.all`
/// maps each flag to its setting; the help text says what it means.
struct Configuration: Equatable, Sendable {
    /// Names of the flags given on the command line or in the environment, without dashes.
    var given: Set<String> = []

    var database: DatabaseAddress?
    var reports = "reports"
    var reportsGroup: String?
    /// Nil: all folders are kept.
    var keptNights: Int?
    /// Nil: the time when the run starts.
    var asOf: Instant?

    var productionURL = "https://buy.itunes.apple.com/verifyReceipt"
    var sandboxURL = "https://sandbox.itunes.apple.com/verifyReceipt"
    var apiURL = "https://api.storekit.apple.com"
    var apiSandboxURL = "https://api.storekit-sandbox.apple.com"
    var caFile: String?
    var sharedSecrets: String?
    var apiKeys: String?
    var source = SourceChoice.verifyReceipt
    /// Only of a run over everything that asks Apple.
    var sweepsRefunds = false

    var rate = 10.0
    var sandboxRate: Double?
    var apiRate = 20.0
    var burst: Double?
    var inFlight = 16
    var timeout = Duration.seconds(15)
    var connectTimeout = Duration.seconds(5)
    var maxAttempts = 4
    var backoff = Duration.seconds(1)
    var receiptDeadline = Duration.seconds(60)
    var outagePatience = Duration.seconds(600)

    var settle = Duration.seconds(24 * 3_600)
    var tolerance = Duration.seconds(60)
    var eventHorizon = Duration.seconds(90 * 86_400)
    var unitDays = 62

    var users: [UserID] = []
    var receipts: [ReceiptID] = []
    var limit: Int?

    var startsAnew = false
    var resumeWithin = Duration.seconds(12 * 3_600)
    var lockPatience = Duration.zero
    var lockWait = Duration.seconds(60)
    var maxAge = Duration.seconds(26 * 3_600)
    var joins = false
    var csvDialect = CSVDialect.plain
    var evidence = Evidence.findings
    var keepsReceipts = Evidence.findings
    var replay: RunID?
    var isOffline = false
    var isTrial = false
    var roots: String?

    /// Nil: history is never removed.
    var keepHistory: Duration? = .seconds(400 * 86_400)

    var isGuarded = true
    var guards = GuardSettings()

    var maxRuntime: Duration?
    var maxUnverified = Allowance.percent(1)
    var failOn = FailOn.none
    var allowsWritableRole = false
    var isDryRun = false
    var asksLive = false

    /// The run's id or its beginning.
    var run = ""
    var otherRun = ""
    var investigation = InvestigationSettings()
    var folder = ""
    var showsAll = false
    var tieOut = TieOutSettings()
    var generated = GenerateCommand.What.man
    var pruneBefore: Instant?
    /// Whether `prune --user` writes published folders anew.
    var rewritesFolders = false

    var withReferenceApp = false
    var roles: RolesAction?
    var acceptance = AcceptanceSettings()
    var signing = SigningSettings()
    var service = ServiceSettings()
    var simulation = SimulationSettings()
    var inspection = InspectionSettings()
    var period = PeriodSettings()

    var logFormat = Log.Format.text
    var logLevel = Log.Level.info
    var progress = ProgressDisplay.auto
    /// For the textfile collector of node_exporter; written by runs over everything.
    var metricsFile: String?
    var pingURL: String?
    var isQuiet = false
    var output = SummaryOutput.text
}

/// What `migrate --roles` does with the SQL that creates the roles.
enum RolesAction: String, CaseIterable, Sendable {
    case print, apply
}

/// Settings of `explain` and `evidence` other than users and receipts.
struct InvestigationSettings: Equatable, Sendable {
    var transactions: [TransactionID] = []
    /// Hexadecimal digits: a finding's id or its beginning.
    var finding: String?
    var isSigned = false
}

struct TieOutSettings: Equatable, Sendable {
    /// As on the command line.
    var files: [String] = []
    var within = Tolerance.usual
    var apps: [AppSKU: BundleID] = [:]

    var scope: TieOutScope {
        var scope = TieOutScope()
        scope.tolerance = within
        scope.apps = apps
        return scope
    }
}

struct ServiceSettings: Equatable, Sendable {
    var socket = ""
    var keyFile = ""
    var sandbox = SandboxAction.grant
    var validationTTL = Duration.seconds(24 * 3_600)
    var keyTTL = Duration.seconds(3_600)
    var asksUnsigned = false
    /// For `serve`. What `validate` reads is the operator's own request.
    var trustsUserID = false
}

enum SandboxAction: String, CaseIterable, Sendable {
    case grant, refuse
}

/// Settings of `inspect`. A nil setting is not checked.
struct InspectionSettings: Equatable, Sendable {
    var file = "-"
    var bundle: BundleID?
    var appVersion: String?
    var deviceIdentifier: [UInt8]?
}

/// Settings of `accept`, `release`, `retract` and, in part, `sign-off`.
struct AcceptanceSettings: Equatable, Sendable {
    /// Hexadecimal digits; empty until they are given.
    var finding = ""
    var by = ""
    var why = ""
    var until: Instant?
    var isList = false
    var isUndo = false
}

/// Settings of `sign-off`; who signs is that of `AcceptanceSettings`.
struct SigningSettings: Equatable, Sendable {
    var role: SignOff.Role?
    var note = ""
}

struct SimulationSettings: Equatable, Sendable {
    var seed = 1
    var customers = 300
    var night = 1
    var port: UInt16 = 0
    var sandboxPort: UInt16 = 0
    var apiPort: UInt16 = 0
    var apiSandboxPort: UInt16 = 0
    var latency = Duration.zero
    var faults: String?
    var load: DatabaseAddress?
    var stored = StoredForm.receipt
    var secrets: String?
    var apiKeys: String?
    var roots: String?
    var sales: String?
}

extension Configuration {
    var effectiveSandboxRate: Double { sandboxRate ?? rate }

    /// Defaults to the requests of one second, and at least one.
    var effectiveBurst: Double { burst ?? max(1, rate) }

    var scope: Run.Scope {
        if let limit { return .limited(users: limit) }
        let isEverything = users.isEmpty && receipts.isEmpty
        return isEverything ? .everything : .selected(users: users, receipts: receipts)
    }
}

/// How many receipts may stay unverified in a complete run.
enum Allowance: Equatable, Sendable {
    /// Percentage of the receipts in scope, 0 to 100.
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

/// The lowest severity of a finding that changes exit status 0 to 1.
enum FailOn: String, Equatable, Sendable, CaseIterable {
    case none, low, medium, high, critical

    var severities: [Severity] {
        guard let least = Severity(rawValue: rawValue) else { return [] }
        return Severity.allCases.filter { $0.rank <= least.rank }
    }
}

enum ProgressDisplay: String, Equatable, Sendable, CaseIterable { case auto, always, never }

enum SummaryOutput: String, Equatable, Sendable, CaseIterable { case text, json, none }
