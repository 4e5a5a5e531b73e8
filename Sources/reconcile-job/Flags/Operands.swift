internal import Reconcile

extension Arguments {
    func store(
        _ words: [String], as operand: String, of command: CommandName,
        _ configuration: inout Configuration
    ) throws(Ending) {
        let word = words.first
        switch command {
        case .accept: try storeFinding(word, operand, &configuration)
        case .release, .retract:
            try storeRun(word, operand, command, &configuration)
            try requireReasons(command, configuration.acceptance)
        case .report: try storeRun(word, operand, command, &configuration)
        case .diff:
            guard words.count == 2, !words.contains("") else {
                throw usage(
                    command, "`diff` needs two runs, the older one first: ids, latest or previous.")
            }
            configuration.run = words[0]
            configuration.otherRun = words[1]
        case .generate:
            guard let word, let what = GenerateCommand.What(rawValue: word) else {
                throw usage(command, "`generate` needs one of man, bash, zsh and fish.")
            }
            configuration.generated = what
        case .inspect:
            guard (word?.isEmpty ?? true) == !configuration.receipts.isEmpty else {
                throw usage(command, "`inspect` needs either \(operand) or --receipt ID.")
            }
            if let word { configuration.inspection.file = word }
        case .verify:
            guard let word, !word.isEmpty else {
                throw usage(command, "`verify` needs a folder: of a run, a period or a tie-out.")
            }
            configuration.folder = word
        case .signOff: try storeSigned(word, operand, &configuration)
        case .tieOut:
            guard word != nil, !words.contains("") else {
                throw usage(
                    command,
                    "`tie-out` needs report files of App Store Connect, as downloaded: the daily"
                        + " Summary Sales Reports, or the financial detail.")
            }
            configuration.tieOut.files = words
        case .keys:
            guard word == "new" else { throw usage(command, "`keys` needs one word: `keys new`.") }
        case .run, .doctor, .check, .validate, .serve, .openKey, .explain, .evidence,
            .exportReceipts, .runs, .period, .migrate, .prune, .simulate:
            break
        }
    }

    private func storeSigned(
        _ word: String?, _ operand: String, _ configuration: inout Configuration
    ) throws(Ending) {
        guard let word, !word.isEmpty else {
            throw usage(
                .signOff,
                "\(operand) is missing: a folder in --reports, or a run_id, latest or previous.")
        }
        configuration.folder = word
        let by = configuration.acceptance.by
        guard SignOff.isPerson(by), by.utf8.count <= 200 else {
            throw usage(.signOff, "--by WHO is missing, or says nothing: who signs, in 200 bytes?")
        }
        guard configuration.signing.role != nil else {
            throw usage(.signOff, "--as is missing: preparer or reviewer.")
        }
        let note = configuration.signing.note
        guard SignOff.isPerson(note), note.utf8.count <= 2_000 else {
            throw usage(
                .signOff,
                "--note TEXT is missing, or says nothing: what is signed, in 2,000 bytes?")
        }
    }

    private func storeFinding(
        _ word: String?, _ operand: String, _ configuration: inout Configuration
    ) throws(Ending) {
        guard !configuration.acceptance.isList else {
            guard word == nil else {
                throw usage(.accept, "--list shows every accepted finding. Leave out the id.")
            }
            return
        }
        configuration.acceptance.finding = try finding(word, operand)
        try requireReasons(.accept, configuration.acceptance)
    }

    private func storeRun(
        _ word: String?, _ operand: String, _ command: CommandName,
        _ configuration: inout Configuration
    ) throws(Ending) {
        guard let word, !word.isEmpty else {
            throw usage(
                command, "\(operand) is missing: the run_id of the run, latest or previous.")
        }
        configuration.run = word
    }

    private func finding(_ word: String?, _ operand: String) throws(Ending) -> String {
        guard let word else {
            throw usage(.accept, "\(operand) is missing: the finding_id of a report's row.")
        }
        do throws(InvalidValue) {
            return try FlagValue.findingID(word)
        } catch {
            throw usage(.accept, "\(operand): \(error.reason)")
        }
    }

    private func requireReasons(
        _ command: CommandName, _ settings: AcceptanceSettings
    ) throws(Ending) {
        if settings.by.isEmpty { throw usage(command, "--by WHO is missing: who decided it?") }
        if settings.why.isEmpty { throw usage(command, "--why TEXT is missing: for what reason?") }
    }

    func checkRange(_ days: PeriodSettings) throws(Ending) {
        guard (days.from == nil) == (days.to == nil) else {
            throw usage(.tieOut, "--from and --to go together. Give both, or neither.")
        }
        guard days.from == nil || days.range != nil else {
            throw usage(.tieOut, "--to is before --from. Give the first day, then the last.")
        }
    }
}
