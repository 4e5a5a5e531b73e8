import Foundation
import SQL
import Testing

@testable import AppStoreSimulator
@testable import Reconcile
@testable import TestSupport

@Suite("The command inspect")
struct InspectTests {
    private let folder: TemporaryFolder

    private var roots: String { folder.path + "/roots" }

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: roots, withIntermediateDirectories: false)
    }

    private func trust(_ certificate: [UInt8]) throws {
        try Data(certificate).write(to: URL(fileURLWithPath: roots + "/root.cer"))
    }

    private func inspect(_ receipt: [UInt8], _ flags: String...) throws -> JobProcess {
        let file = folder.path + "/receipt"
        try Data(receipt).write(to: URL(fileURLWithPath: file))
        return try JobProcess(["inspect", file, "--roots", roots] + flags)
    }

    @Test("inspect ends with 0 for a genuine receipt, in a file or stored for its app, and else 1")
    func statuses() async throws {
        try trust(ReceiptAuthority.shared.root.der)
        let receipt = ReceiptAuthority.shared.receipt(PayloadForge().encoded)
        let text = String(decoding: Base64.encode(receipt), as: UTF8.self)
        try await TestDatabase.with(.views) { test in
            try await test.store(receipt: "r-1", of: "ann", data: .text(text))
            for (words, status, says) in textTriples(
                """
                FILE --bundle=acme | 0 | The receipt is genuine.
                FILE --bundle=acme.other | 1 | not genuine: step bundle failed.
                --receipt=r-1 | 0 | The receipt is genuine.
                --receipt=r-1 --bundle=other | 1 | not genuine: step bundle failed.
                --receipt=r-2 | 66 | The nearest: r-1.
                --receipt=r-1 --receipt=r-2 | 64 | inspect
                --receipt=r-1 receipt.txt | 64 | inspect
                 | 64 | `inspect` needs either
                """)
            {
                let file = try folder.write(text, to: "receipt")
                let job = try JobProcess(
                    line: "inspect --roots=\(roots) --database=\(test.url) "
                        + words.replacing("FILE", with: file))
                job.ends(try #require(Int32(status)), last: [says])
                #expect(job.output.contains("bundle           passed") == (status == "0"))
            }
        }
        let other = try inspect(receipt, "--bundle", "acme.other", "--output", "json").ends(1)
        let json = try JSONSerialization.jsonObject(with: Data(other.output.utf8))
        let document = try #require(json as? [String: Any])
        #expect(document["failed_step"] as? String == "bundle")
        #expect((document["steps"] as? [[String: String]])?.count == 5)
        #expect(try inspect(receipt, "--output", "none").ends().output.isEmpty)
    }

    @Test("inspect accepts the simulator's receipts under its root alone, and refuses changed ones")
    func minted() throws {
        try inspect([0x30]).ends(78, ending: "in PEM or DER.")
        try trust(Array("hello".utf8))
        try inspect([0x30]).ends(78, last: ["root.cer holds no readable certificate."])
        try trust(ThrowAwayAuthority.rootCertificate)
        let store = SimulatedStore(
            seed: 1, customers: 100, firstNight: Moment(milliseconds: 1_795_140_000_000))
        let texts = store.receipts(of: 0..<20).map(\.data)
        let text = try #require(texts.first { $0.hasPrefix("MII") && $0.count > 4_000 })
        try inspect(Array(text.utf8)).ends()
        // Under Apple's own roots.
        try JobProcess(["inspect", folder.path + "/receipt"]).ends(1, last: ["not genuine: step "])
        var bytes = try #require(Base64.decode(Array(text.utf8))).bytes
        try inspect(Array(bytes.dropLast())).ends(65)
        bytes[bytes.count - 1] ^= 1
        try inspect(bytes).ends(1, last: [": step signature failed. "])
    }
}

/// Serialized, since a role belongs to all databases of the server.
@Suite("migrate --roles", .serialized)
struct MigrateRolesTests {
    private static let mayUseSchema =
        "select has_schema_privilege('reconcile_job', 'reconcile', 'usage')"

    @Test(
        "migrate --roles prints SQL without a database, or applies it before and after migrations")
    func applies() async throws {
        let job = try JobProcess(line: "migrate --roles print --database host=127.0.0.1␣port=1")
        #expect(job.ends().output == SQL.roles.text)
        #expect(job.error.contains("No database was changed. Run the SQL on stdout"))
        try await TestDatabase.with(.nothing) { test in
            for flags in [["--roles=apply"], [], ["--roles=apply"], ["--roles=apply"]] {
                let job = try await RunningJob(["migrate", "--database", test.url] + flags).end()
                let advice = "grant reconcile_job to the account that runs the job."
                job.ends(ending: flags.isEmpty ? "" : advice)
                #expect(job.output.isEmpty)
            }
            #expect(try await test.texts(Self.mayUseSchema) == ["t"])
            let rights = "select has_table_privilege('reconcile_job', 'reconcile.run', 'insert')"
            #expect(try await test.texts(rights) == ["t"])
        }
    }

    @Test("migrate --roles apply names a missing privilege, and changes nothing")
    func lacksPrivilege() async throws {
        try await TestDatabase.with(.views) { test in
            // The role may have received its privileges when the tables were created.
            try await test.execute(
                SQL.roles.text + "drop owned by reconcile_job; create role \(test.name) login")
            for (grants, says) in textPairs(
                """
                select 1 | permission denied for schema reconcile
                grant usage, create on schema reconcile to LOGIN | \
                    no privilege to grant usage on schema reconcile
                grant usage, create on schema reconcile to LOGIN with grant option; \
                    grant select on all tables in schema reconcile to LOGIN | \
                    no privilege to grant on reconcile.acceptance
                """)
            {
                try await test.execute(grants.replacing("LOGIN", with: test.name))
                let login = test.url(user: test.name)
                try await RunningJob(["migrate", "--roles=apply", "--database", login]).end().ends(
                    77, last: ["Cannot set up role reconcile_job: \(says). Nothing was"],
                    ending: "the SQL of reconcile-job migrate --roles print.")
                #expect(try await test.texts(Self.mayUseSchema) == ["f"])
            }
            try await test.execute("drop owned by \(test.name); drop role \(test.name)")
        }
    }
}

@Suite("The simulated App Store", .timeLimit(.minutes(10)))
struct SimulateTests {
    @Test("simulate prints its URLs, serves, and stops on a signal")
    func serves() async throws {
        let job = try RunningJob(["simulate", "--customers", "5", "--as-of", AppleAnswer.asOf])
        await job.ready()
        job.send(SIGINT)
        let end = await job.end()
        end.ends(130, last: ["Stopped by SIGINT; 0 requests were answered."])
        let ports = try #require(
            try #/production=http://127.0.0.1:(\d+)/verifyReceipt sandbox=(.*)\n/#
                .wholeMatch(in: end.output))
        #expect(ports.2.hasPrefix("http://127.0.0.1:") && !ports.2.contains(ports.1))
    }

    @Test("simulate fills no schema app but its own, and says what to do")
    func foreignSchema() async throws {
        try await TestDatabase.with(.ownTables) { test in
            let flags = ["simulate", "--customers=1", "--load", test.url]
            let missing = try await RunningJob(flags).end()
            missing.ends(78, last: ["migrate --with-reference-app"])
            try await test.execute(
                "create schema app; create table app.receipts (id int); "
                    + "insert into app.receipts values (1)")
            let foreign = try await RunningJob(flags).end()
            foreign.ends(
                65, last: ["schema app is not the reference service", "Use a separate database"])
            #expect(missing.output.isEmpty && foreign.output.isEmpty)
            #expect(try await test.texts("select id::text from app.receipts") == ["1"])
        }
    }

    @Test("A run against a simulator with faults has the same findings as one without faults")
    func faults() async throws {
        let calm = try await findings(faults: "0")
        #expect(calm.contains("refunded_still_granted") && calm.contains("receipt_from_xcode"))
        for plan in [
            "10%",
            // Fewer than half of the answers fail and few are refusals: neither an outage nor wrong
            // refusals.
            "429-ms:sandbox:30%,html:first=1:10%,21003:first=1:2%,cut-gzip:first=2:5%,reset:5%",
        ] { #expect(try await findings(faults: plan) == calm, "\(plan)") }
    }

    /// Every line of every file, except what differs between runs.
    private func findings(faults: String) async throws -> String {
        let folder = try TemporaryFolder()
        let secrets = try folder.write(
            SimulatedApp.all.map { "\($0.bundle) = \($0.secret)\n" }.joined(), to: "secrets")
        return try await TestDatabase.with(.nothing) { test in
            try JobProcess(["migrate", "--with-reference-app", "--database", test.url]).ends()
            let apple = try SimulatorProcess([
                "--customers=200", "--as-of", AppleAnswer.asOf, "--faults", faults, "--load",
                test.url,
            ])
            try await RunningJob([
                "run", "--database", test.url, "--reports", folder.path + "/reports",
                "--shared-secrets", secrets, "--as-of", AppleAnswer.asOf, "--allow-writable-role",
                "--production-url", apple.production, "--sandbox-url", apple.sandbox,
                "--rate=10000", "--in-flight=32", "--backoff=1ms", "--max-attempts=12",
                "--timeout=50s", "--output=none", "--max-unverified=0",
            ]).end().ends()
            return try ["expirations", "refunds", "mismatches", "receipts", "unverified"].map {
                try folder.read("reports/latest/\($0).json")
                    .replacing(#/"(run_id|first_seen)":"[^"]*"/#, with: "")
            }.joined()
        }
    }
}
