internal import Reconcile

extension Flag {
    static let continuity: [Flag] = [
        .bare(
            "new", "start a new run and abandon an unfinished one", to: \.startsAnew),
        .value(
            "resume-within", "DURATION",
            "maximum age of the --as-of of an unfinished run to resume",
            default: .value("12h"), to: \.resumeWithin, FlagValue.duration(.zero)),
        .value(
            "wait", "DURATION", "how long to wait for another run over everything to end",
            default: .value("0s"), to: \.lockPatience, FlagValue.duration(.zero)),
        .value(
            "lock-wait", "DURATION",
            "how long a batch waits while another session locks a table below the views; then it"
                + " waits its turn", default: .value("60s"), to: \.lockWait,
            FlagValue.duration(.zero)),
        .value(
            "max-age", "DURATION", "maximum age of the last published run's as_of",
            default: .value("26h"), of: [.check], to: \.maxAge,
            FlagValue.duration(.milliseconds(1))),
        .bare("join", "join the current run as one more worker, under its rate limit", to: \.joins),
        .value(
            "evidence", "none|findings|all",
            "which App Store answers are kept after the run: those that findings refer to, or all",
            default: .value("findings"), to: \.evidence
        ) { text in try FlagValue.choice(text) },
        .value(
            "keep-receipts", "none|findings|all",
            "which signed receipts in answers (latest_receipt) are kept, the newest for each"
                + " user and app: those of answers that findings refer to, or all",
            default: .value("findings"), to: \.keepsReceipts
        ) { text in try FlagValue.choice(text) },
        .value(
            "keep-history", "DURATION|off",
            "after a run over everything, remove the outcomes and findings of older runs",
            default: .value("400d"), to: \.keepHistory
        ) { text in
            try FlagValue.orOff(text, FlagValue.duration(.seconds(86_400)))
        },
        .value(
            "replay", "RUN", "judge that run's recorded answers again; send nothing", to: \.replay
        ) { text in RunID(text: try FlagValue.text(text))
        },
        .bare(
            "offline",
            "send nothing: judge stored receipts by their signatures alone; they do not show"
                + " later renewals, refunds or expiries", to: \.isOffline),
        .bare(
            "trial",
            "judge everything and publish to <run_id>-trial: later runs ignore it, and"
                + " latest does not change", to: \.isTrial),
        .value(
            "before", "INSTANT", "remove the history of runs that ended before this instant",
            of: [.prune], to: \.pruneBefore
        ) { text in try FlagValue.instant(text) },
        .bare(
            "folders",
            "with --user, write the published folders in --reports that hold the user anew, without"
                + " the user", of: [.prune], to: \.rewritesFolders),
    ]

    /// Thresholds beyond which a run over everything is held as implausible; `off` disables one.
    static let guards: [Flag] = [
        .value(
            "guards", "on|off",
            "hold an implausible run over everything: later runs ignore it"
                + " unless it is released", default: .value("on"), to: \.isGuarded
        ) { text in (try FlagValue.choice(text) as Switch) == .on },
        .value(
            "guard-shrink", "N%|off",
            "hold a run without receipts or rows, or with fewer than this share of the last"
                + " published run's", default: .value("50%"), to: \.guards.minimumShareOfLastRun,
            FlagValue.share),
        .value(
            "guard-unusable", "N%|off", "hold a run with more unusable receipts than this",
            default: .value("20%"), to: \.guards.maximumUnusable, FlagValue.share),
        .value(
            "guard-not-judged", "N%|off", "hold a run with more rows not judged than this",
            default: .value("50%"), to: \.guards.maximumNotJudged, FlagValue.share),
        .value(
            "guard-app-store-rows", "N|off", "hold a run with fewer app_store rows than this",
            default: .value("1"), to: \.guards.minimumAppStoreRows
        ) { text in
            try FlagValue.orOff(text, FlagValue.wholeNumber(1...Int.max))
        },
        .value(
            "guard-freshness", "DURATION|off",
            "hold a run whose newest receipt or row is older than this",
            default: .value("7d"), to: \.guards.freshness
        ) { text in
            try FlagValue.orOff(text, FlagValue.duration(.milliseconds(1)))
        },
        .value(
            "guard-secrets", "N|off",
            "hold a run with more receipts than this of an app without a shared secret, where"
                + " verifyReceipt is asked",
            default: .value("20"), to: \.guards.maximumWithoutSecret
        ) { text in
            try FlagValue.orOff(text, FlagValue.wholeNumber(0...Int.max))
        },
        .value(
            "guard-leap", "N|off",
            "hold a run in which a kind of finding, or money, is over N times its median in"
                + " the last seven runs", default: .value("3"), to: \.guards.maximumOfMedian
        ) { text in
            try FlagValue.orOff(text, FlagValue.number(atLeast: 1))
        },
    ]

    private enum Switch: String, CaseIterable { case on, off }
}
