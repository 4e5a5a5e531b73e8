import Foundation
import Testing

@testable import AppStoreSimulator
@testable import Reconcile
@testable import TestSupport

/// A team whose apps have API keys: the simulated customers, in both of Apple's sources. To add a
/// case: copy a test; `customer` finds one of whom something is stored.
@Suite("A set-up with API keys", .hangLimit)
struct ServerAPITests {
    private struct World: Sendable {
        let test: TestDatabase
        let folder: TemporaryFolder
        /// Of Apple's servers, and of the files of keys, secrets and roots.
        let flags: [String]

        func job(_ command: String, _ more: String...) async throws -> JobProcess {
            try await process([command] + more, nil)
        }

        /// With the flags of Apple's side, of which those that `more` repeats count there.
        func asking(_ command: String, _ more: String..., input: String? = nil) async throws
            -> JobProcess
        {
            try await process([command] + flags + more, input)
        }

        private func process(_ words: [String], _ input: String?) async throws -> JobProcess {
            var launch = Launch(environment: ["DATABASE_URL": test.url])
            if let input { launch.input = .text(input) }
            return try await JobProcess(words: words, with: launch, in: folder.path)
        }

        func night(_ more: String...) async throws {
            let words =
                ["run"] + flags + [
                    "--reports=reports", "--as-of=\(AppleAnswer.asOf)", "--allow-writable-role",
                    "--rate=10000", "--api-rate=10000", "--in-flight=32", "--evidence=all",
                    "--output=none", "--max-unverified=100%", "--guards=off",
                ] + more
            try await JobProcess(
                words: words, with: .environment(["DATABASE_URL": test.url]), in: folder.path
            ).exits()
        }

        /// - Parameter sql: a text in its first column.
        func value(_ sql: String) async throws -> String {
            try #require(try await test.texts(sql).first.flatMap { $0 })
        }
    }

    private func with(
        _ stored: String = "mixed", _ body: (World) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let secrets = SimulatedApp.all.map { "\($0.bundle) = \($0.secret)\n" }.joined()
        try folder.write(secrets, to: "secrets", mode: 0o400)
        try folder.write(KeyRing.newLine() + "\n", to: "download-keys", mode: 0o400)
        try await TestDatabase.with(.nothing) { test in
            try await JobProcess("migrate", "--with-reference-app", "--database=\(test.url)")
                .exits()
            let apple = try await Launch.normal.start(
                [
                    "simulate", "--customers=150", "--as-of=\(AppleAnswer.asOf)",
                    "--load=\(test.url)", "--stored=\(stored)", "--write-api-keys=keys",
                    "--write-roots=roots",
                ], in: folder.path)
            defer { apple.end() }
            // It prints "production=URL sandbox=URL api=URL api_sandbox=URL".
            let printed = String(decoding: apple.output.availableData, as: UTF8.self)
            let urls = printed.split { " \n=".contains($0) }.map(String.init)
            try #require(urls.count == 8)
            let flags = [
                "--production-url=\(urls[1])", "--sandbox-url=\(urls[3])", "--api-url=\(urls[5])",
                "--api-sandbox-url=\(urls[7])", "--shared-secrets=secrets", "--roots=roots",
                "--api-keys=keys/api-keys", "--timeout=50s",
            ]
            try await body(World(test: test, folder: folder, flags: flags))
        }
    }

    private static let doctorFlags = ["--allow-writable-role", "--reports=reports", "--live"]

    @Test("doctor says which apps have a key, reaches the API, and tries each key")
    func doctor() async throws {
        try await with { world in
            let doctor = { (more: [String]) in
                let flags = world.flags.filter { !$0.hasPrefix("--roots") }
                return try await JobProcess(
                    words: ["doctor"] + flags + Self.doctorFlags + more,
                    with: .environment(["DATABASE_URL": world.test.url]), in: world.folder.path)
            }
            let right = try await doctor([])
            for app in SimulatedApp.all {
                let name = "\"\(app.bundle)\""
                #expect(right.unwrapped.contains("ok api keys \(name) has a key"))
                #expect(
                    right.unwrapped.contains(
                        "ok api key Apple does not refuse the API key of \(name) (error 40400"))
            }
            for server in ["server_api", "server_api_sandbox"] {
                let answers = "ok \(server) answers; HTTP 401 for a request without a token"
                #expect(right.unwrapped.contains(answers))
            }
            let one = SimulatedApp.all[0].bundle
            let ofOthers = try world.folder.apiKeys(of: [one], ThrowAwayAPIKey.all[1], as: "other")
            let wrong = try await doctor(["--api-keys=\(ofOthers)"]).exits(1)
            #expect(
                wrong.unwrapped.contains(
                    "problem api key Apple refuses the API key of \"\(one)\" (HTTP 401)."))
            #expect(wrong.unwrapped.contains("not revoked, that the issuer id"))
            #expect(wrong.unwrapped.contains("warning api keys \"\(SimulatedApp.all[1].bundle)\""))
            let silent = try await doctor(["--api-url=http://127.0.0.1:1"]).exits(1)
            #expect(silent.unwrapped.contains("problem server_api No connection was made"))
        }
    }

    @Test("Without keys doctor does not speak of the API")
    func noKeys() async throws {
        try await Session.empty(others: .reply(AppleAnswer.status(21002))) { session in
            try await session.doctor().omits("api key", "server_api")
        }
    }

    @Test("evidence prints the answers about a receipt's customers, or that of verifyReceipt")
    func evidence() async throws {
        try await with("receipt") { world in
            try await world.night("--source=both")
            let receipt = try await world.value(
                """
                select e.receipt_id from reconcile.evidence as e
                where e.server = 'server_api' and e.body is not null and exists (
                    select from reconcile.evidence as o
                    where o.receipt_id = e.receipt_id and o.server = 'production'
                        and o.body is not null
                ) order by 1
                """)
            let signed = try await world.job("evidence", "--receipt", receipt).exits()
                .says("as run", "received them from the App Store Server API")
            let lines = signed.output.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.last == "")
            let verifier = JWSVerifier(TrustedRoots([ThrowAwayChain.root]))
            let now = Instant(milliseconds: 1_795_140_000_000)
            for line in lines.dropLast() {
                let jws = try #require(JWS(Array(line.utf8)))
                #expect(verifier.verification(of: jws, now: now).isGenuine)
            }
            let digest = Digest.sha256(Array(signed.output.utf8)).hexadecimal
            let kept = try await world.value(
                """
                select encode(body_sha256, 'hex') from reconcile.evidence
                where server = 'server_api' and receipt_id = '\(receipt)'
                """)
            #expect(digest == kept)
            try await Self.prove(signed.output, in: world.folder)
            let other = try await world.job(
                "evidence", "--receipt", receipt, "--source", "verify-receipt"
            ).exits().says("received them from verifyReceipt")
            #expect(try other.json()["status"] == 0)
            try await world.job("evidence", "--receipt", receipt, "--source=server-api", "--signed")
                .exits(66).says("signed by itself")
        }
    }

    /// Runs the commands of docs/disputes.md on the first line of an answer, with the simulated
    /// root in the place of Apple's.
    private static func prove(_ answer: String, in folder: TemporaryFolder) async throws {
        let page = try String(contentsOf: DisputesTests.page, encoding: .utf8)
        let section = try #require(
            page.components(separatedBy: "### An answer of the App Store Server API\n").last)
        let blocks = section.components(separatedBy: "```\n").enumerated()
            .filter { $0.offset % 2 == 1 }.map(\.element)
        #expect(blocks.count == 3)
        try folder.write(answer, to: "kept")
        try folder.write(ThrowAwayChain.root, to: "AppleRootCA-G3.cer")
        let commands = blocks.joined(separator: "\n")
            .replacing("reconcile-job evidence --finding 0123abcd", with: "cat kept")
        let shell = try ChildProcess(
            "/bin/sh", ["-e", "-c", commands], environment: ["PATH": "/usr/bin:/bin"],
            in: folder.path, stderr: .output)
        await shell.finish().exits().prints(
            "certificate1.pem: OK", "1.2.840.113635.100.6.11.1", "1.2.840.113635.100.6.2.1",
            "Verified OK")
    }

    @Test("evidence prints each customer of a receipt, and those that other receipts name too")
    func severalCustomers() async throws {
        try await with("receipt") { world in
            try await world.night("--source=both")
            // The second receipt of a user has the customer of the first one.
            let answers = try await world.value(
                """
                select user_id from reconcile.evidence
                where server = 'server_api' and body is not null order by 1
                """)
            let receipt = try await world.value(
                """
                select receipt_id from reconcile.evidence where user_id = '\(answers)'
                and server = 'server_api' order by 1
                """)
            try await world.test.execute(
                """
                insert into reconcile.evidence (
                    run_id, request_sha256, user_id, receipt_id, outcome, attempts, server, body,
                    body_sha256, answered_at
                )
                select run_id, sha256('x'), user_id, receipt_id, outcome, attempts, server, body,
                    sha256(body), answered_at
                from reconcile.evidence
                where receipt_id = '\(receipt)' and server = 'server_api'
                """)
            try await world.job("evidence", "--receipt", receipt).exits()
                .says("2 customers, one after another; lines 1 to ", " are answer ")
        }
    }

    @Test("explain names the source of each answer, and tells what the API alone knows")
    func explain() async throws {
        try await with("receipt") { world in
            try await world.night("--source=both")
            let user = try await world.value(
                """
                select e.user_id from reconcile.evidence as e
                where e.server = 'server_api' and exists (
                    select from reconcile.evidence as o
                    where o.receipt_id = e.receipt_id and o.server = 'production'
                        and o.body is not null
                ) and convert_from(e.body, 'utf8') like '%eyJ%' order by 1
                """)
            let text = try await world.job("explain", "--user", user).exits()
            #expect(text.unwrapped.contains("Answers ["))
            #expect(text.unwrapped.contains("the App Store Server API about a customer in receipt"))
            #expect(text.unwrapped.contains("] verifyReceipt about receipt"))
            #expect(text.unwrapped.contains(" USD"), "\(text.output)")
            let json = try await world.job("explain", "--user", user, "--output=json").exits()
                .json()
            let sources = Set(json["answers"].texts("source"))
            #expect(sources == ["server_api", "verify_receipt"])
            #expect(json["timeline"].texts("source").contains("server_api"))
            let live = try await world.asking(
                "explain", "--user", user, "--live", "--as-of", AppleAnswer.asOf
            ).exits()
            let asked = live.output.split(separator: "Asked now").last.map(String.init) ?? ""
            #expect(asked.contains("verifyReceipt"))
            #expect(asked.contains("the App Store"), "\(asked)")
        }
    }

    @Test("validate takes a signed transaction of an app with a key, once from Apple, then stored")
    func validate() async throws {
        try await with("jws") { world in
            let texts = try await world.test.texts(
                """
                select btrim(r.receipt_data, E' \\r\\n') from app.receipts as r
                inner join app.entitlements as e on e.user_id = r.user_id and e.is_active
                inner join app.product_assets as a on a.product_id = e.product_id
                where r.receipt_data like '%eyJ%' and e.expires_at is null
                    and e.source = 'app_store'
                order by r.receipt_id
                """)
            let data = try #require(texts.compactMap { $0 }.first(where: Self.isGenuine))
            let request = #"{"receipt-data":"\#(data)"}"#
            let flags = ["--download-key-file=download-keys"]
            let first = try await world.asking("validate", flags[0], input: request).exits()
            #expect(try first.json()["status"] == "ok", "\(first.output) \(first.error)")
            let digest = Digest.sha256(Array(data.utf8)).hexadecimal
            let stored = try await world.value(
                "select receipt_data from app.receipts where receipt_id = '\(digest)'")
            #expect(stored == data)
            // It is stored: no server is needed.
            let again = try await world.asking(
                "validate", flags[0], "--api-url=http://127.0.0.1:1", input: request
            ).exits()
            #expect(try again.json()["status"] == "ok")
            let end = data.index(before: data.endIndex)
            let forged = data[..<end] + (data[end] == "A" ? "Q" : "A")
            let refused = try await world.asking(
                "validate", flags[0], "--api-url=http://127.0.0.1:1",
                input: #"{"receipt-data":"\#(forged)"}"#
            ).exits()
            #expect(refused.output == Session.fail)
            // Without a key, and a mere id, which anybody can write down.
            let none = try world.folder.apiKeys(of: ["another"], as: "none")
            try await world.asking("validate", flags[0], "--api-keys=\(none)", input: request)
                .exits().prints(Session.fail)
            try await world.asking(
                "validate", flags[0], input: #"{"receipt-data":"480000000102000"}"#
            ).exits().prints(Session.fail)
        }
    }

    /// Whether the simulator signed it, as a transaction: others are forged, or app transactions.
    private static func isGenuine(_ text: String) -> Bool {
        guard let jws = JWS(Array(text.utf8)) else { return false }
        let verifier = JWSVerifier(TrustedRoots([ThrowAwayChain.root]))
        return jws.payload.kind == .transaction
            && verifier.verification(of: jws, now: .distantPast).isGenuine
    }
}
