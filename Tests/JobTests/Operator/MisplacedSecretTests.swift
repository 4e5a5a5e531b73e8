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
            try JobProcess(["run"] + flags, environment: environment).ends(
                78, last: ["--shared-secrets: "],
                ending: "Give the path of the file that holds the secrets.", never: ["hunter"])
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
        try JobProcess(["run", "--database", text])
            .ends(64, last: ["--database: must not hold a password"], never: ["hunter"])
    }

    private static func url(_ text: String) -> [String: String] { ["DATABASE_URL": text] }

    @Test(
        "A connection string that libpq cannot read is reported without a possible password",
        arguments: [
            (url("postgres://u:hun%zzter2@h/d"), "invalid percent-encoded token"),
            (url("postgres://u:hun/ter2@h/d"), "for connection option \"port\""),
            (url("postgres://u:hunter2"), "for connection option \"port\""),
            (url("postgres://u:hunter2@[::1/d"), "end of string reached when looking for matching"),
            (url("host=h pw=hunter2"), "invalid connection option \"pw\""),
            (url("postgres://h/d?pw=hunter2"), "invalid URI query parameter: \"pw\""),
            (url("host=h hunter2"), "missing"),
            (url("host=h user='hunter2"), "unterminated quoted string"),
            (url("postgres://h:99999/d"), "invalid port number"),
            (url("postgres://h/d?sslmode=hunter2"), "invalid sslmode value"),
            (url("host=a,b port=1,2,3"), "could not match 3 port numbers to 2 hosts"),
            (url("service=hunter2"), "not found"),
            (
                url("postgres:/u:hunter2@h/d"),
                "neither a URI nor key=value pairs nor a database name"
            ),
            (["PGPORT": "many"], "for connection option \"port\""),
            (["PGSSLMODE": "strict"], "invalid sslmode value"),
            (["PGSERVICE": "none", "PGSERVICEFILE": "/nowhere"], "not found"),
        ])
    func unreadable(environment: [String: String], words: String) throws {
        let isURL = environment["DATABASE_URL"] != nil
        try JobProcess(
            ["run"] + (isURL ? [] : ["--database=host=127.0.0.1"]), environment: environment
        ).ends(
            78, last: ["The connection string cannot be used: ", words],
            ending: """
                Correct --database, DATABASE_URL or the PG* variables: in a URI, write % as %25, \
                / as %2F and @ as %40 within a part; a password belongs in ~/.pgpass.
                """, never: ["hun", "ter2"])
    }
}
