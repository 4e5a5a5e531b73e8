import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport
@testable import reconcile_job

/// To add a case of a completion: a `Completion`.
@Suite("The program's description of itself")
struct GenerateTests {
    @Test("The help shows the version, the job and each command, with every flag and exit status")
    func help() async throws {
        for word in ["--help", "-h", "help"] {
            let help = try await JobProcess(word).exits().logsNothing()
            for code in ExitCode.allCases { help.prints(code.meaning) }
        }
        for command in CommandName.allCases {
            let help = try await JobProcess(command.rawValue, "--rate", "--help").exits()
                .logsNothing()
            for flag in Flag.all {
                let isShown = help.output.contains("\n  \(flag.synopsis)\n")
                #expect(isShown == flag.commands.contains(command), "\(flag.name)")
            }
            for line in help.lines { #expect(line.count <= 100) }
        }
        try await JobProcess("--version").exits().printsOnly("reconcile-job \(Version.text)")
    }

    @Test("The manual page has every command, flag and exit status, and zsh and fish every flag")
    func whole() async throws {
        let manual = try await JobProcess("generate", "man").exits()
        let zsh = try await JobProcess("generate", "zsh").exits()
        let fish = try await JobProcess("generate", "fish").exits()
        for flag in Flag.all {
            // roff needs a backslash before a hyphen.
            let escaped = ("--" + flag.name).split(separator: "-", omittingEmptySubsequences: false)
                .joined(separator: #"\-"#)
            manual.prints(".B " + escaped)
            zsh.prints("--" + flag.name)
            fish.prints(" -l " + flag.name)
        }
        for command in CommandName.allCases { manual.prints(".SS \"\(command.rawValue)") }
        for code in ExitCode.allCases { manual.prints(".B \(code.rawValue)\n") }
        // roff would drop a line that begins like one of its requests.
        let requests: Set = [".TH", ".SH", ".SS", ".TP", ".PP", ".B", ".I", ".RI"]
        for line in manual.lines where line.hasPrefix(".") || line.hasPrefix("'") {
            #expect(requests.contains(String(line.prefix { $0 != " " })), "\(line)")
        }
    }

    @Test("Installing a package by the scripts changes no variable of the script that asks for it")
    func keepsVariables() async throws {
        let folder = try TemporaryFolder()
        for name in ["sudo", "apt-get"] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path + "/" + name, withDestinationPath: "/usr/bin/true")
        }
        let repository = URL(fileURLWithPath: #filePath).appending(path: "../../../..").standardized
        // A shell, because the file is a part of shell scripts.
        let script = """
            root=kept; apt=kept; script=scripts/test
            . "\(repository.path)/scripts/lib/prepare"; install jq; echo "$root $apt"
            """
        let shell = try ChildProcess(
            "/bin/sh", ["-c", script], environment: ["PATH": folder.path + ":/usr/bin:/bin"],
            in: folder.path)
        await shell.finish().exits().printsOnly("kept kept")
    }

    @Test("Each error has its exit status")
    func errors() {
        #expect(Ending(ReportError(.doesNotTie("x"), path: "x")).exit == .broken)
        #expect(Ending(ReportError(.contentMismatch("x"), path: "x")).exit == .inputOutput)
        #expect(Ending(CancellationError()).exit == .broken)
    }

    struct Completion: CustomTestStringConvertible, Sendable {
        let shell: Shell
        /// What the user has typed after the program's name.
        let typed: String
        /// The words that the shell offers, or, of zsh, the line that it makes.
        let offered: String

        var testDescription: String { "\(shell): \(typed)" }

        init(_ shell: Shell, _ typed: String, _ offered: String) {
            self.shell = shell
            self.typed = typed
            self.offered = offered
        }
    }

    @Test(
        "bash, zsh and fish complete commands, flags and values",
        arguments: [
            Completion(.bash, "re", "report release retract"),
            Completion(.bash, "run --shared", "--shared-secrets"),
            Completion(.bash, "run --evidence ", "none findings all"),
            Completion(.bash, "migrate --roles a", "apply"),
            Completion(.bash, "accept --und", "--undo"),
            Completion(.bash, "run --rate ", ""),
            Completion(.zsh, "rele", "release "),
            Completion(.zsh, "run --max-u", "run --max-unverified="),
            Completion(.zsh, "run --evidence=fi", "run --evidence=findings "),
            Completion(.zsh, "accept --und", "accept --undo "),
            Completion(.fish, "rele", "release"),
            Completion(.fish, "run --max-u", "--max-unverified"),
            Completion(.fish, "run --evidence ", "all findings none"),
        ])
    func completes(completion: Completion) async throws {
        let folder = try TemporaryFolder()
        let shell = completion.shell
        let generated = try await JobProcess("generate", shell.rawValue).exits()
        try folder.write(generated.output, to: "_reconcile-job")
        let words = [shell.withoutSettings, "-c", shell.program, shell.rawValue, folder.path]
        let job = try ChildProcess(
            "/usr/bin/" + shell.rawValue, words + [completion.typed],
            environment: ["PATH": "/usr/bin:/bin", "HOME": folder.path], in: folder.path)
        // In fish a tab separates the word from its description.
        let found = await job.finish().lines.map { String($0.prefix { $0 != "\t" }) }
        #expect(found.joined(separator: " ") == completion.offered)
    }
}

/// The shells themselves are the subject here: only they can load the generated scripts.
enum Shell: String, Sendable {
    case bash, zsh, fish

    var withoutSettings: String {
        switch self {
        case .bash: "--norc"
        case .zsh: "-f"
        case .fish: "--no-config"
        }
    }

    /// In the shell's language: prints the completions of $2 by the script in the folder $1.
    var program: String {
        switch self {
        case .bash:
            #"""
            . "$1/_reconcile-job"
            COMP_WORDS=(reconcile-job $2); [[ $2 == *" " ]] && COMP_WORDS+=("")
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _reconcile_job; echo "${COMPREPLY[@]}"
            """#
        // An interactive shell on a pseudo terminal; ^X prints its line and ends it.
        case .zsh:
            #"""
            zmodload zsh/zpty
            zpty shell env -i TERM=dumb PATH=/usr/bin:/bin zsh -f -i
            zpty -w shell "fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -D
            show() { print -r -- \$BUFFER > $1/line; exit }; zle -N show; bindkey '^X' show"
            zpty -w -n shell "reconcile-job $2"$'\t\x18'
            while zpty -r shell; do :; done > /dev/null
            print -r -- "${$(<$1/line)#reconcile-job }"
            """#
        case .fish: #"source $argv[2]/_reconcile-job; complete -C "reconcile-job $argv[3]""#
        }
    }
}
