import Testing

@testable import Reconcile
@testable import TestSupport
@testable import reconcile_job

@Suite("Arguments")
struct ArgumentsTests {
    @Test("Without flags every setting has its default, which is the one that the help shows")
    func defaults() throws {
        #expect(try configuration([]) == Configuration())
        for flag in Flag.all {
            guard case .value(let text) = flag.fallback else { continue }
            var changed = Configuration()
            try flag.store(text, .commandLine, &changed)
            #expect(changed == Configuration(), "\(flag.name)")
        }
    }

    @Test("Values of every kind are read, the last of a repeated flag, and every one of a list")
    func values() throws {
        let given = try configuration([
            "--database=host=/tmp", "--as-of", "2026-11-20T02:00:00Z", "--rate=1", "--rate", "12.5",
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
    }

    @Test("The database comes from the flag, then RECONCILE_DATABASE, then DATABASE_URL")
    func database() throws {
        // A variable may hold a password, as libpq's users expect: only the process's user can read
        // it.
        let both = ["RECONCILE_DATABASE": "dbname=r", "DATABASE_URL": "postgres://u:pw@h/d"]
        #expect(try configuration(["--database=dbname=f"], both).database?.text == "dbname=f")
        #expect(try configuration([], both).database?.text == "dbname=r")
        let given = try configuration([], both.merging(["RECONCILE_DATABASE": ""]) { $1 })
        #expect(given.database?.text == "postgres://u:pw@h/d")
        #expect(!String(reflecting: given).contains("pw@"))
    }

    @Test("The burst and the sandbox rate follow the rate unless they are set")
    func followers() throws {
        for row in textTable(" | 10.0 | 10.0\n--rate=0.5 | 1.0 | 0.5\n--burst=2 | 2.0 | 10.0") {
            let given = try configuration(row[0].isEmpty ? [] : [row[0]])
            #expect(row[1...] == ["\(given.effectiveBurst)", "\(given.effectiveSandboxRate)"])
        }
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

@Suite("A flag's value")
struct FlagValueTests {
    private static let parsers: [String: @Sendable (String) throws -> Any] = [
        "duration": FlagValue.duration(.zero), "time limit": FlagValue.duration(.milliseconds(1)),
        "rate": FlagValue.number(atLeast: 0), "allowance": FlagValue.allowance,
        "1 to 9": FlagValue.wholeNumber(1...9),
    ]

    /// Texts and what they mean; those without an equals sign are refused. ␣ is a blank, and ∅ the
    /// empty text.
    @Test(
        "A complete, unambiguous value within its bounds is read, and any other refused",
        arguments: textPairs(
            """
            duration | 250ms=0.25 15s=15.0 1.5h=5400.0 0.5ms=0.001 10m=600.0 90d=7776000.0 0s=0.0
            duration | ∅ 5 s 5␣s ␣5s 5s␣ -5s +5s 1h30m 5S 1e3s .5s 5.s 1,5s 5µs ٥s 36501d
            duration | 99999999999999999999d
            time limit | 0s 0.4ms
            rate | 10=10.0 0.1=0.1 0 0.0 -1 1e3 nan inf 0x10 ∅ 100001 1.2.3
            allowance | 1%=1% 0%=0% 0.5%=0.5% 50=50 0=0 0.05=5% 1.0=100% 100.1% -1 1.5 % ∅
            1 to 9 | 1=1 9=9 0 10 1.0 +1
            """))
    func values(kind: String, texts: String) throws {
        let parse = try #require(Self.parsers[kind])
        for words in texts.split(separator: " ").map({ $0.split(separator: "=") }) {
            let text = words[0] == "∅" ? "" : String(words[0]).replacing("␣", with: " ")
            let value = (try? parse(text)).map { "\($0)".replacing(" seconds", with: "") }
            #expect(value == words.dropFirst().first.map(String.init), "\(text)")
        }
    }

    @Test("The nearest name is suggested if one is near, by the number of typing errors")
    func suggestions() {
        let names = ["rate", "burst", "reports", "sandbox-rate", "max-unverified"]
        for (word, name) in [
            ("rat", "rate"), ("rtae", "rate"), ("RATE", "rate"), ("bust", "burst"),
            ("report", "reports"), ("sandbox", "sandbox-rate"), ("frobnicate", nil), ("x", nil),
        ] { #expect(Suggestion.nearest(to: word, in: names) == name) }
        for (left, right, slips) in [
            ("", "abc", 3), ("abc", "", 3), ("abc", "abc", 0), ("abc", "acb", 1),
            ("kitten", "sitting", 3),
        ] { #expect(Suggestion.distance(left, right) == slips) }
    }
}

@Suite("An address")
struct AddressTests {
    @Test("A database address with a password is recognised, and printed as redacted")
    func passwords() {
        for text in [
            "postgres://u:pw@h/d", "postgresql://u:pw@h1,h2:5432/d", "postgres://:pw@h",
            "postgres://u:p/w@h/d", "postgres://u:p%40w@h/d", "postgres://h/d?password=pw",
            "postgres://h/d?sslmode=require&password=pw", "postgres://h?%70assword=pw",
            "postgres://h?PASSWORD=pw", "postgres://h/d?sslpassword=pw", "password=pw",
            "host=h password=pw", "host=h password = pw", "host=h password='p w'",
            "host=h\tPassword\n=\npw", "dbname='postgres://u:pw@h/d'",
        ] {
            let address = DatabaseAddress(text: text)
            #expect(address.holdsPassword, "\(text)")
            #expect("\(address) \(String(reflecting: [address]))" == "‹redacted› [‹redacted›]")
        }
        for text in [
            "", "reconcile", "postgres://", "postgres://h/d", "postgres://u@h:5432/d",
            "postgres://u%40corp@h:5432/d", "postgres://u:@h/d", "postgres://[::1]:5432/d",
            "postgres:///d?host=/var/run/postgresql&user=u", "host=h user=u passfile=/etc/pgpass",
            "dbname=passwords", "service=password", "postgres://%2Fvar%2Frun/d",
            "postgresql://u@h1:1,h2:2/d?options=-c%20a%3Db",
        ] { #expect(!DatabaseAddress(text: text).holdsPassword, "\(text)") }
    }

    @Test("An endpoint may be https, or http to the same machine, without a user or a fragment")
    func endpoints() throws {
        for text in [
            "https://buy.itunes.apple.com/verifyReceipt", "HTTPS://example.com", "https://h:8443/",
            "http://localhost:80/x", "http://LOCALHOST/", "http://127.0.0.1:1/",
            "http://127.255.0.9/", "http://[::1]:8080/verifyReceipt", "https://[2001:db8::1]/",
        ] { #expect(try EndpointURL(text).text == text) }
        for text in [
            "", "example.com", "https://", "https:///x", "ftp://example.com", "file:///etc/passwd",
            "http://example.com/", "http://127.0.0.1.example.com/", "http://localhost.example.com/",
            "http://localhost@example.com/", "https://u:pw@example.com/", "http://127.1/",
            "http://128.0.0.1/", "http://127.0.0.256/", "http://127.0.0.01/", "http://[::2]/",
            "http://[::ffff:1.2.3.4]/", "https://h:0/", "https://h:65536/", "https://h:x/",
            "https://h:/", "https://h/a b", "https://h\\@evil/", "https://h/#x", "https://[::1/",
            "https://hö/", "https://h/\n", "http://localhost./", "https://[]/", "https://[::1]x/",
        ] {
            let error = #expect(throws: InvalidValue.self, "\(text)") { _ = try EndpointURL(text) }
            #expect(error?.reason.contains("pw") == false)
        }
    }
}

@Suite("Random command lines")
struct ArgumentsFuzzTests {
    private static let values = [
        "", "1", "-1", "0", "99999999999999999999", "1.5", "1e9", "NaN", "inf", "5%", "101%", "-0%",
        "1s", "1.5h", "9223372036854775807d", "0.0000001ms", "-1s", "true", "false", "none", "high",
        "2026-11-20T02:00:00Z", "9999-99-99T99:99:99Z", "infinity", "postgresql:///shop",
        "postgresql://u:p@h/d", "host=a password=b", "http://127.0.0.1:1", "http://example.com",
        "https://[::1", "://", "a,b", ",", "é", "\u{0}", "\u{202E}", "--", "-", "=", "a=b", "/tmp",
        String(repeating: "x", count: 1_000),
    ]

    @Test("A random command line is parsed in one way, or ends with exit status 64 and what to do")
    func commandLines() throws {
        var read = 0
        try FuzzPlan("flags", executions: 5_000).run { generator in
            let command = generator.one(of: CommandName.allCases)
            let own = Flag.all.filter { $0.commands.contains(command) }
            var words = [command.rawValue]
            for _ in 0..<generator.number(below: 4) {
                let flags = generator.once(in: 8) ? Flag.all : own
                words += Self.spelled(generator.one(of: flags), &generator)
            }
            if generator.once(in: 8) { words.append(generator.one(of: Self.values)) }
            if generator.once(in: 32) { words.removeFirst() }
            let variable = generator.one(of: own).variable
            let value = generator.one(of: Self.values)
            let isSet = generator.once(in: 4)
            let arguments = Arguments { $0 == variable && isSet ? value : nil }
            let first = ending(arguments, words)
            #expect(first == ending(arguments, words), "\(words)")
            if let first {
                #expect([.usage, .configuration].contains(first.exit), "\(words): \(first)")
                #expect(first.message.hasSuffix("."), "\(words): \(first.message)")
            } else {
                read += 1
            }
        }
        #expect(read > 0)
    }

    private func ending(_ arguments: Arguments, _ words: [String]) -> Ending? {
        do throws(Ending) {
            _ = try arguments.invocation(words)
            return nil
        } catch {
            return error
        }
    }

    private static func spelled(_ flag: Flag, _ generator: inout SeededGenerator) -> [String] {
        var name = Array("--\(flag.name)".utf8)
        if generator.once(in: 8) { name.mutate(1, with: [[0x2D], [0x3D], [0x20]], &generator) }
        let text = String(decoding: name, as: UTF8.self)
        let value = generator.one(of: values)
        return switch generator.number(below: 4) {
        case 0: [text]
        case 1: ["\(text)=\(value)"]
        default: [text, value]
        }
    }
}
