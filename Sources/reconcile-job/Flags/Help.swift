internal import Reconcile

enum Help {
    static func text(_ command: CommandName?) -> String {
        command.map(commandText) ?? overview
    }

    private static var overview: String {
        let commands = CommandName.allCases.map { command in
            "  " + command.rawValue.padded(to: 17) + command.summary
        }
        let statuses = ExitCode.allCases.map { code in
            "  " + String(code.rawValue).padded(to: 5) + code.meaning
        }
        return """
            reconcile-job compares stored App Store receipts with Apple's answers and with the
            entitlements that the service grants, and reports where they disagree. It never
            changes a receipt or an entitlement.

            Usage: reconcile-job <command> [flags]

            Commands:
            \(commands.joined(separator: "\n"))

            reconcile-job <command> --help shows its flags; reconcile-job --version the version.

            Exit status:
            \(statuses.joined(separator: "\n"))

            """
    }

    private static func commandText(_ command: CommandName) -> String {
        let flags = Flag.all.filter { $0.commands.contains(command) }.map(\.helpText)
        let operand = command.operand.map { $0 + " " } ?? ""
        return """
            reconcile-job \(command.rawValue): \(command.summary)

            Usage: reconcile-job \(command.rawValue) \(operand)[flags]

            Flags are written --name VALUE or --name=VALUE. Each has an environment variable, for
            example RECONCILE_LOG_FORMAT for --log-format. The flag wins; an empty variable counts
            as unset; lists are separated by commas; a flag without a value is true or false.
            If a flag is given twice, the last value counts, unless the flag is a list.

            \(flags.joined(separator: "\n"))

            """
    }
}

extension Flag {
    var synopsis: String {
        switch form {
        case .value(let placeholder), .list(let placeholder): "--\(name) \(placeholder)"
        case .bare: "--\(name)"
        }
    }

    fileprivate var helpText: String {
        let text =
            switch fallback {
            case .value(let value): "\(help) (default: \(value))"
            case .described(let words): "\(help) (default: \(words))"
            case .nothing: help
            }
        return "  " + synopsis + "\n"
            + text.wrapped(to: 88).map { "      " + $0 }.joined(
                separator: "\n")
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(1, width - count))
    }
}
