/// The manual page in roff, generated from the tables that the parser uses.
enum Manual {
    static var text: String {
        let head = [
            #".TH RECONCILE-JOB 1 "" "reconcile-job \#(Version.release)" "User Commands""#,
            ".SH NAME",
            #"reconcile-job \- audit stored App Store receipts against Apple and the entitlements"#,
            ".SH SYNOPSIS", ".B reconcile-job", ".I command", ".RI [ flags ]", ".SH DESCRIPTION",
            "Compares stored App Store receipts with Apple's answers and with the entitlements that"
                + " the service grants, and reports where they disagree. It never changes a receipt"
                + " or an entitlement.",
            ".PP",
            "Flags are written --name VALUE or --name=VALUE. Each has an environment variable, for"
                + " example RECONCILE_LOG_FORMAT for --log-format; the flag wins. No password"
                + " and no shared secret is given by a flag.",
        ].map { $0.hasPrefix(".") || $0.hasPrefix("reconcile-job \\-") ? $0 : escaped($0) }
        let commands = CommandName.allCases.flatMap(section)
        let statuses =
            [".SH EXIT STATUS"]
            + ExitCode.allCases.flatMap {
                [".TP", ".B \($0.rawValue)", escaped($0.meaning)]
            }
        let lines =
            head + [".SH COMMANDS"] + commands + [".SH EVERY COMMAND"]
            + everywhere.flatMap(paragraph) + statuses
        return lines.map { $0 + "\n" }.joined()
    }

    private static var everywhere: [Flag] {
        Flag.all.filter { $0.commands.count == CommandName.allCases.count }
    }

    private static func section(_ command: CommandName) -> [String] {
        let flags = Flag.all.filter {
            $0.commands.contains(command) && $0.commands.count < CommandName.allCases.count
        }
        let operand = command.operand.map { " " + escaped($0) } ?? ""
        return [
            #".SS "\#(command.rawValue)\#(operand)""#, escaped(command.summary),
        ] + flags.flatMap(paragraph)
    }

    private static func paragraph(_ flag: Flag) -> [String] {
        let ending =
            switch flag.fallback {
            case .value(let value): " (default: \(value))"
            case .described(let words): " (default: \(words))"
            case .nothing: ""
            }
        return [".TP", ".B " + escaped(flag.synopsis), escaped(flag.help + ending)]
    }

    /// Escapes a line for roff: hyphens become minus signs, and no line is taken for a request.
    private static func escaped(_ text: String) -> String {
        let line = text.map { character -> String in
            switch character {
            case "\\": #"\e"#
            case "-": #"\-"#
            case "–": #"\(en"#
            default: String(character)
            }
        }.joined()
        return line.hasPrefix(".") || line.hasPrefix("'") ? #"\&"# + line : line
    }
}
