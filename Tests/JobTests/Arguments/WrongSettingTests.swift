import Foundation
import Testing

@testable import TestSupport

/// To add a case: a `Mistake` below, with the exit status, what the last line says, and its advice.
@Suite("A setting that cannot be used", .hangLimit)
struct WrongSettingTests {
    /// Longer than a DNS label, so no server is asked.
    private static let longHost = String(repeating: "h", count: 64)
    private static let hugeName = String(repeating: "hunter2", count: 1_000)

    /// With a PGSERVICEFILE libpq's message names that file, and without one the service.
    private static let mistakes = [
        Mistake(
            ["run", "--production-url=http://h/hunter2"], status: 78,
            says: "--production-url: the value would send", advice: .plainHTTP),
        Mistake(
            ["run", "--production-url=https://u:hunter2@example.com/"], status: 78,
            says: "--production-url: the value", advice: .nothing),
        Mistake(
            ["run", "--production-url=hunter2"], status: 78, says: "--production-url: the value",
            advice: .nothing),
        Mistake(
            ["run", "--sandbox-url=ftp://h", "--database=host=127.0.0.1 port=1"], status: 78,
            says: "--sandbox-url", advice: .nothing),
        Mistake(
            ["run", "--output=none"],
            environment: ["RECONCILE_OUTPUT": "xml", "RECONCILE_SANDBOX_URL": "http://h"],
            status: 78,
            says: "unencrypted", advice: .plainHTTP),
        Mistake(
            ["run", "--shared-secrets=/nowhere/s"], status: 78,
            says: "cannot read /nowhere/s: No such file", advice: .path),
        Mistake(
            ["run", "--shared-secrets=/usr"], status: 78, says: "--shared-secrets: /usr",
            advice: Advice("Give a file.")),
        Mistake(
            ["run", "--ca-file=/nowhere/ca"], status: 78,
            says: "--ca-file: cannot read /nowhere/ca: No such file", advice: .path),
        Mistake(
            ["run", "--ca-file=/usr"], status: 78,
            says: "--ca-file: /usr is not a file of certificates.",
            advice: Advice("a PEM file.")),
        Mistake(
            ["runs", "--database=host=\(longHost)"], status: 69,
            says: "the database: could not translate host name", advice: .address),
        Mistake(
            ["runs", "--database=postgres://127.0.0.1:1/d"], status: 69, says: "Connection refused",
            advice: .address),
        Mistake(
            ["runs"], environment: ["PGHOST": "/nowhere"], status: 69,
            says: "/nowhere/.s.PGSQL.5432",
            advice: .address),
        Mistake(
            ["run"], environment: ["RECONCILE_DATABASE": "postgres://u:hunter2@[::1/d"], status: 78,
            says: "end of string reached", advice: .connectionString),
        Mistake(
            ["simulate", "--load=host=/nowhere dbname=x"], status: 69,
            says: "Cannot reach the database",
            advice: .address),
        Mistake(
            ["simulate", "--port=1", "--sandbox-port=1", "--customers=1"], status: 69,
            says: "127.0.0.1:1:", advice: .nothing),
        Mistake(
            ["inspect", "/nowhere/receipt"], status: 74, says: "/nowhere/receipt", advice: .path),
        Mistake(
            ["inspect", "-"], status: 65, says: "It is empty.",
            advice: Advice("Ask the app to send its receipt again.")),
        Mistake(
            ["inspect", "-", "--roots=/nowhere"], status: 78, says: "--roots: cannot read /nowhere",
            advice: Advice("Give a folder of certificates.")),
        Mistake(
            ["run", "--shared-secrets=hunter2"], status: 78, says: "--shared-secrets:",
            advice: .secretsFile),
        Mistake(
            ["run", "--shared-secrets=com.acme/hunter2 = hunter2"], status: 78,
            says: "--shared-secrets:",
            advice: .secretsFile),
        Mistake(
            ["run", "--shared-secrets=\(hugeName)"], status: 78, says: "--shared-secrets:",
            advice: .secretsFile),
        Mistake(
            ["run"], environment: ["RECONCILE_SHARED_SECRETS": "a = hunter1\nb = hunter2"],
            status: 78,
            says: "--shared-secrets:", advice: .secretsFile),
        Mistake(
            ["run"], environment: ["DATABASE_URL": "postgres://u:hunt%zzter2@h/d"], status: 78,
            says: "invalid percent-encoded token", advice: .connectionString),
        Mistake(
            ["run"], environment: ["DATABASE_URL": "postgres://u:hunt/ter2@h/d"], status: 78,
            says: #"for connection option "port""#, advice: .connectionString),
        Mistake(
            ["run"], environment: ["DATABASE_URL": "host=h pw=hunter2"], status: 78,
            says: #"invalid connection option "pw""#, advice: .connectionString),
        Mistake(
            ["run"], environment: ["DATABASE_URL": "postgres://h/d?pw=hunter2"], status: 78,
            says: #"invalid URI query parameter: "pw""#, advice: .connectionString),
        Mistake(
            ["run"], environment: ["DATABASE_URL": "host=h hunter2"], status: 78, says: "missing",
            advice: .connectionString),
        Mistake(
            ["run"], environment: ["DATABASE_URL": "host=h user='hunter2"], status: 78,
            says: "unterminated quoted string", advice: .connectionString),
        Mistake(
            ["run"], environment: ["DATABASE_URL": "postgres://h:99999/d"], status: 78,
            says: "invalid port number", advice: .connectionString),
        Mistake(
            ["run"], environment: ["DATABASE_URL": "postgres://h/d?sslmode=hunter2"], status: 78,
            says: "invalid sslmode value", advice: .connectionString),
        Mistake(
            ["run"], environment: ["DATABASE_URL": "host=a,b port=1,2,3"], status: 78,
            says: "could not match 3 port numbers to 2 hosts", advice: .connectionString),
        Mistake(
            ["run"], environment: ["DATABASE_URL": "service=hunter2"], status: 78,
            says: "not found",
            advice: .connectionString),
        Mistake(
            ["run"], environment: ["DATABASE_URL": "postgres:/u:hunter2@h/d"], status: 78,
            says: "neither a URI nor key=value pairs nor", advice: .connectionString),
        Mistake(
            ["run", "--database=host=127.0.0.1"], environment: ["PGPORT": "many"], status: 78,
            says: #"for connection option "port""#, advice: .connectionString),
        Mistake(
            ["run", "--database=host=127.0.0.1"],
            environment: ["PGSERVICE": "none", "PGSERVICEFILE": "/nowhere"], status: 78,
            says: "not found", advice: .connectionString),
    ]

    @Test(
        "A value, file or address that cannot be used is refused with its status and no secret",
        arguments: mistakes)
    func wrong(mistake: Mistake) async throws { try await mistake.expectRefusal() }
}
