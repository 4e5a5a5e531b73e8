import Testing

@testable import reconcile_job

@Suite("A database address")
struct DatabaseAddressTests {
    @Test(
        "An address with a password is recognised",
        arguments: [
            "postgres://u:pw@h/d", "postgresql://u:pw@h1,h2:5432/d", "postgres://:pw@h",
            "postgres://u:p/w@h/d", "postgres://u:p%40w@h/d", "postgres://h/d?password=pw",
            "postgres://h/d?sslmode=require&password=pw", "postgres://h?%70assword=pw",
            "postgres://h?PASSWORD=pw", "postgres://h/d?sslpassword=pw", "password=pw",
            "host=h password=pw", "host=h password = pw", "host=h password='p w'",
            "host=h\tPassword\n=\npw", "dbname='postgres://u:pw@h/d'",
        ])
    func holds(text: String) { #expect(DatabaseAddress(text: text).holdsPassword) }

    @Test(
        "An address without a password is recognised",
        arguments: [
            "", "reconcile", "postgres://", "postgres://h/d", "postgres://u@h:5432/d",
            "postgres://u%40corp@h:5432/d", "postgres://u:@h/d", "postgres://[::1]:5432/d",
            "postgres:///d?host=/var/run/postgresql&user=u", "host=h user=u passfile=/etc/pgpass",
            "dbname=passwords", "service=password", "postgres://%2Fvar%2Frun/d",
            "postgresql://u@h1:1,h2:2/d?options=-c%20a%3Db",
        ])
    func holdsNone(text: String) { #expect(!DatabaseAddress(text: text).holdsPassword) }

    @Test("An address prints as redacted")
    func redacted() {
        let address = DatabaseAddress(text: "postgres://u:pw@h/d")
        #expect("\(address) \(String(reflecting: [address]))" == "‹redacted› [‹redacted›]")
    }
}

@Suite("An endpoint's URL")
struct EndpointURLTests {
    @Test(
        "An endpoint may be https, or http to the same machine",
        arguments: [
            "https://buy.itunes.apple.com/verifyReceipt", "HTTPS://example.com", "https://h:8443/",
            "http://localhost:80/x", "http://LOCALHOST/", "http://127.0.0.1:1/",
            "http://127.255.0.9/", "http://[::1]:8080/verifyReceipt", "https://[2001:db8::1]/",
        ])
    func accepted(text: String) throws { #expect(try EndpointURL(text).text == text) }

    @Test(
        "Any other URL is refused, and so is one with a user or a fragment",
        arguments: [
            "", "example.com", "https://", "https:///x", "ftp://example.com", "file:///etc/passwd",
            "http://example.com/", "http://127.0.0.1.example.com/", "http://localhost.example.com/",
            "http://localhost@example.com/", "https://u:pw@example.com/", "http://127.1/",
            "http://128.0.0.1/", "http://127.0.0.256/", "http://127.0.0.01/", "http://[::2]/",
            "http://[::ffff:1.2.3.4]/", "https://h:0/", "https://h:65536/", "https://h:x/",
            "https://h:/", "https://h/a b", "https://h\\@evil/", "https://h/#x", "https://[::1/",
            "https://hö/", "https://h/\n", "http://localhost./", "https://[]/", "https://[::1]x/",
        ])
    func refused(text: String) {
        let error = #expect(throws: InvalidValue.self) { _ = try EndpointURL(text) }
        #expect(error?.reason.contains("pw") == false)
    }
}
