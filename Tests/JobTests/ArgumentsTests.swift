import Testing

@testable import Reconcile
@testable import reconcile_job

@Suite("Arguments")
struct ArgumentsTests {
    @Test("Without flags and variables every setting has its default")
    func defaults() throws {
        #expect(try configuration([]) == Configuration())
    }

    @Test("The defaults are those that the help shows")
    func documented() throws {
        for flag in Flag.all {
            guard case .value(let text) = flag.fallback else { continue }
            var changed = Configuration()
            try flag.store(text, .commandLine, &changed)
            #expect(changed == Configuration(), "\(flag.name)")
        }
    }

    @Test("Values of every kind are read, after a space or an equals sign")
    func values() throws {
        let given = try configuration([
            "--database=host=/tmp", "--as-of", "2026-11-20T02:00:00Z", "--rate", "12.5",
            "--burst=3", "--timeout", "1.5s", "--settle=0s", "--user", "a,b", "--user=c",
            "--receipt=r", "--max-unverified=2.5%", "--fail-on=high", "--dry-run",
            "--allow-writable-role", "--log-level=debug",
        ])
        var expected = Configuration()
        expected.database = DatabaseAddress(text: "host=/tmp")
        expected.asOf = Instant(milliseconds: 1_795_140_000_000)
        expected.rate = 12.5
        expected.burst = 3
        expected.timeout = .milliseconds(1_500)
        expected.settle = .zero
        expected.users = ["a,b", "c"]
        expected.receipts = ["r"]
        expected.maxUnverified = .percent(2.5)
        expected.failOn = .high
        expected.isDryRun = true
        expected.allowsWritableRole = true
        expected.logLevel = .debug
        #expect(given.given.count == 13 && given.given.contains("settle"))
        expected.given = given.given
        #expect(given == expected)
        #expect(given.scope == .selected(users: ["a,b", "c"], receipts: ["r"]))
    }

    @Test("The last value of a repeated flag counts, and a list flag keeps every value")
    func again() throws {
        let given = try configuration(["--rate=1", "--user=a", "--rate", "2", "--user=b"])
        var expected = Configuration()
        expected.rate = 2
        expected.users = ["a", "b"]
        expected.given = ["rate", "user"]
        #expect(given == expected)
    }

    @Test("In variables commas separate lists, booleans are true or false, and empty means unset")
    func variables() throws {
        let given = try configuration(
            ["--rate=2"],
            [
                "RECONCILE_USER": "a, b,,c", "RECONCILE_DRY_RUN": "true",
                "RECONCILE_ALLOW_WRITABLE_ROLE": "false", "RECONCILE_REPORTS": "",
                "RECONCILE_RATE": "not read", "RECONCILE_LIMIT": "",
            ])
        var expected = Configuration()
        expected.users = ["a", "b", "c"]
        expected.isDryRun = true
        expected.rate = 2
        expected.given = ["allow-writable-role", "dry-run", "rate", "user"]
        #expect(given == expected)
        #expect(throws: Ending.self) { try configuration([], ["RECONCILE_DRY_RUN": "yes"]) }
    }

    @Test("The database comes from the flag, then RECONCILE_DATABASE, then DATABASE_URL")
    func database() throws {
        // A variable may hold a password, as libpq's users expect: only the process's user can read
        // it.
        let both = ["RECONCILE_DATABASE": "dbname=r", "DATABASE_URL": "postgres://u:pw@h/d"]
        #expect(try configuration(["--database=dbname=f"], both).database?.text == "dbname=f")
        #expect(try configuration([], both).database?.text == "dbname=r")
        let url = ["RECONCILE_DATABASE": "", "DATABASE_URL": "postgres://u:pw@h/d"]
        let given = try configuration([], url)
        #expect(given.database?.text == "postgres://u:pw@h/d")
        #expect(!String(reflecting: given).contains("pw@"))
    }

    @Test(
        "The burst and the sandbox rate follow the rate unless they are set",
        arguments: [([], 10, 10), (["--rate=0.5"], 1, 0.5), (["--burst=2"], 2, 10)]
            as [([String], Double, Double)])
    func followers(flags: [String], burst: Double, sandboxRate: Double) throws {
        let given = try configuration(flags)
        #expect(given.effectiveBurst == burst)
        #expect(given.effectiveSandboxRate == sandboxRate)
    }

    private func configuration(
        _ flags: [String], _ environment: [String: String] = [:]
    ) throws -> Configuration {
        let arguments = Arguments { environment[$0].flatMap { $0.isEmpty ? nil : $0 } }
        guard case .command(.run, let configuration) = try arguments.invocation(["run"] + flags)
        else { throw Ending(.broken, "Another invocation came out.") }
        return configuration
    }
}
