import Testing

@testable import TestSupport

@Suite("A secret in the wrong place")
struct MisplacedSecretTests {
    @Test(
        "A secret given in place of its file is not repeated in the message",
        arguments: [
            "com.acme = hunter2", "*=hunter2", "hunter2", "a = hunter1\nb = hunter2",
            "com.acme/hunter2 = hunter2", String(repeating: "hunter2", count: 1_000),
        ])
    func content(value: String) throws {
        for (flags, environment) in [
            (["--shared-secrets", value], [:]), ([], ["RECONCILE_SHARED_SECRETS": value]),
        ] as [([String], [String: String])] {
            let job = try JobProcess(["run"] + flags, environment: environment)
            #expect(job.status == 78)
            #expect(job.lastLine.contains("--shared-secrets: "))
            #expect(job.lastLine.hasSuffix("Give the path of the file that holds the secrets."))
            #expect(!job.error.contains("hunter"))
        }
    }

    @Test(
        "A password in an address on the command line is refused in every misspelt form",
        arguments: [
            "postgres:/u:hunter2@h", "postgres:u:hunter2@h/d", "POSTGRESQL:/u:hunter2@h?a=b",
            "u:hunter2@h/d", "postgres//u:hunter2@h/d", "postgres;//u:hunter2@h/d?sslmode=require",
            "postgres:/u:hunter=2@h/d",
        ])
    func address(text: String) throws {
        let job = try JobProcess(["run", "--database", text])
        #expect(job.status == 64)
        #expect(job.lastLine.contains("--database: must not hold a password"))
        #expect(!job.error.contains("hunter"))
    }
}

@Suite("A connection string")
struct ConnectionStringTests {
    private static let advice =
        "Correct --database, DATABASE_URL or the PG* variables: in a URI, write % as %25, / as %2F"
        + " and @ as %40 within a part; a password belongs in ~/.pgpass."

    @Test(
        "A connection string that libpq cannot read is reported without a possible password",
        arguments: [
            ("postgres://u:hun%zzter2@h/d", "invalid percent-encoded token"),
            ("postgres://u:hun/ter2@h/d", "for connection option \"port\""),
            ("postgres://u:hunter2", "for connection option \"port\""),
            ("postgres://u:hunter2@[::1/d", "end of string reached when looking for matching"),
            ("host=h pw=hunter2", "invalid connection option \"pw\""),
            ("postgres://h/d?pw=hunter2", "invalid URI query parameter: \"pw\""),
            ("host=h hunter2", "missing"), ("host=h user='hunter2", "unterminated quoted string"),
            ("postgres://h:99999/d", "invalid port number"),
            ("postgres://h/d?sslmode=hunter2", "invalid sslmode value"),
            ("host=a,b port=1,2,3", "could not match 3 port numbers to 2 hosts"),
            ("service=hunter2", "not found"),
            ("postgres:/u:hunter2@h/d", "neither a URI nor key=value pairs nor a database name"),
        ])
    func unreadable(text: String, words: String) throws {
        let job = try JobProcess(["run"], environment: ["DATABASE_URL": text])
        #expect(job.status == 78, "\(job.error)")
        #expect(job.lastLine.contains("The connection string cannot be used: "))
        #expect(job.lastLine.contains(words), "\(job.lastLine)")
        #expect(job.lastLine.hasSuffix(Self.advice), "\(job.lastLine)")
        for part in ["hun", "ter2"] { #expect(!job.error.contains(part), "\(job.error)") }
    }

    @Test(
        "An error in libpq's own variables is reported without a possible password",
        arguments: [
            (["PGPORT": "many"], "for connection option \"port\""),
            (["PGSSLMODE": "strict"], "invalid sslmode value"),
            (["PGSERVICE": "none", "PGSERVICEFILE": "/nowhere"], "not found"),
        ])
    func variables(environment: [String: String], words: String) throws {
        let job = try JobProcess(["run", "--database=host=127.0.0.1"], environment: environment)
        #expect(job.status == 78, "\(job.error)")
        #expect(job.lastLine.contains(words), "\(job.lastLine)")
        #expect(job.lastLine.hasSuffix(Self.advice))
    }
}
