import Foundation
import Testing

@testable import TestSupport

/// To add a case: a `Mistake` below, with what the last line says.
@Suite("A wrong command line")
struct CommandLineTests {
    private static let finding = "0123456789abcdef0123456789ABCDEF"

    private static let mistakes = [
        Mistake([], says: "No command is given."),
        Mistake(
            ["rum"],
            says: "`rum` is not a command. Did you mean `run`? The commands are: run, doctor,"),
        Mistake(["--rate", "1", "run"], says: "The command comes first, then its flags."),
        Mistake(
            ["accept", "--by=eve", "--why=x"],
            says: "FINDING is missing: the finding_id of a report"),
        Mistake(
            ["accept", "12", "--by=eve", "--why=x"], says: #"FINDING: "12" is not a finding_id"#),
        Mistake(["accept", finding, "--why=x"], says: "--by WHO is missing: who decided it?"),
        Mistake(["accept", finding, "--by=eve"], says: "--why TEXT is missing: for what reason?"),
        Mistake(
            ["accept", finding, finding], says: "Word 3 of the command line is neither a flag nor"),
        Mistake(
            ["accept", finding, "--until=soon"], says: #""soon" is not a day or an instant, for"#),
        Mistake(
            ["accept", finding, "--by=a", "--why=b", "--until=2020-02-29"],
            says: "--until: 2020-03-01T00:00:00Z is in the past"),
        Mistake(
            ["run", "--rat=1", "--sandbox-url=ftp://h"],
            says: "--rat is not a flag of `run`. Did you mean --rate?"),
        Mistake(
            ["run", "--source=server-api"],
            says: "--source server-api asks the App Store Server API, which needs keys."),
        Mistake(
            ["run", "--source=both"],
            says: "--source both asks the App Store Server API, which needs keys."),
        Mistake(["run", "--refund-sweep"], says: "--refund-sweep asks the App Store Server API"),
        Mistake(["run", "--source=apple"], says: #""apple" is not one of verify-receipt"#),
        Mistake(["run", "--rtae=1"], says: "Did you mean --rate?"),
        Mistake(["run", "--RATE=1"], says: "Did you mean --rate?"),
        Mistake(["run", "--production=1"], says: "Did you mean --production-url?"),
        Mistake(["run", "--frobnicate"], says: "--frobnicate is not a flag of `run`. Try"),
        Mistake(["run", "--x"], says: "--x is not a flag of `run`. Try"),
        Mistake(
            ["migrate", "--rate=1"],
            says: "--rate is a flag of `run`, `validate`, `serve`, not of `migrate`."),
        Mistake(
            ["migrate", "--roles=drop"], says: #"--roles: "drop" is not one of print, apply."#),
        Mistake(
            ["migrate", "--roles=print", "--with-reference-app"],
            says: "--roles cannot be combined with"),
        Mistake(["run", "hunter2"], says: "Word 2 of the command line is neither a flag nor"),
        Mistake(["inspect"], says: "`inspect` needs either FILE|- or --receipt ID."),
        Mistake(
            ["inspect", "a", "--guid=00:11"], says: #"--guid: "00:11" is not a device identifier"#),
        Mistake(["run", "--rate"], says: "--rate needs a value: --rate N."),
        Mistake(["run", "--rate", "--burst=1"], says: "--rate needs a value: --rate N."),
        Mistake(["run", "--dry-run=true"], says: "--dry-run takes no value."),
        Mistake(["run", "--reports="], says: "--reports: is empty."),
        Mistake(
            ["run", "--rate=0", "--rate=2"], says: #"--rate: "0" is not a decimal number above 0"#),
        Mistake(
            ["run", "--rate=1000000"], says: "above 0 and at most 100000, for example 10 or 12.5."),
        Mistake(
            ["run"], environment: ["RECONCILE_RATE": "fast"],
            says: #"RECONCILE_RATE: "fast" is not a decimal number above 0"#),
        Mistake(
            ["run", "--burst=0.5"], says: #"--burst: "0.5" is not a decimal number of at least 1"#),
        Mistake(["run", "--in-flight=0"], says: #""0" is not a whole number from 1 to 1000."#),
        Mistake(
            ["run", "--timeout=5 minutes"],
            says: #""5 minutes" is not a duration above 0: a number and ms, s, m, h or d"#),
        Mistake(
            ["run", "--as-of=2026-11-20T02:00:00"],
            says: "not an RFC 3339 instant, for example 2026-11-20T02:00:00Z"),
        Mistake(["run", "--max-unverified=101%"], says: #""101%" is not a share such as 1%"#),
        Mistake(["run", "--fail-on=bad"], says: "not one of none, low, medium, high, critical."),
        Mistake(
            ["run"],
            environment: ["RECONCILE_OUTPUT": "xml", "RECONCILE_PRODUCTION_URL": "http://h/"],
            says: #"RECONCILE_OUTPUT: "xml" is not one"#),
        Mistake(
            ["run"], environment: ["RECONCILE_ALLOW_WRITABLE_ROLE": "1"],
            says: #""1" is not `true` or `false`"#),
        Mistake(["run", "--limit=1", "--user=u"], says: "--limit cannot be combined with --user"),
        Mistake(["run", "--trial", "--user=ann"], says: "--trial judges everything anew."),
        Mistake(["generate", "csh"], says: "`generate` needs one of man, bash, zsh and fish."),
        Mistake(
            ["simulate", "--faults=frog"],
            says: #"--faults: "frog" is neither a rate such as 5% nor"#),
        Mistake(
            ["simulate", "--stored=all"],
            says: #"--stored: "all" is not one of receipt, jws, id, mixed."#),
        Mistake(
            ["simulate", "--load=host=h password=hunter2"], says: "--load: must not hold a password"
        ),
        Mistake(
            ["run", "--database=host=h password=hunter2"],
            says: "--database: must not hold a password",
            advice: .password),
        Mistake(
            ["run", "--database=u:hunter2@h/d?sslmode=require"],
            says: "--database: must not hold a password", advice: .password),
        Mistake(
            ["run", "--database=POSTGRESQL:/u:hunter=2@h/d"],
            says: "--database: must not hold a password", advice: .password),
        Mistake(
            ["run", "--database=postgres;//u:hunter=2@h/d"],
            says: "--database: must not hold a password",
            advice: .password),
    ]

    @Test(
        "A wrong command line is refused with advice, and no secret in it is accepted or repeated",
        arguments: mistakes)
    func wrong(mistake: Mistake) async throws { try await mistake.expectRefusal() }
}

/// A command line that the program refuses with one line on stderr, and that line.
struct Mistake: CustomTestStringConvertible, Sendable {
    let words: [String]
    let environment: [String: String]
    let status: Int32
    let says: String
    let advice: Advice

    /// - Parameter advice: how the line ends.
    init(
        _ words: [String], environment: [String: String] = [:], status: Int32 = 64, says: String,
        advice: Advice = "--help`."
    ) {
        self.words = words
        self.environment = environment
        self.status = status
        self.says = says
        self.advice = advice
    }

    var testDescription: String {
        let variables = environment.map { "\($0.key)=\($0.value)" }.sorted()
        return String((variables + words).joined(separator: " ").prefix(100))
    }

    /// All secrets contain "hunt" or "ter2".
    func expectRefusal(_ location: SourceLocation = #_sourceLocation) async throws {
        let job = try await JobProcess(words: words, with: .environment(environment))
        job.exits(status, location).printsNothing(location).says(
            "reconcile-job: ", says, at: location
        )
        .advises(advice.text, at: location).omits("hunt", "ter2", at: location)
        if let introduction = advice.introduction { job.says(introduction, at: location) }
    }
}

/// The end of a message.
struct Advice: ExpressibleByStringLiteral, Sendable {
    let text: String
    /// What else the message contains.
    let introduction: String?

    init(_ text: String, after introduction: String? = nil) {
        self.text = text
        self.introduction = introduction
    }
    init(stringLiteral text: String) { self.init(text) }

    static let nothing = Advice("")
    static let secretsFile = Advice("of the file that holds the secrets.")
    static let connectionString = Advice(
        """
        Correct --database, DATABASE_URL or the PG* variables: in a URI, write % as %25, / as %2F \
        and @ as %40 within a part; a password belongs in ~/.pgpass.
        """, after: "The connection string cannot be used:")
    static let path = Advice("Check the path and its permissions.")
    static let plainHTTP = Advice("plain http is for 127.0.0.0/8, [::1] and localhost only.")
    static let address = Advice("Check --database or DATABASE_URL, and that PostgreSQL is running.")
    static let login = Advice(
        "Check the role, and its password in ~/.pgpass or in the file that PGPASSFILE names.")
    static let password = Advice(
        "Put it in ~/.pgpass, or set PGPASSWORD or DATABASE_URL. Try `reconcile-job run --help`.")
    static let roles = Advice(
        "run reconcile-job migrate --roles apply as the owner of schema reconcile.")
    static let orAllow = Advice("or add --allow-writable-role.")
    static let views = Advice("Correct the views in schema reconcile, then run again.")
}
