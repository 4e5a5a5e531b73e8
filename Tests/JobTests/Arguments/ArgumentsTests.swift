import Testing

@testable import Reconcile
@testable import TestSupport
@testable import reconcile_job

/// Flags and variables of `run`, and what is read. To add a case: a `Reading`, with only what
/// differs from the defaults.
@Suite("Arguments")
struct ArgumentsTests {
    @Test("Without flags every setting has its default, which is the one that the help shows")
    func defaults() throws {
        let read = try configuration([])
        #expect(read == Configuration())
        for flag in Flag.all {
            guard case .value(let text) = flag.fallback else { continue }
            var changed = Configuration()
            try flag.store(text, .commandLine, &changed)
            #expect(changed == Configuration(), "\(flag.name)")
        }
    }

    struct Reading: CustomTestStringConvertible, Sendable {
        var flags: [String] = []
        var variables: [String: String] = [:]
        /// The flags that count as given.
        var given: Set<String> = []
        var burst = 10.0
        var sandboxRate = 10.0
        /// The settings that differ from their defaults.
        var changes: @Sendable (inout Configuration) -> Void = { _ in }

        var testDescription: String { "\(flags) \(variables)" }
    }

    private static let readings = [
        Reading(variables: ["RECONCILE_LIMIT": ""]),
        Reading(
            flags: [
                "--database=host=/tmp", "--as-of", "2026-11-20T02:00:00Z", "--rate=1", "--rate",
                "12.5", "--burst=3", "--timeout", "1.5s", "--user", "a,b", "--user=c",
                "--receipt=r", "--max-unverified=2.5%", "--fail-on=high", "--dry-run",
                "--log-level=debug",
            ],
            given: [
                "as-of", "burst", "database", "dry-run", "fail-on", "log-level", "max-unverified",
                "rate", "receipt", "timeout", "user",
            ], burst: 3, sandboxRate: 12.5
        ) {
            $0.database = DatabaseAddress(text: "host=/tmp")
            $0.asOf = Instant(milliseconds: 1_795_140_000_000)
            $0.rate = 12.5
            $0.burst = 3
            $0.timeout = .milliseconds(1_500)
            $0.users = [UserID("a,b"), UserID("c")]
            $0.receipts = [ReceiptID("r")]
            $0.maxUnverified = .percent(2.5)
            $0.failOn = .high
            $0.isDryRun = true
            $0.logLevel = .debug
        },
        Reading(flags: ["--rate=0.5"], given: ["rate"], burst: 1, sandboxRate: 0.5) {
            $0.rate = 0.5
        },
        Reading(flags: ["--burst=2"], given: ["burst"], burst: 2) { $0.burst = 2 },
        Reading(
            flags: ["--rate=2"],
            variables: [
                "RECONCILE_USER": "a, b,, ,c", "RECONCILE_DRY_RUN": "true",
                "RECONCILE_RATE": "not read", "RECONCILE_ALLOW_WRITABLE_ROLE": "false",
                "RECONCILE_REPORTS": "",
            ], given: ["allow-writable-role", "dry-run", "rate", "user"], burst: 2, sandboxRate: 2
        ) {
            $0.rate = 2
            $0.users = [UserID("a"), UserID("b"), UserID("c")]
            $0.isDryRun = true
        },
        Reading(
            flags: ["--database=dbname=f"], variables: ["RECONCILE_DATABASE": "dbname=r"],
            given: ["database"]
        ) { $0.database = DatabaseAddress(text: "dbname=f") },
        Reading(
            variables: ["RECONCILE_DATABASE": "dbname=r", "DATABASE_URL": "dbname=u"],
            given: ["database"]
        ) { $0.database = DatabaseAddress(text: "dbname=r") },
        // A variable may hold a password, as in libpq: only the process's user can read it.
        Reading(
            variables: ["RECONCILE_DATABASE": "", "DATABASE_URL": "postgres://u:pw@h/d"],
            given: ["database"]
        ) { $0.database = DatabaseAddress(text: "postgres://u:pw@h/d") },
    ]

    @Test(
        "The last of repeated flags counts, else a variable; burst and sandbox rate follow --rate",
        arguments: readings)
    func values(reading: Reading) throws {
        var expected = Configuration()
        reading.changes(&expected)
        expected.given = reading.given
        let read = try configuration(reading.flags, reading.variables)
        #expect(read == expected)
        #expect(read.database?.text == expected.database?.text)
        #expect(read.effectiveBurst == reading.burst)
        #expect(read.effectiveSandboxRate == reading.sandboxRate)
        #expect(!String(reflecting: read).contains("pw@"))
        let isSelected = read.scope == .selected(users: read.users, receipts: read.receipts)
        #expect(isSelected == !read.users.isEmpty)
    }

    /// What a process uses that joins or resumes a run.
    struct Adopted: Sendable {
        let rate: Double
        let sandboxRate: Double
        let maxUnverified: Allowance
        var maxRuntime: Duration?
    }

    struct Sharing: CustomTestStringConvertible, Sendable {
        let flags: [String]
        let joining: Adopted
        let resuming: Adopted

        var testDescription: String { "\(flags)" }
    }

    @Test(
        "A joining worker adopts the run's --max-unverified, and its rates unless flags set them",
        arguments: [
            Sharing(
                flags: [],
                joining: Adopted(rate: 3, sandboxRate: 2, maxUnverified: .percent(5)),
                resuming: Adopted(rate: 10, sandboxRate: 10, maxUnverified: .percent(1))),
            Sharing(
                flags: ["--rate=7"],
                joining: Adopted(rate: 7, sandboxRate: 2, maxUnverified: .percent(5)),
                resuming: Adopted(rate: 7, sandboxRate: 7, maxUnverified: .percent(1))),
            Sharing(
                flags: ["--sandbox-rate=7", "--max-unverified=9", "--max-runtime=1h"],
                joining: Adopted(rate: 3, sandboxRate: 7, maxUnverified: .percent(5)),
                resuming: Adopted(
                    rate: 10, sandboxRate: 7, maxUnverified: .count(9), maxRuntime: .seconds(3_600))
            ),
        ])
    func sharing(row: Sharing) throws {
        var shared = OpenedRun.SharedSettings()
        shared.rate = 3
        shared.sandboxRate = 2
        shared.maxUnverified = "5%"
        for (isJoined, expected) in [(true, row.joining), (false, row.resuming)] {
            let adopted = try configuration(row.flags).adopting(shared, isJoined: isJoined)
            #expect(adopted.rate == expected.rate, "joins: \(isJoined)")
            #expect(adopted.effectiveSandboxRate == expected.sandboxRate, "joins: \(isJoined)")
            #expect(adopted.maxUnverified == expected.maxUnverified, "joins: \(isJoined)")
            #expect(adopted.maxRuntime == expected.maxRuntime, "joins: \(isJoined)")
        }
    }

    private func configuration(
        _ flags: [String], _ variables: [String: String] = [:]
    ) throws -> Configuration {
        let arguments = Arguments { variables[$0] }
        guard case .command(.run, let configuration) = try arguments.invocation(["run"] + flags)
        else { throw Ending(.broken, "Another invocation came out.") }
        return configuration
    }
}
