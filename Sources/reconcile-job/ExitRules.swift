internal import Reconcile

/// Maps the numbers of a run to its exit status.
struct ExitRules: Sendable {
    let failOn: FailOn
    let maxUnverified: Allowance

    init(_ configuration: Configuration) {
        failOn = configuration.failOn
        maxUnverified = configuration.maxUnverified
    }

    func status(of receipts: Tally<ReceiptBucket>, isPastMaxRuntime: Bool) -> Summary.Status {
        let isAllowed = maxUnverified.allows(receipts[.unverified], of: receipts.inScope)
        return isAllowed && !isPastMaxRuntime ? .complete : .incomplete
    }

    /// A run in which no request got an HTTP answer says nothing about any receipt.
    /// - Throws: an ending with status 69.
    func requireAnswers(_ requests: RequestTally, failure: String? = nil) throws(Ending) {
        guard requests.sent == 0 || requests.answered > 0 else {
            throw Ending(
                .unavailable,
                "None of \(requests.sent) requests to Apple was answered; nothing was published. "
                    + (failure ?? "Check network, proxy and --production-url.")
                    + " Then run again.")
        }
    }

    func ending(_ summary: Summary, in folder: String) -> Ending {
        let run = "Run \(summary.run.id)" + (summary.run.isOffline ? ", judged offline," : "")
        if summary.status == .held { return held(summary, run, folder) }
        if summary.status == .incomplete {
            let receipts = summary.receipts
            let count = "\(receipts[.unverified]) of \(receipts.inScope) receipts are unverified"
            let isAllowed = maxUnverified.allows(receipts[.unverified], of: receipts.inScope)
            let why =
                isAllowed
                ? "--max-runtime ended before every receipt was validated; \(count)"
                : "\(count) (--max-unverified \(maxUnverified))"
            return Ending(
                .incomplete,
                "\(run) is incomplete: \(why). See \(folder)/unverified.csv, fix the"
                    + " cause and run again.")
        }
        let severe = failOn.severities.reduce(0) { $0 + summary.findings.open($1) }
        if severe > 0 {
            return Ending(
                .findings,
                "\(run) is complete and has \(severe) findings of --fail-on \(failOn.rawValue) or "
                    + "worse. Read \(folder).")
        }
        return Ending(
            .complete,
            "\(run) is complete, with \(summary.findings.total) findings. Read \(folder).")
    }

    private func held(_ summary: Summary, _ run: String, _ folder: String) -> Ending {
        let reasons = summary.implausible.map(\.sentence).joined(separator: " ")
        let release =
            summary.run.makesHistory
            ? " Or read \(folder), and if it is correct: reconcile-job release \(summary.run.id)"
                + " --by WHO --why TEXT, with this run's --database and --reports."
            : " Its reports are in \(folder)."
        return Ending(
            .held,
            "\(run) is held; later runs ignore it: \(reasons) Fix the cause and run again."
                + release)
    }
}
