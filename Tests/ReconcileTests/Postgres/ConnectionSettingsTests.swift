internal import Testing

@testable import Reconcile

@Suite("Database connection settings")
struct ConnectionSettingsTests {
    @Test(
        "The SQLSTATE is read from libpq's message in any language",
        arguments: [
            (
                "connection to server at \"h\", port 1 failed: FATAL:  28P01: no\nLOCATION:  x",
                "28P01"
            ),
            ("… failed: ВАЖНО:  3D000: база данных \"x\" не существует", "3D000"),
            ("a: FATAL:  57P03: starting\nb: FATAL:  28000: role", "28000"),
            ("could not connect: Connection refused", nil),
        ])
    func sqlState(text: String, expected: String?) {
        #expect(ConnectionSettings("").sqlState(in: text) == expected)
    }

    @Test(
        "A message that may quote a password is not repeated",
        arguments: [
            "postgresql://u:hun@ter2@host/db", "host=h password=hunter2", "postgress://u:hunter2@h",
        ])
    func secrets(conninfo: String) throws {
        let text = "could not translate host name \"ter2@host\" to \"hunter2\"; address: Unknown"
        let kept = try #require(ConnectionSettings(conninfo).withoutSecrets(text))
        #expect(!kept.contains("ter2"))
        #expect(kept.hasPrefix("could not translate host name"))
        #expect(kept.hasSuffix("address: Unknown"))
    }

    @Test(
        "A message names host and database if it cannot hold a password",
        arguments: ["", "dbname=x", "postgresql://me@host/x", "postgresql:///x?host=/tmp"])
    func noSecrets(conninfo: String) {
        let text = "connection to \"host\" failed: FATAL:  3D000: database \"x\" does not exist"
        #expect(
            ConnectionSettings(conninfo).withoutSecrets(text)
                == "connection to \"host\" failed: FATAL: database \"x\" does not exist")
    }

    @Test("The reason is kept when the names around it are left out")
    func reason() {
        let text = "connection to \"host\" failed: FATAL:  3D000: database \"x\" does not exist"
        #expect(
            ConnectionSettings("postgresql://u:hunter2@host/x").withoutSecrets(text)
                == "connection to ‹…› failed: FATAL: database ‹…› does not exist")
        #expect(
            ConnectionSettings("postgresql://u:hun%22ter2@host/x").withoutSecrets(text)
                == "connection to ‹…› does not exist")
    }

    @Test("libpq's message is printed on one line without its place in the source")
    func oneLine() {
        let text = "x failed: FATAL:  3D000: database \"d\" does not exist\nLOCATION:  InitPostgres"
        #expect(
            ConnectionSettings("dbname=d").withoutSecrets(text)
                == "x failed: FATAL: database \"d\" does not exist")
        #expect(
            ConnectionSettings("dbname=d").withoutSecrets("refused\n\tIs it running?")
                == "refused; Is it running?")
    }

    @Test(
        "The connection timeout is the operator's, and ten seconds by default",
        arguments: [
            ("", 10), ("connect_timeout=3", 3), ("postgresql://h/d?connect_timeout=7", 7),
            ("connect_timeout=0", 3_600), ("justadatabase", 10),
        ])
    func timeout(conninfo: String, seconds: Int) {
        #expect(ConnectionSettings(conninfo).timeout == .seconds(seconds))
    }
}
