import Testing

@testable import Reconcile
@testable import TestSupport
@testable import reconcile_job

@Suite("Arguments")
struct ArgumentsTests {
    @Test("Without flags every setting has its default, which is the one that the help shows")
    func defaults() throws {
        #expect(try configuration("") == Configuration())
        for flag in Flag.all {
            guard case .value(let text) = flag.fallback else { continue }
            var changed = Configuration()
            try flag.store(text, .commandLine, &changed)
            #expect(changed == Configuration(), "\(flag.name)")
        }
    }

    /// Flags; variables (an empty one counts as unset, ␣ is a blank); then what they change, the
    /// database, the flags that count as given, the burst and the sandbox's rate. A variable may
    /// hold a password, as in libpq: only the process's user can read it.
    @Test(
        "The last of repeated flags counts, else a variable; burst and sandbox rate follow --rate",
        arguments: #"""
             | RECONCILE_LIMIT= | 10.0 10.0
            --database=host=/tmp --as-of 2026-11-20T02:00:00Z --rate=1 --rate 12.5 --burst=3 \#
            --timeout 1.5s --user a,b --user=c --receipt=r --max-unverified=2.5% --fail-on=high \#
            --dry-run --log-level=debug | | asOf=2026-11-20T02:00:00Z rate=12.5 burst=3.0 \#
            timeout=1.5 seconds users=[a,b, c] receipts=[r] maxUnverified=2.5% failOn=high \#
            isDryRun=true logLevel=debug host=/tmp as-of burst database dry-run fail-on \#
            log-level max-unverified rate receipt timeout user 3.0 12.5
            --rate=0.5 | | rate=0.5 rate 1.0 0.5
            --burst=2 | | burst=2.0 burst 2.0 10.0
            --rate=2 | RECONCILE_USER=a,␣b,,␣,c RECONCILE_DRY_RUN=true RECONCILE_RATE=not␣read \#
            RECONCILE_ALLOW_WRITABLE_ROLE=false RECONCILE_REPORTS= | rate=2.0 users=[a, b, c] \#
            isDryRun=true allow-writable-role dry-run rate user 2.0 2.0
            --database=dbname=f | RECONCILE_DATABASE=dbname=r | dbname=f database 10.0 10.0
             | RECONCILE_DATABASE=dbname=r DATABASE_URL=dbname=u | dbname=r database 10.0 10.0
             | RECONCILE_DATABASE= DATABASE_URL=postgres://u:pw@h/d \#
                | postgres://u:pw@h/d database 10.0 10.0
            """#.triples)
    func values(flags: String, variables: String, changes: String) throws {
        let given = try configuration(flags, variables)
        let defaults = Mirror(reflecting: Configuration()).children.map { "\($0.value)" }
        var found = zip(Mirror(reflecting: given).children, defaults).compactMap {
            member, standard -> String? in
            let value = "\(member.value)"
            let isLeftOut = ["given", "database"].contains(member.label) || value == standard
            let name = "\(member.label ?? "")="
            return isLeftOut ? nil : name + value.replacing(#/Optional\((.*)\)/#) { $0.1 }
        }
        found += [given.database?.text].compactMap(\.self) + given.given.sorted()
        found += [given.effectiveBurst, given.effectiveSandboxRate].map { "\($0)" }
        #expect(found.joined(separator: " ") == changes)
        #expect(!String(reflecting: given).contains("pw@"))
        let isSelected = given.scope == .selected(users: given.users, receipts: given.receipts)
        #expect(isSelected == !given.users.isEmpty)
    }

    /// Flags; the rate, the sandbox's rate, --max-unverified and --max-runtime of a process that
    /// joins a run with 3, 2 and 5%; and those of one that resumes it.
    @Test(
        "A joining worker adopts the run's --max-unverified, and its rates unless flags set them",
        arguments: """
             | 3.0 2.0 5% - | 10.0 10.0 1% -
            --rate=7 | 7.0 2.0 5% - | 7.0 7.0 1% -
            --sandbox-rate=7 --max-unverified=9 --max-runtime=1h | 3.0 7.0 5% - \
                | 10.0 7.0 9 3600.0 seconds
            """.triples)
    func sharing(flags: String, joining: String, resuming: String) throws {
        var shared = OpenedRun.SharedSettings()
        shared.rate = 3
        shared.sandboxRate = 2
        shared.maxUnverified = "5%"
        for (isJoined, expected) in [(true, joining), (false, resuming)] {
            let adopted = try configuration(flags).adopting(shared, isJoined: isJoined)
            let limit = adopted.maxRuntime.map { "\($0)" } ?? "-"
            let rates = "\(adopted.rate) \(adopted.effectiveSandboxRate)"
            #expect("\(rates) \(adopted.maxUnverified) \(limit)" == expected)
        }
    }

    private func configuration(_ flags: String, _ variables: String = "") throws -> Configuration {
        let arguments = Arguments { name in
            variables.split(separator: " ").first { $0.hasPrefix(name + "=") }
                .map { String($0.dropFirst(name.count + 1)).replacing("␣", with: " ") }
        }
        let words = ["run"] + flags.split(separator: " ").map(String.init)
        guard case .command(.run, let configuration) = try arguments.invocation(words)
        else { throw Ending(.broken, "Another invocation came out.") }
        return configuration
    }

    private static let parsers: [String: @Sendable (String) throws -> Any] = [
        "duration": FlagValue.duration(.zero), "time limit": FlagValue.duration(.milliseconds(1)),
        "rate": FlagValue.number(atLeast: 0), "allowance": FlagValue.allowance,
        "1 to 9": FlagValue.wholeNumber(1...9),
        "endpoint": { try EndpointURL($0).text == $0 ? "✓" : "changed" },
        "address": { text in
            let address = DatabaseAddress(text: text)
            let shown = "\(address) \(String(reflecting: [address]))"
            return !address.holdsPassword ? "✗" : shown == "‹redacted› [‹redacted›]" ? "✓" : shown
        },
    ]

    /// Texts and what they mean; those without an arrow are refused. ✓ is an endpoint that keeps
    /// its text, or an address with a password, which is not shown; ✗ is one without. ␣ is a blank,
    /// ¶ a line's end, ⇥ a tab, and ∅ the empty text.
    @Test(
        "A complete, unambiguous value within its bounds is read, and any other refused",
        arguments: #"""
            duration | 250ms→0.25 15s→15.0 1.5h→5400.0 0.5ms→0.001 10m→600.0 90d→7776000.0 0s→0.0
            duration | ∅ 5 5␣s ␣5s 5s␣ -5s 5S 1h30m 1e3s .5s 5.s 5µs ٥s 36501d 99999999999999999999d
            time limit | 0s 0.4ms
            rate | 10→10.0 0.1→0.1 0 0.0 -1 1e3 nan inf 0x10 ∅ 100001 1.2.3
            allowance | 1%→1% 0%→0% 0.5%→0.5% 50→50 0→0 0.05→5% 1.0→100% 100.1% -1 1.5 % ∅
            1 to 9 | 1→1 9→9 0 10 1.0 +1
            endpoint | https://buy.itunes.apple.com/verifyReceipt→✓ HTTPS://example.com→✓
            endpoint | https://h:8443/→✓ http://localhost:80/x→✓ http://LOCALHOST/→✓ https://h:/
            endpoint | http://127.0.0.1:1/→✓ http://127.255.0.9/→✓ https://[2001:db8::1]/→✓
            endpoint | http://[::1]:8080/x→✓ ∅ example.com https:// ftp://example.com https://h/a␣b
            endpoint | http://example.com/ http://127.0.0.1.example.com/ https://u:pw@example.com/
            endpoint | http://localhost.example.com/ http://localhost@example.com/ http://[::2]/
            endpoint | http://127.1/ http://128.0.0.1/ http://127.0.0.256/ http://127.0.0.01/
            endpoint | https://h:65536/ https://h:0/ https://h:x/ https://hö/ http://localhost./
            endpoint | https://h\@evil/ https://h/#x https://[::1/ https://[]/ https://[::1]x/
            address | postgres://u:pw@h/d→✓ postgresql://u:pw@h1,h2:5432/d→✓ postgres://:pw@h→✓
            address | postgres://u:p/w@h/d→✓ postgres://h/d?password=pw→✓ password=pw→✓
            address | postgres://h?%70assword=pw→✓ postgres://h?PASSWORD=pw→✓ sslpassword=pw→✓
            address | host=h␣password␣=␣pw→✓ host=h⇥Password¶=¶pw→✓ dbname='postgres://u:pw@h/d'→✓
            address | postgres://h/d?sslmode=require&password=pw→✓ host=h␣password='p␣w'→✓
            address | ∅→✗ reconcile→✗ postgres://→✗ postgres://u@h:5432/d→✗ postgres://u:@h/d→✗
            address | postgres://u%40corp@h:5432/d→✗ postgres://[::1]:5432/d→✗ service=password→✗
            address | host=h␣user=u␣passfile=/etc/pgpass→✗ postgres:///d?host=/var/run&user=u→✗
            address | postgres://%2Fvar%2Frun/d→✗ postgresql://u@h1:1,h2:2/d?options=-c%20a%3Db→✗
            """#.pairs)
    func values(kind: String, texts: String) throws {
        let parse = try #require(Self.parsers[kind])
        for words in texts.split(separator: " ").map({ $0.split(separator: "→") }) {
            let text = String(words[0]).replacing("␣", with: " ").replacing("∅", with: "")
                .replacing("¶", with: "\n").replacing("⇥", with: "\t")
            let value = (try? parse(text)).map { "\($0)".replacing(" seconds", with: "") }
            #expect(value == words.dropFirst().first.map(String.init), "\(text)")
        }
    }
}
