import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport
@testable import reconcile_job

@Suite("The program's description of itself")
struct GenerateTests {
    @Test("The help shows the version, the job and each command, with every flag and exit status")
    func help() throws {
        for word in ["--help", "-h", "help"] {
            let process = try JobProcess([word]).ends(out: ExitCode.allCases.map(\.meaning))
            #expect(process.error.isEmpty)
        }
        for command in CommandName.allCases {
            let process = try JobProcess([command.rawValue, "--rate", "--help"]).ends()
            #expect(process.error.isEmpty)
            for flag in Flag.all {
                let isShown = process.output.contains("\n  \(flag.synopsis)\n")
                #expect(isShown == flag.commands.contains(command), "\(flag.name)")
            }
            #expect(process.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
        }
        #expect(try JobProcess(["--version"]).ends().output == "reconcile-job \(Version.text)\n")
        // The last line is JSON where the log format is.
        try JobProcess(line: "run --log-format=json --sandbox-url=ftp://h")
            .ends(78, last: [#""event":"exit","code":78,"message":"--sandbox-url"#])
    }

    @Test("The manual page has every command, flag and exit status, and zsh and fish every flag")
    func whole() throws {
        let texts = try ["man", "zsh", "fish"].map { try JobProcess(["generate", $0]).output }
        for flag in Flag.all {
            let name = "--" + flag.name
            let marks = [".B " + name.replacing("-", with: #"\-"#), name, " -l " + flag.name]
            for (text, mark) in zip(texts, marks) { #expect(text.contains(mark), "\(mark)") }
        }
        for command in CommandName.allCases {
            #expect(texts[0].contains(".SS \"\(command.rawValue)"), "\(command)")
        }
        for code in ExitCode.allCases { #expect(texts[0].contains(".B \(code.rawValue)\n")) }
        // roff would drop a line that begins like one of its requests.
        let requests = texts[0].split(separator: "\n").filter { $0.contains(#/^[.']/#) }
        #expect(requests.allSatisfy { $0.contains(#/^\.(TH|SH|SS|TP|PP|B|I|RI)\b/#) })
    }

    /// Programs for the shells that print the completions of $2 by the script in the folder $1.
    private static let programs = [
        "bash": #"""
        . "$1/_reconcile-job"
        COMP_WORDS=(reconcile-job $2); [[ $2 == *" " ]] && COMP_WORDS+=("")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _reconcile_job; echo "${COMPREPLY[@]}"
        """#,
        // An interactive shell on a pseudo terminal; ^X prints its line and ends it.
        "zsh": #"""
        zmodload zsh/zpty
        zpty shell env -i TERM=dumb PATH=/usr/bin:/bin zsh -f -i
        zpty -w shell "fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -D
        show() { print -r -- \$BUFFER > $1/line; exit }; zle -N show; bindkey '^X' show"
        zpty -w -n shell "reconcile-job $2"$'\t\x18'
        while zpty -r shell; do :; done > /dev/null
        print -r -- "${$(<$1/line)#reconcile-job }"
        """#,
        "fish": #"""
        source $argv[2]/_reconcile-job; complete -C "reconcile-job $argv[3]"
        """#,
    ]

    @Test(
        "bash, zsh and fish complete commands, flags and values",
        arguments: textTable(
            """
            bash | re | report release retract
            bash | run --shared | --shared-secrets
            bash | run --evidence␣ | none findings all
            bash | migrate --roles a | apply
            bash | accept --und | --undo
            bash | check --max | --max-age
            bash | run --rate␣ |
            zsh | rele | release␣
            zsh | run --max-u | run --max-unverified=
            zsh | run --evidence=fi | run --evidence=findings␣
            zsh | accept --und | accept --undo␣
            fish | rele | release
            fish | run --max-u | --max-unverified
            fish | run --evidence␣ | all findings none
            fish | accept --und | --undo
            """))
    func completes(row: [String]) throws {
        let folder = try TemporaryFolder()
        let flag = ["fish": "--no-config", "zsh": "-f", "bash": "--norc"][row[0]] ?? ""
        let output = try Shell.output(
            of: """
                reconcile-job generate \(row[0]) > _reconcile-job
                exec \(row[0]) \(flag) -c "$PROGRAM" \(row[0]) "$PWD" "$WORDS"
                """,
            [
                "PROGRAM": Self.programs[row[0]] ?? "", "HOME": folder.path,
                "WORDS": row[1].replacing("␣", with: " "),
            ], in: folder.path)
        // In fish a tab separates the word from its description.
        let found = output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
        #expect(found.joined(separator: " ") == row[2].replacing("␣", with: " "))
    }

    @Test("Installing a package by the scripts changes no variable of the script that asks for it")
    func keepsVariables() throws {
        let folder = try TemporaryFolder()
        for program in ["apt-get", "sudo"] {
            _ = try folder.write("#!/bin/sh\nexit 0\n", to: program, mode: 0o755)
        }
        let repository = URL(fileURLWithPath: #filePath).appending(path: "../../..").standardized
        let output = try Shell.output(
            of: """
                PATH=$PWD:$PATH; root=kept; apt=kept; script=scripts/test
                . "$REPOSITORY/scripts/lib/prepare"; install jq; echo "$root $apt"
                """, ["REPOSITORY": repository.path], in: folder.path)
        #expect(output == "kept kept\n")
    }
}

@Suite("A verdict")
struct VerdictTests {
    /// Unverified receipts, of how many, their limit, the severest finding, and --fail-on.
    @Test(
        "The status is 3 for an incomplete run, else 1 for findings that --fail-on names",
        arguments: textTable(
            """
            10 of 1000 | 1% | info | none | 0
            11 of 1000 | 1% | info | none | 3
            0 of 0 | 0% | info | none | 0
            5 of 10 | 5 | info | none | 0
            6 of 1000000 | 5 | info | none | 3
            10 of 10 | 100% | info | none | 0
            late, 0 of 10 | 5 | info | none | 3
            0 of 0 | 0 | critical | none | 0
            0 of 0 | 0 | critical | high | 1
            0 of 0 | 0 | high | high | 1
            0 of 0 | 0 | medium | high | 0
            0 of 0 | 0 | info | low | 0
            0 of 0 | 0 | low | low | 1
            late, 0 of 0 | 0 | critical | critical | 3
            """))
    func statuses(row: [String]) throws {
        var configuration = Configuration()
        configuration.maxUnverified = try FlagValue.allowance(row[1])
        configuration.failOn = try FlagValue.choice(row[3])
        let numbers = row[0].matches(of: #/\d+/#).compactMap { Int($0.output) }
        var receipts = ReceiptTally()
        receipts.unverified = numbers[0]
        receipts.inScope = numbers[1]
        var findings = FindingTally()
        findings.add(
            try #require(FindingKind(rawValue: "expired_still_granted")),
            try #require(Severity(rawValue: row[2])))
        let asOf = Instant(milliseconds: 1_795_140_000_000)
        let verdict = Verdict(configuration)
        let summary = RunSummary(
            run: Run(id: RunID(startedAt: asOf, suffix: 1), asOf: asOf, scope: .everything),
            status: verdict.status(of: receipts, isPastMaxRuntime: row[0].contains("late")),
            receipts: receipts, entitlements: EntitlementTally(), findings: findings,
            requests: RequestTally(), oldestVerifiedAt: nil)
        let ending = verdict.ending(summary, in: "reports/x")
        #expect("\(ending.exit.rawValue)" == row[4])
        #expect(ending.message.contains("reports/x"))
    }

    @Test("The status is 69 only when a run asked Apple and got no answer; each error has its own")
    func errors() throws {
        let verdict = Verdict(Configuration())
        var requests = RequestTally()
        try verdict.requireAnswers(requests)
        requests.sent = 4
        let error = #expect(throws: Ending.self) { try verdict.requireAnswers(requests) }
        #expect(error?.exit == .unavailable)
        requests.byHTTPStatus[503] = 1
        try verdict.requireAnswers(requests)
        #expect(Ending(ReportError(.doesNotTie("x"), path: "x")).exit == .broken)
        #expect(Ending(ReportError(.contentMismatch("x"), path: "x")).exit == .inputOutput)
        #expect(Ending(CancellationError()).exit == .broken)
    }
}
