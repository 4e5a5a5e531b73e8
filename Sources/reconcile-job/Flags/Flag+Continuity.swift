internal import Reconcile

extension Flag {
    /// How a run goes on after another process, beside one, or from what one has recorded.
    static let continuity: [Flag] = [
        .bare(
            "new", "begin a new run, and give up one that was left unfinished", to: \.startsAnew),
        .value(
            "resume-within", "DURATION",
            "resume an unfinished run whose --as-of is at most so long ago",
            default: .value("12h"), to: \.resumeWithin, FlagValue.duration(.zero)),
        .value(
            "wait", "DURATION", "wait so long for another run over everything to end",
            default: .value("0s"), to: \.lockPatience, FlagValue.duration(.zero)),
        .value(
            "max-age", "DURATION", "how long ago the last published run's as_of may be",
            default: .value("26h"), of: [.check], to: \.maxAge,
            FlagValue.duration(.milliseconds(1))),
        .bare("join", "work beside a run that is under way, under its one rate", to: \.joins),
        .value(
            "evidence", "none|findings|all",
            "which of Apple's answers are kept after the run: those that findings refer to, or all",
            default: .value("findings"), to: \.evidence
        ) { text throws(InvalidValue) in try FlagValue.choice(text) },
        .value(
            "keep-receipts", "none|findings|all",
            "of which answers the receipt is kept that Apple signed with them, the newest of each"
                + " user and app: those that findings refer to, or all",
            default: .value("findings"), to: \.keepsReceipts
        ) { text throws(InvalidValue) in try FlagValue.choice(text) },
        .value(
            "keep-history", "DURATION|off",
            "after a run over everything, remove what runs that are older learned and found",
            default: .value("400d"), to: \.keepHistory
        ) { text throws(InvalidValue) in
            try FlagValue.orOff(text, FlagValue.duration(.seconds(86_400)))
        },
        .value(
            "replay", "RUN", "judge that run's recorded answers again; send nothing", to: \.replay
        ) {
            text throws(InvalidValue) in RunID(text: try FlagValue.text(text))
        },
        .bare(
            "offline",
            "send nothing: judge by the stored receipts' own signatures, which know nothing of"
                + " later renewals, refunds and expiries", to: \.isOffline),
        .bare(
            "trial",
            "judge everything and publish it to <run_id>-trial: later runs know nothing of it, and"
                + " latest stays", to: \.isTrial),
        .value(
            "before", "INSTANT", "remove what runs learned and found that ended before it",
            of: [.prune], to: \.pruneBefore
        ) { text throws(InvalidValue) in try FlagValue.instant(text) },
    ]
}
