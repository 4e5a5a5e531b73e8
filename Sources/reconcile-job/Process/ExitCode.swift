/// What the process tells its caller, after sysexits(3). Part of the contract: documented once,
/// changed only with a version.
enum ExitCode: Int32, Sendable, CaseIterable {
    case complete = 0
    case findings = 1
    case critical = 2
    case incomplete = 3
    case held = 4
    case usage = 64
    case unreadableData = 65
    case unknownID = 66
    case unavailable = 69
    case broken = 70
    case shortage = 71
    case cannotCreateReports = 73
    case inputOutput = 74
    case locked = 75
    case notPermitted = 77
    case configuration = 78
    case hungUp = 129
    case interrupted = 130
    case terminated = 143

    var meaning: String {
        switch self {
        case .complete: "complete"
        case .findings:
            "complete, and --fail-on is met; inspect: not genuine; open-key: opens nothing; diff:"
                + " the runs differ; verify: the folder is not as it was published"
        case .critical: "check: the last published run is too old or incomplete, or one is held"
        case .incomplete: "incomplete: too much unverified, or out of time; published and marked"
        case .held:
            "held: published beside, but implausible; it counts for nothing unless it is released"
        case .usage: "the command line or a RECONCILE_ variable is wrong"
        case .unreadableData:
            "the source data cannot be read: a view or a column is missing; no receipt"
        case .unknownID: "an id is not known; the nearest known ones are named"
        case .unavailable: "the database or Apple is out of reach; nothing published"
        case .broken: "the numbers do not balance, a defect of the job; nothing published"
        case .shortage: "this machine is short of open files, memory or threads"
        case .cannotCreateReports: "reports cannot be written"
        case .inputOutput: "a disk is full or broken"
        case .locked: "another run is at work"
        case .notPermitted: "a right is missing, or there is one too many"
        case .configuration: "configuration: secrets file, URLs, schema not migrated"
        case .hungUp: "stopped by SIGHUP, as its terminal went away; nothing is published"
        case .interrupted: "stopped by SIGINT; nothing is published"
        case .terminated: "stopped by SIGTERM; nothing is published"
        }
    }
}
