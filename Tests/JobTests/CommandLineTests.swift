import Testing

@testable import reconcile_job

@Suite("The command line")
struct CommandLineTests {
    private static let finding = "0123456789abcdef0123456789ABCDEF"

    @Test("The help shows the job and each command, with every flag and exit status")
    func help() throws {
        for arguments in [["--help"], ["-h"], ["help"]] {
            let process = try JobProcess(arguments)
            #expect(process.status == 0 && process.error.isEmpty)
            for code in ExitCode.allCases { #expect(process.output.contains(code.meaning)) }
        }
        for command in CommandName.allCases {
            let process = try JobProcess([command.rawValue, "--rate", "--help"])
            #expect(process.status == 0 && process.error.isEmpty)
            for flag in Flag.all {
                let isShown = process.output.contains("\n  \(flag.synopsis)\n")
                #expect(isShown == flag.commands.contains(command), "\(flag.name)")
            }
            #expect(process.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
        }
    }

    @Test("The version is shown")
    func version() throws {
        let process = try JobProcess(["--version"])
        #expect(process.status == 0)
        #expect(process.output == "reconcile-job \(Version.text)\n")
    }

    @Test(
        "A wrong command line is refused with the nearest right one and what is allowed",
        arguments: [
            ([], "No command is given."),
            (
                ["rum"],
                "`rum` is not a command. Did you mean `run`? The commands are: run, doctor,"
            ),
            (["accept", "--by=eve", "--why=x"], "FINDING is missing: the finding_id of a report"),
            (["accept", "12", "--by=eve", "--why=x"], "FINDING: \"12\" is not a finding_id"),
            (["accept", Self.finding, "--why=x"], "--by WHO is missing: who decided it?"),
            (["accept", Self.finding, "--by=eve"], "--why TEXT is missing: for what reason?"),
            (
                ["accept", Self.finding, Self.finding],
                "Word 3 of the command line is neither a flag nor"
            ),
            (["accept", Self.finding, "--until=soon"], "\"soon\" is not a day or an instant, for"),
            (
                ["accept", Self.finding, "--by=eve", "--why=x", "--until=2020-02-29"],
                "--until: 2020-03-01T00:00:00Z is in the past"
            ),
            (["--rate", "1", "run"], "The command comes first, then its flags."),
            (["run", "--rat", "1"], "--rat is not a flag of `run`. Did you mean --rate?"),
            (["run", "--max-unverifed=1"], "Did you mean --max-unverified?"),
            (["run", "--frobnicate"], "--frobnicate is not a flag of `run`. Try"),
            (
                ["migrate", "--rate=1"],
                "--rate is a flag of `run`, `validate`, `serve`, not of `migrate`."
            ),
            (["migrate", "--roles=drop"], "--roles: \"drop\" is not one of print, apply."),
            (
                ["migrate", "--roles=print", "--with-reference-app"],
                "--roles cannot be combined with --with-reference-app:"
            ),
            (["run", "--rate"], "--rate needs a value: --rate N."),
            (["run", "--rate", "--burst=1"], "--rate needs a value: --rate N."),
            (["run", "--rate=0", "--rate=2"], "--rate: \"0\" is not a decimal number above 0"),
            (["run", "--dry-run=true"], "--dry-run takes no value."),
            (["inspect"], "`inspect` needs either FILE|- or --receipt ID."),
            (["inspect", "a", "hunter2"], "Word 3 of the command line is neither a flag nor"),
            (["inspect", "a", "--guid=00:11"], "--guid: \"00:11\" is not a device identifier"),
            (
                ["inspect", "a", "--rate=1"],
                "--rate is a flag of `run`, `validate`, `serve`, not of `inspect`."
            ),
            (["run", "hunter2"], "Word 2 of the command line is neither a flag nor"),
            (["run", "--rate=0"], "--rate: \"0\" is not a decimal number above 0"),
            (["run", "--rate=1000000"], "above 0 and at most 100000, for example 10 or 12.5."),
            (["run", "--burst=0.5"], "--burst: \"0.5\" is not a decimal number of at least 1"),
            (["run", "--in-flight=0"], "\"0\" is not a whole number from 1 to 1000."),
            (["run", "--timeout=5"], "--timeout: \"5\" is not a duration above 0: a number and"),
            (["run", "--as-of=yesterday"], "\"yesterday\" is not an RFC 3339 instant"),
            (["run", "--max-unverified=101%"], "\"101%\" is not a share such as 1%"),
            (["run", "--fail-on=bad"], "not one of none, low, medium, high, critical."),
            (["run", "--output=xml"], "--output: \"xml\" is not one of text, json, none."),
            (["run", "--reports="], "--reports: is empty."),
            (["run", "--limit=1", "--user=u"], "--limit cannot be combined with --user"),
            (["run", "--seed=1"], "--seed is a flag of `simulate`, not of `run`."),
            (["simulate", "--port=70000"], "\"70000\" is not a whole number from 0 to 65535."),
            (["simulate", "--faults=frog"], "--faults: \"frog\" is neither a rate such as 5% nor"),
            (["simulate", "--faults=503:soon"], "\"soon\" is not a condition. Write N%, first=N"),
            (["simulate", "--load=host=h password=hunter2"], "--load: must not hold a password"),
        ])
    func usage(arguments: [String], message: String) throws {
        let process = try JobProcess(arguments)
        #expect(process.status == 64)
        #expect(process.output.isEmpty)
        #expect(process.lastLine.hasPrefix("reconcile-job: "))
        #expect(process.lastLine.contains(message), "\(process.error)")
        #expect(process.lastLine.contains("--help`."))
        #expect(!process.error.contains("hunter2"))
    }

    @Test(
        "A password is never accepted on the command line, and never shown",
        arguments: [
            "postgres://u:hunter2@h/d", "host=h password=hunter2",
            "postgresql://h/d?password=hunter2",
        ])
    func password(address: String) throws {
        for command in ["run", "migrate"] {
            let process = try JobProcess([command, "--database", address])
            #expect(process.status == 64)
            #expect(process.lastLine.contains("--database: must not hold a password"))
            #expect(!process.error.contains("hunter2"))
        }
    }

    @Test("The environment is read first, and the command line overrides it")
    func environment() throws {
        let wrong = ["RECONCILE_OUTPUT": "xml", "RECONCILE_PRODUCTION_URL": "http://h/"]
        let alone = try JobProcess(["run"], environment: wrong)
        #expect(alone.status == 64)
        #expect(alone.lastLine.contains("RECONCILE_OUTPUT: \"xml\" is not one of"))
        let corrected = try JobProcess(["run", "--output=none"], environment: wrong)
        #expect(corrected.status == 78)
        #expect(corrected.lastLine.contains("--production-url: the value would send receipts"))
    }

    @Test("The last line is JSON where the log format is JSON")
    func json() throws {
        let process = try JobProcess(["run", "--log-format=json", "--sandbox-url=ftp://h"])
        #expect(process.status == 78)
        #expect(process.lastLine.contains(#""event":"exit","code":78,"message":"--sandbox-url"#))
    }
}
