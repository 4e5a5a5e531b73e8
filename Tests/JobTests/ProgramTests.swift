import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport
@testable import reconcile_job

@Suite("The program's description of itself")
struct GenerateTests {
    @Test("The help shows the version, the job and each command, with every flag and exit status")
    func help() async throws {
        for word in ["--help", "-h", "help"] {
            let help = try await JobProcess.shell("$0 \(word)").ends(0, "2~ ^$").output
            for code in ExitCode.allCases { #expect(help.contains(code.meaning)) }
        }
        for command in CommandName.allCases {
            let words = "$0 \(command.rawValue) --rate --help"
            let help = try await JobProcess.shell(words).ends(0, "2~ ^$").output
            for flag in Flag.all {
                let isShown = help.contains("\n  \(flag.synopsis)\n")
                #expect(isShown == flag.commands.contains(command), "\(flag.name)")
            }
            #expect(help.split(separator: "\n").allSatisfy { $0.count <= 100 })
        }
        try await JobProcess.shell("$0 --version").ends(0, "= reconcile-job \(Version.text)")
    }

    @Test("The manual page has every command, flag and exit status, and zsh and fish every flag")
    func whole() async throws {
        var texts: [String] = []
        for format in ["man", "zsh", "fish"] {
            texts.append(try await JobProcess.shell("$0 generate \(format)").output)
        }
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
        "fish": #"source $argv[2]/_reconcile-job; complete -C "reconcile-job $argv[3]""#,
    ]

    @Test(
        "bash, zsh and fish complete commands, flags and values",
        arguments: """
            bash | re | report release retract
            bash | run --shared | --shared-secrets
            bash | run --evidence␣ | none findings all
            bash | migrate --roles a | apply
            bash | accept --und | --undo
            bash | run --rate␣ |
            zsh | rele | release␣
            zsh | run --max-u | run --max-unverified=
            zsh | run --evidence=fi | run --evidence=findings␣
            zsh | accept --und | accept --undo␣
            fish | rele | release
            fish | run --max-u | --max-unverified
            fish | run --evidence␣ | all findings none
            """.rows)
    func completes(row: [String]) async throws {
        let folder = try TemporaryFolder()
        let flag = ["fish": "--no-config", "zsh": "-f", "bash": "--norc"][row[0]] ?? ""
        let row = row.map { $0.replacing("␣", with: " ") }
        let program = Self.programs[row[0]] ?? ""
        let job = try await JobProcess.shell(
            """
            $0 generate \(row[0]) > _reconcile-job
            exec \(row[0]) \(flag) -c "$PROGRAM" \(row[0]) "$PWD" "$WORDS"
            """, environment: ["PROGRAM": program, "HOME": folder.path, "WORDS": row[1]],
            in: folder.path)
        // In fish a tab separates the word from its description.
        let found = job.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
        #expect(found.joined(separator: " ") == row[2])
    }

    @Test("Installing a package by the scripts changes no variable of the script that asks for it")
    func keepsVariables() async throws {
        let folder = try TemporaryFolder()
        let repository = URL(fileURLWithPath: #filePath).appending(path: "../../..").standardized
        try await JobProcess.shell(
            """
            for name in sudo apt-get; do ln -s /usr/bin/true $name; done
            PATH=$PWD:$PATH; root=kept; apt=kept; script=scripts/test
            . "\(repository.path)/scripts/lib/prepare"; install jq; echo "$root $apt"
            """, in: folder.path
        ).ends(0, "= kept kept")
    }

    @Test("Each error has its exit status")
    func errors() {
        #expect(Ending(ReportError(.doesNotTie("x"), path: "x")).exit == .broken)
        #expect(Ending(ReportError(.contentMismatch("x"), path: "x")).exit == .inputOutput)
        #expect(Ending(CancellationError()).exit == .broken)
    }
}

@Suite("A verdict")
struct VerdictTests {
    /// Unverified receipts, of how many, and their limit.
    @Test(
        "A run is complete with as many unverified receipts as its limit, unless time ran out",
        arguments: """
            10 of 1000 | 1% | complete
            11 of 1000 | 1% | incomplete
            0 of 0 | 0% | complete
            5 of 10 | 5 | complete
            6 of 1000000 | 5 | incomplete
            10 of 10 | 100% | complete
            late, 0 of 10 | 5 | incomplete
            late, 0 of 0 | 0 | incomplete
            """.rows)
    func statuses(row: [String]) throws {
        var configuration = Configuration()
        configuration.maxUnverified = try FlagValue.allowance(row[1])
        let numbers = row[0].matches(of: #/\d+/#).compactMap { Int($0.output) }
        var receipts = Tally<ReceiptBucket>()
        receipts[.unverified] = numbers[0]
        receipts.inScope = numbers[1]
        let status = ExitRules(configuration)
            .status(of: receipts, isPastMaxRuntime: row[0].hasPrefix("late"))
        #expect("\(status)" == row[2])
    }
}

private let apply = "job migrate --roles=apply"
private let mayUse = "select has_schema_privilege('reconcile_job', 'reconcile', 'usage')::text | "
private let refusal = "77 | $ the SQL of reconcile-job migrate --roles print."
private let load = "job simulate --customers=1 --load $DATABASE"

let roleSessions = TextSession.all(
    """
    # migrate --roles prints SQL or applies it if it may; simulate fills no foreign schema
    "$0" migrate --roles print --database 'host=127.0.0.1 port=1' > printed | 0 \
        | 2> No database was changed. Run the SQL on stdout
    cmp printed roles.sql | 0
    drop schema reconcile, team cascade
    \(apply) | 0 | = | $ grant reconcile_job to the account that runs the job.
    job migrate && \(apply) | 0 | = | $ grant reconcile_job to the account that runs the job.
    \(mayUse)true
    select has_table_privilege('reconcile_job', 'reconcile.run', 'insert')::text | true
    drop owned by reconcile_job
    revoke reconcile_job from $ROLE
    \(apply) --database $LOGIN | \(refusal) | Cannot set up role reconcile_job: \
    permission denied for schema reconcile. Nothing was
    \(mayUse)false
    grant usage, create on schema reconcile to $ROLE
    \(apply) --database $LOGIN | \(refusal) | no privilege to grant usage on schema reconcile.
    \(mayUse)false
    grant usage, create on schema reconcile to $ROLE with grant option
    grant select on all tables in schema reconcile to $ROLE
    \(apply) --database $LOGIN | \(refusal) | no privilege to grant on reconcile.acceptance.
    \(mayUse)false
    \(load) | 78 | migrate --with-reference-app | ~ ^$
    create schema app
    create table app.receipts as select 1 as id
    \(load) | 65 | schema app is not the reference service | Use a separate database | =
    select id::text from app.receipts | 1
    """)
