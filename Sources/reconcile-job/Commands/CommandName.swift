/// The commands, in the order of `--help`.
enum CommandName: String, Sendable, CaseIterable {
    case run, doctor, check, inspect, validate, serve
    case openKey = "open-key"
    case keys, explain, evidence
    case exportReceipts = "export-receipts"
    case runs, period, diff, report, verify
    case tieOut = "tie-out"
    case signOff = "sign-off"
    case migrate, accept, release, retract, prune, simulate, generate

    var summary: String {
        switch self {
        case .run: "re-validate the stored receipts with Apple and publish reports"
        case .doctor: "check the setup without judging a receipt; each line says what to do"
        case .check: "tell a monitor whether runs are published on time"
        case .inspect: "judge one receipt or JWS offline, by its signature"
        case .validate: "answer one request on stdin: which assets a receipt unlocks, with keys"
        case .serve: "answer validation requests over SCGI, behind nginx"
        case .openKey: "print which asset the download key on stdin opens"
        case .keys: "print a new line for the download key file"
        case .explain: "show what a run found about one customer, and its evidence"
        case .evidence: "print the App Store answer behind a finding or a receipt"
        case .exportReceipts: "print the newest receipt that Apple signed for each user and app"
        case .runs: "list the newest runs: when they ran, their results, how they ended"
        case .period: "add up a month, a fiscal month or other days: refunds, and what moved"
        case .diff: "show which findings differ between two runs; status 1 if any do"
        case .report: "write a run's folder again, byte for byte as it was published"
        case .verify: "check from its files alone that a published folder is complete and adds up"
        case .signOff: "record who answers for the bytes of a folder: a preparer, then a reviewer"
        case .tieOut: "compare the published units with Apple's sales or finance reports"
        case .migrate: "set up or upgrade the job's own tables, or the roles; safe to run again"
        case .accept: "accept a known finding: not counted in sums of money or by --fail-on"
        case .release: "release the newest run if a guard held it: later runs count it"
        case .retract: "remove the newest published run from history: later runs ignore it"
        case .prune: "remove old evidence, history and report folders of ended runs"
        case .generate: "print the manual page, or a shell's completion script"
        case .simulate: "simulate Apple's two servers on loopback, with generated customers"
        }
    }

    /// Whether it may hold what is not stored or published yet. Others end at once when stopped.
    var hasWorkToSave: Bool {
        switch self {
        case .run, .validate, .serve, .period, .report, .tieOut, .signOff, .migrate, .accept,
            .release, .retract, .prune, .simulate:
            true
        case .doctor, .check, .inspect, .openKey, .keys, .explain, .evidence, .exportReceipts,
            .runs, .diff, .verify, .generate:
            false
        }
    }

    /// One word for each operand, as in the usage line; nil for none.
    var operand: String? {
        switch self {
        case .accept: "FINDING"
        case .release, .retract, .report: "RUN"
        case .diff: "RUN RUN"
        case .verify: "FOLDER"
        case .signOff: "FOLDER|RUN"
        case .tieOut: "FILE..."
        case .inspect: "FILE|-"
        case .generate: "man|bash|zsh|fish"
        case .keys: "new"
        case .run, .doctor, .check, .validate, .serve, .openKey, .explain, .evidence,
            .exportReceipts, .runs, .period, .migrate, .prune, .simulate:
            nil
        }
    }

    /// `FILE...` is any number of files.
    var mostOperands: Int {
        guard let operand else { return 0 }
        return operand.hasSuffix("...") ? .max : operand.split(separator: " ").count
    }
}
