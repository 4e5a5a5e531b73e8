internal import Reconcile

enum Invocation: Equatable, Sendable {
    case help(CommandName?)
    case version
    case command(CommandName, Configuration)
}

/// Parses the command line. Flags override environment variables, which override the defaults.
struct Arguments {
    /// The value of an environment variable; empty counts as unset.
    let environment: (String) -> String?

    /// - Parameter words: the command line without the program's name.
    /// - Throws: an ending with status 64 that names the flag and what it accepts.
    func invocation(_ words: [String]) throws(Ending) -> Invocation {
        guard let first = words.first else {
            throw Ending(.usage, "No command is given. Try `reconcile-job --help`.")
        }
        if first == "--help" || first == "-h" || first == "help" { return .help(nil) }
        if first == "--version" { return .version }
        guard let command = CommandName(rawValue: first) else { throw unknownCommand(first) }
        let rest = Array(words.dropFirst())
        if rest.contains("--help") || rest.contains("-h") { return .help(command) }
        return .command(command, try configuration(of: command, given(rest, command)))
    }

    /// Values by flag name. Of a flag given twice the last value counts (of a list all), so that a
    /// wrapper script's flags can be overridden. Every value is checked.
    private func given(
        _ words: [String], _ command: CommandName
    ) throws(Ending) -> [String: [String]] {
        var given: [String: [String]] = [:]
        var rest = words[...]
        while let word = rest.popFirst() {
            let isName = !word.hasPrefix("-") || word == "-"
            if isName, given[Self.operand, default: []].count < command.mostOperands {
                given[Self.operand, default: []].append(word)
                continue
            }
            guard word.hasPrefix("--"), word != "--" else {
                throw stray(words.count - rest.count + 1, command)
            }
            let parts = word.dropFirst(2).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let flag = try flag(String(parts[0]), command)
            var value = parts.count > 1 ? String(parts[1]) : nil
            if flag.form == .bare {
                guard value == nil else {
                    throw usage(command, "--\(flag.name) takes no value. Leave out the `=`.")
                }
                value = "true"
            } else if value == nil, let next = rest.first, !next.hasPrefix("--") {
                value = rest.removeFirst()
            }
            guard let value else {
                throw usage(command, "--\(flag.name) needs a value: \(flag.synopsis).")
            }
            given[flag.name, default: []].append(value)
        }
        return given
    }

    private func configuration(
        of command: CommandName, _ given: [String: [String]]
    ) throws(Ending) -> Configuration {
        var configuration = Configuration()
        for flag in Flag.all where flag.commands.contains(command) {
            let source = given[flag.name].map { ("--" + flag.name, Flag.Origin.commandLine, $0) }
            guard let (name, origin, values) = source ?? variable(of: flag) else { continue }
            configuration.given.insert(flag.name)
            for value in values {
                do {
                    try flag.store(value, origin, &configuration)
                } catch {
                    let reason = (error as? InvalidValue)?.reason ?? "\(error)"
                    throw usage(command, "\(name): \(reason)")
                }
            }
        }
        if let operand = command.operand {
            try store(given[Self.operand] ?? [], as: operand, of: command, &configuration)
        }
        try check(configuration, of: command)
        if command == .tieOut { try checkRange(configuration.period) }
        if command == .period { try checkDays(configuration) }
        return configuration
    }

    private func checkDays(_ configuration: Configuration) throws(Ending) {
        do throws(InvalidValue) {
            _ = try configuration.period.days()
        } catch {
            throw usage(.period, error.reason)
        }
    }

    private func check(
        _ configuration: Configuration, of command: CommandName
    ) throws(Ending) {
        if configuration.limit != nil
            && !(configuration.users.isEmpty && configuration.receipts.isEmpty)
        {
            throw usage(
                command, "--limit cannot be combined with --user or --receipt. Choose one.")
        }
        if configuration.joins, configuration.startsAnew || configuration.replay != nil {
            throw usage(
                command,
                "--join works on the current run; --new and --replay start another."
                    + " Choose one.")
        }
        if configuration.isDryRun, configuration.joins || configuration.replay != nil {
            throw usage(
                command,
                "--dry-run is about a new run; leave out --join and --replay.")
        }
        let isPartial = !configuration.scope.isEverything
        if configuration.isTrial, configuration.joins || configuration.replay != nil || isPartial {
            throw usage(
                command,
                "--trial judges everything anew. It cannot be combined with --join, --replay,"
                    + " --user, --receipt or --limit. Choose one.")
        }
        let asks =
            command != .evidence && !configuration.isOffline && configuration.replay == nil
        if asks, configuration.apiKeys == nil {
            let flag =
                configuration.source != .verifyReceipt
                ? "--source \(configuration.source.rawValue)"
                : configuration.sweepsRefunds ? "--refund-sweep" : nil
            if let flag {
                throw usage(
                    command,
                    "\(flag) asks the App Store Server API, which needs keys. Give --api-keys.")
            }
        }
        if configuration.isOffline, configuration.replay != nil {
            throw usage(
                command,
                "--offline cannot be combined with --replay: --offline judges receipts, --replay"
                    + " recorded answers. Choose one.")
        }
    }

    /// Key of the operands in `given`; no flag has an empty name.
    static let operand = ""

    private func variable(of flag: Flag) -> (String, Flag.Origin, [String])? {
        for name in [flag.variable, flag.otherVariable].compactMap(\.self) {
            guard let text = environment(name), !text.isEmpty else { continue }
            guard flag.isList else { return (name, .environment, [text]) }
            let values = text.split(separator: ",").map { String($0.trimmingBlanks) }
            return (name, .environment, values.filter { !$0.isEmpty })
        }
        return nil
    }

    private func flag(_ name: String, _ command: CommandName) throws(Ending) -> Flag {
        let named = Flag.all.first { $0.name == name }
        if let named, named.commands.contains(command) { return named }
        if let named {
            let owners = named.commands.map { "`\($0.rawValue)`" }.joined(separator: ", ")
            throw usage(command, "--\(name) is a flag of \(owners), not of `\(command.rawValue)`.")
        }
        let names = Flag.all.filter { $0.commands.contains(command) }.map(\.name)
        let hint = Suggestion.nearest(to: name, in: names).map { " Did you mean --\($0)?" } ?? ""
        throw usage(command, "--\(name) is not a flag of `\(command.rawValue)`.\(hint)")
    }

    /// Reports the position and not the word, which may be a misplaced secret.
    private func stray(_ position: Int, _ command: CommandName) -> Ending {
        usage(
            command,
            "Word \(position) of the command line is neither a flag nor the value of one. "
                + "Write --name VALUE or --name=VALUE.")
    }

    private func unknownCommand(_ word: String) -> Ending {
        if word.hasPrefix("-") {
            return Ending(
                .usage, "The command comes first, then its flags. Try `reconcile-job --help`.")
        }
        let names = CommandName.allCases.map(\.rawValue)
        let hint = Suggestion.nearest(to: word, in: names).map { " Did you mean `\($0)`?" } ?? ""
        let all = names.joined(separator: ", ")
        return Ending(
            .usage,
            "`\(word)` is not a command.\(hint) The commands are: \(all). "
                + "Try `reconcile-job --help`.")
    }

    func usage(_ command: CommandName, _ message: String) -> Ending {
        Ending(.usage, message + " Try `reconcile-job \(command.rawValue) --help`.")
    }
}

extension Flag {
    fileprivate var isList: Bool {
        if case .list = form { return true }
        return false
    }
}

extension Substring {
    fileprivate var trimmingBlanks: Substring {
        var rest = drop { $0 == " " || $0 == "\t" }
        while rest.last == " " || rest.last == "\t" { rest.removeLast() }
        return rest
    }
}
