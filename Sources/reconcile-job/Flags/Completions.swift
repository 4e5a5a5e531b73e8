enum Completions {
    enum Shell: String, CaseIterable, Sendable { case bash, zsh, fish }

    static func text(for shell: Shell) -> String {
        switch shell {
        case .bash: bash
        case .zsh: zsh
        case .fish: fish
        }
    }

    private enum Values {
        case none, files, folders, anything
        case choice([String])
    }

    private static func values(of flag: Flag) -> Values {
        switch flag.form {
        case .bare: .none
        case .value(let placeholder), .list(let placeholder):
            switch placeholder {
            case "FILE": .files
            case "FOLDER": .folders
            default:
                placeholder.contains("|") && placeholder == placeholder.lowercased()
                    ? .choice(placeholder.split(separator: "|").map(String.init)) : .anything
            }
        }
    }

    private static func flags(of command: CommandName) -> [Flag] {
        Flag.all.filter { $0.commands.contains(command) }
    }

    private static var commands: String {
        CommandName.allCases.map(\.rawValue).joined(separator: " ")
    }

    // MARK: bash

    private static var bash: String {
        let flags = CommandName.allCases.map { command in
            let names = Self.flags(of: command).map { "--\($0.name)" } + ["--help"]
            return "        \(command.rawValue)) words='\(names.joined(separator: " "))' ;;"
        }
        let values = Flag.all.compactMap { flag -> String? in
            switch Self.values(of: flag) {
            case .none: return nil
            case .files: return "        --\(flag.name)) compopt -o default; return ;;"
            case .folders:
                return
                    "        --\(flag.name)) COMPREPLY=($(compgen -d -- \"$current\")); return ;;"
            case .choice(let words):
                return "        --\(flag.name)) COMPREPLY=($(compgen -W"
                    + " '\(words.joined(separator: " "))' -- \"$current\")); return ;;"
            case .anything: return "        --\(flag.name)) return ;;"
            }
        }
        return """
            # Completions of reconcile-job for bash, made by `reconcile-job generate bash`.
            _reconcile_job() {
                local current=${COMP_WORDS[COMP_CWORD]} former=${COMP_WORDS[COMP_CWORD-1]} words
                COMPREPLY=()
                if [ "$COMP_CWORD" -eq 1 ]; then
                    COMPREPLY=($(compgen -W '\(commands) --help --version' -- "$current"))
                    return
                fi
                case $former in
            \(values.joined(separator: "\n"))
                esac
                case ${COMP_WORDS[1]} in
            \(flags.joined(separator: "\n"))
                esac
                case $current in
                    -*) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
                    *) compopt -o default ;;
                esac
            }
            complete -F _reconcile_job reconcile-job

            """
    }

    // MARK: zsh

    private static var zsh: String {
        let names = CommandName.allCases.map { command in
            "        '\(command.rawValue):\(quoted(command.summary, escaping: ":"))'"
        }
        let cases = CommandName.allCases.map { command in
            let specs = flags(of: command).map { "                " + spec($0) }
            let takesFiles = command.operand?.hasPrefix("FILE") == true
            let operand = takesFiles ? " \\\n                '*:file:_files'" : ""
            return "            \(command.rawValue))\n                _arguments \\\n"
                + specs.joined(separator: " \\\n") + operand + " ;;"
        }
        return """
            #compdef reconcile-job
            # Completions of reconcile-job for zsh, made by `reconcile-job generate zsh`.
            _reconcile_job() {
                local -a commands
                commands=(
            \(names.joined(separator: "\n"))
                )
                if (( CURRENT == 2 )); then
                    _describe command commands
                    return
                fi
                local command=$words[2]
                (( CURRENT-- ))
                shift words
                case $command in
            \(cases.joined(separator: "\n"))
                esac
            }
            _reconcile_job "$@"

            """
    }

    private static func spec(_ flag: Flag) -> String {
        let help = quoted(flag.help, escaping: "[]:")
        let repeats = if case .list = flag.form { "*" } else { "" }
        let action: String
        switch values(of: flag) {
        case .none: return "'\(repeats)--\(flag.name)[\(help)]'"
        case .files: action = "file:_files"
        case .folders: action = "folder:_files -/"
        case .choice(let words): action = "value:(\(words.joined(separator: " ")))"
        case .anything: action = "value:"
        }
        return "'\(repeats)--\(flag.name)=[\(help)]:\(action)'"
    }

    // MARK: fish

    private static var fish: String {
        let commands = CommandName.allCases.map { command in
            "complete -c reconcile-job -n __fish_use_subcommand -f -a \(command.rawValue)"
                + " -d '\(quoted(command.summary))'"
        }
        let flags = Flag.all.map { flag in
            let owners = flag.commands.map(\.rawValue).joined(separator: " ")
            let condition = "-n '__fish_seen_subcommand_from \(owners)'"
            let action =
                switch values(of: flag) {
                case .none: ""
                case .files: " -r -F"
                case .folders: " -x -a '(__fish_complete_directories)'"
                case .choice(let words): " -x -a '\(words.joined(separator: " "))'"
                case .anything: " -x"
                }
            return "complete -c reconcile-job \(condition) -l \(flag.name)\(action)"
                + " -d '\(quoted(flag.help))'"
        }
        let head = "# Completions of reconcile-job for fish, made by `reconcile-job generate fish`."
        return ([head] + commands + flags).map { $0 + "\n" }.joined()
    }

    /// Escapes text for single quotes; those in `escaping` get a backslash as well.
    private static func quoted(_ text: String, escaping others: String = "") -> String {
        text.map { character -> String in
            if character == "'" { return others.isEmpty ? "\\'" : "'\\''" }
            return others.contains(character) ? "\\\(character)" : String(character)
        }.joined()
    }
}
