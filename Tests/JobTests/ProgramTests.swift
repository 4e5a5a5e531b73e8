import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport
@testable import reconcile_job

@Suite("The program's description of itself")
struct GenerateTests {
    @Test("The help shows the version, the job and each command, with every flag and exit status")
    func help() throws {
        for arguments in [["--help"], ["-h"], ["help"]] {
            let process = try JobProcess(arguments).ends(out: ExitCode.allCases.map(\.meaning))
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
        let version = try JobProcess(["--version"]).ends()
        #expect(version.output == "reconcile-job \(Version.text)\n")
    }

    @Test("The last line is JSON where the log format is JSON")
    func json() throws {
        try JobProcess(["run", "--log-format=json", "--sandbox-url=ftp://h"])
            .ends(78, last: [#""event":"exit","code":78,"message":"--sandbox-url"#])
    }

    @Test("The manual page has every command, flag and exit status, and zsh and fish every flag")
    func whole() throws {
        let page = try JobProcess(["generate", "man"]).output
        let zsh = try JobProcess(["generate", "zsh"]).output
        let fish = try JobProcess(["generate", "fish"]).output
        for flag in Flag.all {
            let name = flag.name.replacing("-", with: #"\-"#)
            #expect(page.contains(#".B \-\-"# + name), "\(flag.name)")
            #expect(zsh.contains("--\(flag.name)"), "\(flag.name)")
            #expect(fish.contains(" -l \(flag.name)"), "\(flag.name)")
        }
        for command in CommandName.allCases {
            #expect(page.contains(".SS \"\(command.rawValue)"), "\(command)")
        }
        for code in ExitCode.allCases { #expect(page.contains(".B \(code.rawValue)\n")) }
        // roff would drop a line that begins like one of its requests.
        let requests = page.split(separator: "\n").filter { $0.hasPrefix(".") || $0.hasPrefix("'") }
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
        _ = try folder.write(try JobProcess(["generate", row[0]]).output, to: "_reconcile-job")
        let shell = try ChildProcess(
            "/usr/bin/\(row[0])",
            [row[0] == "fish" ? "--no-config" : row[0] == "zsh" ? "-f" : "--norc", "-c"]
                + [Self.programs[row[0]] ?? "", row[0], folder.path]
                + [row[1].replacing("␣", with: " ")],
            environment: ["HOME": folder.path, "PATH": "/usr/bin:/bin"])
        let output = String(decoding: shell.output.readDataToEndOfFile(), as: UTF8.self)
        #expect(shell.wait() == 0)
        // In fish a tab separates the word from its description.
        let words = output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
        #expect(words.joined(separator: " ") == row[2].replacing("␣", with: " "))
    }
}

@Suite("A verdict")
struct VerdictTests {
    /// The receipts without a verdict of how many, their limit, the gravest finding, and --fail-on.
    @Test("The status is 3 for an incomplete run, else 1 for findings that --fail-on names")
    func statuses() throws {
        for row in textTable(
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
            """)
        {
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
            #expect("\(ending.exit.rawValue)" == row[4], "\(row)")
            #expect(ending.message.contains("reports/x"))
        }
    }

    @Test("The status is 69 only when the run asked Apple and got no answer")
    func answers() throws {
        let verdict = Verdict(Configuration())
        var requests = RequestTally()
        try verdict.requireAnswers(requests)
        requests.sent = 4
        let error = #expect(throws: Ending.self) { try verdict.requireAnswers(requests) }
        #expect(error?.exit == .unavailable)
        requests.byHTTPStatus[503] = 1
        try verdict.requireAnswers(requests)
    }

    @Test(
        "Each error has its exit status",
        arguments: [
            (ReportError(.cannotCreate(2), path: "x"), .cannotCreateReports),
            (ReportError(.occupied, path: "x"), .cannotCreateReports),
            (ReportError(.writeFailed(28), path: "x"), .inputOutput),
            (ReportError(.doesNotTie("x"), path: "x"), .broken),
            (ReportError(.contentMismatch("x"), path: "x"), .inputOutput),
            (Ending(.locked, "x"), .locked), (CancellationError(), .broken),
        ] as [(any Error, ExitCode)])
    func errors(error: any Error, exit: ExitCode) { #expect(Ending(error).exit == exit) }
}
