import Testing

@testable import Reconcile
@testable import TestSupport
@testable import reconcile_job

/// A complete, unambiguous value within its bounds is read, and any other refused. To add a case: a
/// line of the texts that are read, with the value, or of those that are refused.
@Suite("A flag's value")
struct FlagValueTests {
    @Test(
        "A complete, unambiguous duration is read",
        arguments: [
            ("250ms", .milliseconds(250)),
            ("15s", .seconds(15)),
            ("1.5h", .seconds(5400)),
            ("0.5ms", .milliseconds(1)),
            ("10m", .seconds(600)),
            ("90d", .seconds(7_776_000)),
            ("0s", .milliseconds(0)),
        ] as [(String, Duration)])
    func duration(text: String, value: Duration) throws {
        let read = try FlagValue.duration(.zero)(text)
        #expect(read == value)
    }

    @Test(
        "Another text than a duration is refused",
        arguments: [
            "",
            "5",
            "5 s",
            " 5s",
            "5s ",
            "-5s",
            "5S",
            "1h30m",
            "1e3s",
            ".5s",
            "5.s",
            "5µs",
            "٥s",
            "36501d",
            "99999999999999999999d",
        ])
    func notDuration(text: String) {
        #expect(throws: InvalidValue.self) { try FlagValue.duration(.zero)(text) }
    }

    @Test(
        "A duration below 1 ms is refused where nothing could be done in less",
        arguments: [
            "0s",
            "0.4ms",
        ])
    func tooShort(text: String) {
        #expect(throws: InvalidValue.self) { try FlagValue.duration(.milliseconds(1))(text) }
    }

    @Test(
        "A decimal number above 0 is read",
        arguments: [
            ("10", 10),
            ("0.1", 0.1),
        ] as [(String, Double)])
    func rate(text: String, value: Double) throws {
        let read = try FlagValue.number(atLeast: 0)(text)
        #expect(read == value)
    }

    @Test(
        "Another text than a decimal number above 0 is refused",
        arguments: [
            "0",
            "0.0",
            "-1",
            "1e3",
            "nan",
            "inf",
            "0x10",
            "",
            "100001",
            "1.2.3",
        ])
    func notRate(text: String) {
        #expect(throws: InvalidValue.self) { try FlagValue.number(atLeast: 0)(text) }
    }

    @Test(
        "A share or a number of receipts is read",
        arguments: [
            ("1%", .percent(1)),
            ("0%", .percent(0)),
            ("0.5%", .percent(0.5)),
            ("50", .count(50)),
            ("0", .count(0)),
            ("0.05", .percent(5)),
            ("1.0", .percent(100)),
        ] as [(String, Allowance)])
    func allowance(text: String, value: Allowance) throws {
        let read = try FlagValue.allowance(text)
        #expect(read == value)
    }

    @Test(
        "Another text than a share or a number is refused",
        arguments: [
            "100.1%",
            "-1",
            "1.5",
            "%",
            "",
        ])
    func notAllowance(text: String) {
        #expect(throws: InvalidValue.self) { try FlagValue.allowance(text) }
    }

    @Test(
        "A whole number within its bounds is read",
        arguments: [
            ("1", 1),
            ("9", 9),
        ] as [(String, Int)])
    func wholeNumber(text: String, value: Int) throws {
        let read = try FlagValue.wholeNumber(1...9)(text)
        #expect(read == value)
    }

    @Test(
        "Another text than a whole number within its bounds is refused",
        arguments: [
            "0",
            "10",
            "1.0",
            "+1",
        ])
    func notWholeNumber(text: String) {
        #expect(throws: InvalidValue.self) { try FlagValue.wholeNumber(1...9)(text) }
    }

    @Test(
        "An https URL, or an http one of this machine, is an endpoint and keeps its text",
        arguments: [
            "https://buy.itunes.apple.com/verifyReceipt",
            "HTTPS://example.com",
            "https://h:8443/",
            "http://localhost:80/x",
            "http://LOCALHOST/",
            "http://127.0.0.1:1/",
            "http://127.255.0.9/",
            "https://[2001:db8::1]/",
            "http://[::1]:8080/x",
        ])
    func endpoint(text: String) throws {
        let endpoint = try EndpointURL(text)
        #expect(endpoint.text == text)
    }

    @Test(
        "Another URL is no endpoint",
        arguments: [
            "https://h:/",
            "",
            "example.com",
            "https://",
            "ftp://example.com",
            "https://h/a b",
            "http://example.com/",
            "http://127.0.0.1.example.com/",
            "https://u:pw@example.com/",
            "http://localhost.example.com/",
            "http://localhost@example.com/",
            "http://[::2]/",
            "http://127.1/",
            "http://128.0.0.1/",
            "http://127.0.0.256/",
            "http://127.0.0.01/",
            "https://h:65536/",
            "https://h:0/",
            "https://h:x/",
            "https://hö/",
            "http://localhost./",
            #"https://h\@evil/"#,
            "https://h/#x",
            "https://[::1/",
            "https://[]/",
            "https://[::1]x/",
        ])
    func notEndpoint(text: String) {
        #expect(throws: InvalidValue.self) { try EndpointURL(text) }
    }

    @Test(
        "An address with a password is recognised, and not shown",
        arguments: [
            "postgres://u:pw@h/d",
            "postgresql://u:pw@h1,h2:5432/d",
            "postgres://:pw@h",
            "postgres://u:p/w@h/d",
            "postgres://h/d?password=pw",
            "password=pw",
            "postgres://h?%70assword=pw",
            "postgres://h?PASSWORD=pw",
            "sslpassword=pw",
            "host=h password = pw",
            "host=h\tPassword\n=\npw",
            "dbname='postgres://u:pw@h/d'",
            "postgres://h/d?sslmode=require&password=pw",
            "host=h password='p w'",
        ])
    func password(text: String) {
        let address = DatabaseAddress(text: text)
        #expect(address.holdsPassword)
        #expect("\(address)" == "‹redacted›")
        #expect(String(reflecting: [address]) == "[‹redacted›]")
    }

    @Test(
        "An address without a password is recognised",
        arguments: [
            "",
            "reconcile",
            "postgres://",
            "postgres://u@h:5432/d",
            "postgres://u:@h/d",
            "postgres://u%40corp@h:5432/d",
            "postgres://[::1]:5432/d",
            "service=password",
            "host=h user=u passfile=/etc/pgpass",
            "postgres:///d?host=/var/run&user=u",
            "postgres://%2Fvar%2Frun/d",
            "postgresql://u@h1:1,h2:2/d?options=-c%20a%3Db",
        ])
    func noPassword(text: String) { #expect(!DatabaseAddress(text: text).holdsPassword) }
}
