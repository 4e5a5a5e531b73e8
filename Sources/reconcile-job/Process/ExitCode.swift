/// After sysexits(3). Part of the documented interface: they change only with a version.
enum ExitCode: Int32, Sendable, CaseIterable {
    case complete = 0
    case findings = 1
    case overdue = 2
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
            "complete, and --fail-on is met; doctor: a problem; inspect: not genuine; open-key:"
                + " opens nothing; diff: the runs differ; verify, sign-off: the folder is not"
                + " as it was published; tie-out: a line is not tied"
        case .overdue:
            "check: the last published run is too old or incomplete, or a newer one is held"
        case .incomplete: "incomplete: too many unverified receipts, or out of time; published"
        case .held:
            "held: implausible; published separately, and ignored by later runs unless released"
        case .usage: "the command line or a RECONCILE_ variable is wrong"
        case .unreadableData:
            "input cannot be read: a view or column is missing, or a file is not a receipt"
                + " or report"
        case .unknownID:
            "an id is unknown; the message lists the nearest known ones; tie-out: no day that the"
                + " files and a published run both have"
        case .unavailable: "the database or Apple cannot be reached; nothing is published"
        case .broken: "the numbers do not balance, a bug in the job; nothing is published"
        case .shortage: "too few open files, memory or threads"
        case .cannotCreateReports: "reports cannot be written"
        case .inputOutput: "an I/O error, such as a full disk"
        case .locked: "another run over everything is in progress"
        case .notPermitted: "a privilege is missing or excessive"
        case .configuration: "bad configuration: secrets file, URLs, or schema not migrated"
        case .hungUp: "stopped by SIGHUP because its terminal closed; the next run resumes"
        case .interrupted: "stopped by SIGINT; the next run resumes"
        case .terminated: "stopped by SIGTERM; the next run resumes"
        }
    }
}
