/// The commands, in the order of `--help`.
enum CommandName: String, Sendable, CaseIterable {
    case run, doctor, check, inspect, validate, serve
    case openKey = "open-key"
    case keys, explain, evidence
    case exportReceipts = "export-receipts"
    case runs, diff, report, verify, migrate, accept, release, retract, prune, simulate, generate

    var summary: String {
        switch self {
        case .run: "re-validate the stored receipts with Apple and publish the night's reports"
        case .doctor: "check a set-up without judging a receipt; each line says what to do"
        case .check: "tell a monitor whether runs go on being published"
        case .inspect: "judge a receipt on its own, by its signature and without a network"
        case .validate: "answer one request on stdin: which assets a receipt unlocks, with keys"
        case .serve: "answer such requests over SCGI, behind nginx"
        case .openKey: "say what the download key on stdin opens"
        case .keys: "print a line for the file of keys that download keys are sealed with"
        case .explain: "say what a run says of one customer, and what it stood on"
        case .evidence: "print Apple's answer that a finding or a receipt stands on"
        case .exportReceipts: "print the newest receipts that Apple signed, to store them back"
        case .runs: "list the newest runs: when, what they came to, how they ended"
        case .diff: "show which findings two runs do not share; status 1 if they differ"
        case .report: "write the folder of a run again, byte for byte as it was published"
        case .verify: "prove that a published folder is whole and ties out, by its files alone"
        case .migrate: "make or upgrade the job's own tables, or its role; safe to run again"
        case .accept: "accept a known finding: shown as accepted, outside money and --fail-on"
        case .release: "make the newest run count that a guard held"
        case .retract: "take the newest published run out of history, as if it had not been"
        case .prune: "remove evidence and history of ended runs that may go"
        case .generate: "print the manual page, or what a shell completes"
        case .simulate: "stand in for Apple's two servers, on loopback, with customers of its own"
        }
    }

    /// What follows the command and is no flag; nil: nothing.
    var operand: String? {
        switch self {
        case .accept: "FINDING"
        case .release, .retract, .report: "RUN"
        case .diff: "RUN RUN"
        case .verify: "FOLDER"
        case .inspect: "FILE|-"
        case .generate: "man|bash|zsh|fish"
        case .keys: "new"
        case .run, .doctor, .check, .validate, .serve, .openKey, .explain, .evidence,
            .exportReceipts, .runs, .migrate, .prune, .simulate:
            nil
        }
    }
}
