import Foundation
import Testing

@testable import TestSupport
@testable import reconcile_job

@Suite("Generated files for packages")
struct GenerateTests {
    @Test("The manual page has every command, flag and exit status")
    func manual() throws {
        let page = try JobProcess(["generate", "man"]).output
        for flag in Flag.all {
            let name = flag.name.replacing("-", with: #"\-"#)
            #expect(page.contains(#".B \-\-"# + name), "\(flag.name)")
        }
        for command in CommandName.allCases {
            #expect(page.contains(".SS \"\(command.rawValue)"), "\(command)")
        }
        for code in ExitCode.allCases { #expect(page.contains(".B \(code.rawValue)\n")) }
        // roff would drop a line that begins like one of its requests.
        let requests = page.split(separator: "\n").filter { $0.hasPrefix(".") || $0.hasPrefix("'") }
        #expect(requests.allSatisfy { $0.contains(#/^\.(TH|SH|SS|TP|PP|B|I|RI)\b/#) })
    }

    @Test(
        "bash completes commands, flags and values",
        arguments: [
            (["re"], "report release retract"), (["run", "--shared"], "--shared-secrets"),
            (["run", "--evidence", ""], "none findings all"),
            (["migrate", "--roles", "a"], "apply"), (["accept", "--und"], "--undo"),
            (["check", "--max"], "--max-age"), (["run", "--rate", ""], ""),
        ] as [([String], String)])
    func bash(words: [String], completed: String) async throws {
        let script = try JobProcess(["generate", "bash"]).output
        let list = (["reconcile-job"] + words).map { "'\($0)'" }.joined(separator: " ")
        let program = """
            \(script)
            COMP_WORDS=(\(list)); COMP_CWORD=\(words.count); _reconcile_job; echo "${COMPREPLY[@]}"
            """
        let shell = try ChildProcess("/bin/bash", ["-c", program], environment: [:])
        let output = String(decoding: shell.output.readDataToEndOfFile(), as: UTF8.self)
        #expect(shell.wait() == 0)
        #expect(output == completed + "\n")
    }

    @Test(
        "zsh completes commands, flags and values",
        arguments: [
            ("rele", "release "), ("run --max-u", "run --max-unverified="),
            ("run --evidence=fi", "run --evidence=findings "), ("accept --und", "accept --undo "),
        ])
    func zsh(line: String, completed: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(try JobProcess(["generate", "zsh"]).output, to: "_reconcile-job")
        // An interactive shell on a pseudo terminal; ^X prints its line and ends it.
        let program = """
            zmodload zsh/zpty
            zpty shell env -i TERM=dumb PATH=/usr/bin:/bin zsh -f -i
            zpty -w shell "fpath=($1 \\$fpath); autoload -Uz compinit; compinit -u -D
            show() { print -r -- \\$BUFFER > $1/line; exit }; zle -N show; bindkey '^X' show"
            zpty -w -n shell "reconcile-job $2"$'\\t\\x18'
            while zpty -r shell; do :; done > /dev/null
            """
        let shell = try ChildProcess(
            "/bin/zsh", ["-f", "-c", program, "zsh", folder.path, line], environment: [:])
        _ = shell.output.readDataToEndOfFile()
        #expect(shell.wait() == 0)
        #expect(try folder.read("line") == "reconcile-job \(completed)\n")
    }

    @Test(
        "fish completes commands, flags and values",
        arguments: [
            ("rele", ["release"]), ("run --max-u", ["--max-unverified"]),
            ("run --evidence ", ["all", "findings", "none"]), ("accept --und", ["--undo"]),
        ])
    func fish(line: String, completed: [String]) throws {
        let folder = try TemporaryFolder()
        let script = try folder.write(try JobProcess(["generate", "fish"]).output, to: "job.fish")
        let shell = try ChildProcess(
            "/usr/bin/fish",
            ["--no-config", "-c", "source $argv[1]; complete -C $argv[2]", script]
                + ["reconcile-job \(line)"],
            environment: ["HOME": folder.path, "PATH": "/usr/bin:/bin"])
        let output = String(decoding: shell.output.readDataToEndOfFile(), as: UTF8.self)
        #expect(shell.wait() == 0)
        // A tab separates the word from its description.
        let words = output.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
        #expect(words.map(String.init) == completed)
    }

    @Test("The completions for zsh and fish have every flag", arguments: ["zsh", "fish"])
    func others(shell: String) throws {
        let script = try JobProcess(["generate", shell]).output
        for flag in Flag.all {
            let name = shell == "zsh" ? "--\(flag.name)" : " -l \(flag.name)"
            #expect(script.contains(name), "\(flag.name)")
        }
        #expect(try JobProcess(["generate", "csh"]).status == 64)
    }
}
