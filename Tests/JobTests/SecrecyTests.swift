import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

/// The shared secret, the role's password and the receipts must be in no output.
@Suite("A secret", .timeLimit(.minutes(10)))
struct SecrecyTests {
    private static let users = ["ann", "bob", "cyd", "dan", "eve", "flo"]

    /// All tests share the server's log, so this test needs a mark that no other test writes.
    private let mark = String(repeating: UUID().uuidString, count: 3)

    private func receipt(of user: String) -> String { TestDatabase.receipt("\(user) \(mark)") }

    /// The forbidden texts: in plain, and the secret in base64 at each of its three offsets.
    private var canaries: [String] {
        let shifted = (0..<3).map { offset in
            let bytes = [UInt8](repeating: 0, count: offset) + Array(StrangerScene.secret.utf8)
            return String(Data(bytes).base64EncodedString().dropFirst(4).prefix(20))
        }
        // The serial makes the receipts different.
        let other = Array(
            TestDatabase.receipt("xyz \(String(repeating: "0", count: mark.count))").utf8)
        let parts = Self.users.map { user in
            let bytes = Array(receipt(of: user).utf8)
            let start = zip(bytes, other).prefix { $0 == $1 }.count
            return String(decoding: bytes[(start + 8)..<(start + 72)], as: UTF8.self)
        }
        return [StrangerScene.secret, StrangerScene.password] + shifted + parts
    }

    /// An Apple that repeats the request in its answers in every possible way.
    private var answers: StrangerScene.Answers {
        let users = Dictionary(uniqueKeysWithValues: Self.users.map { (receipt(of: $0), $0) })
        return StrangerScene.Answers { receipt in
            let leak = "\(receipt) \(StrangerScene.secret)"
            switch users[receipt] {
            case "ann": return .reply(#"{"status":21004,"exception":"\#(leak)"}"#)
            case "bob": return .reply("<html>\(leak)</html>")
            case "cyd":
                return .reply(#"{"status":21100,"is_retryable":false,"message":"\#(leak)"}"#)
            case "dan": return .reply(status: "503 \(StrangerScene.secret)", leak)
            case "eve":
                return .reply(#"{"status":0,"receipt":"\#(leak)","environment":"\#(leak)"}"#)
            default:
                let body = AppleAnswer.verified([AppleAnswer.period("1", from: -60, to: -30)])
                return .reply(body.dropLast() + #","latest_receipt":"\#(receipt)"}"#)
            }
        }
    }

    @Test(
        "A secret is in no log, report or table, and not in the server's log of all statements",
        arguments: ["error", "warning", "info", "debug"], ["text", "json"])
    func night(level: String, format: String) async throws {
        try await StrangerScene.with(answers) { scene in
            try await fill(scene)
            try await Self.logEverything(scene)
            let job = try await scene.run(
                "--log-level=\(level)", "--log-format=\(format)", "--max-attempts=2",
                "--progress=always", "--output=json")
            #expect(job.status == 0, "\(job.error)")
            #expect(scene.apple.requests.count >= 6)
            let sent = scene.apple.requests.map { String(decoding: $0.body, as: UTF8.self) }
            #expect(sent.allSatisfy { $0.contains(StrangerScene.secret) })
            var texts = [job.output, job.error]
            for file in try FileManager.default.contentsOfDirectory(atPath: scene.latest) {
                texts.append(try publishedText("\(scene.latest)/\(file)"))
            }
            try await expectNothing(in: texts, and: scene, logged: "copy reconcile.outcome")
        }
    }

    @Test("A secret is in no message when the database refuses a row and quotes it")
    func refused() async throws {
        for sql in [
            "alter table reconcile.outcome add check (user_id <> 'bob')",
            "alter table reconcile.finding add check (user_id <> 'flo')",
        ] {
            try await StrangerScene.with(answers) { scene in
                try await fill(scene)
                try await scene.test.execute(sql)
                try await Self.logEverything(scene)
                let job = try await scene.run("--log-level=debug", "--max-attempts=1")
                #expect(job.status == 70, "\(job.error)")
                // A request's line names the receipt id, which here equals the user id.
                let lines = job.error.split(separator: "\n").filter { !$0.contains("requested") }
                #expect(lines.allSatisfy { !$0.contains("bob") && !$0.contains("Failing row") })
                try await expectNothing(
                    in: [job.output, job.error], and: scene, logged: "Failing row contains")
            }
        }
    }

    @Test("A secret is in no message when a view fails on it and quotes it")
    func quoted() async throws {
        for failure in ["data::int::text", "data::date::text", "team.refuse(data)"] {
            try await StrangerScene.with(answers) { scene in
                try await fill(scene)
                try await scene.test.execute(
                    """
                    create function team.refuse(data text) returns text language plpgsql as
                    'begin raise exception ''This is %'', data using hint = data; end';
                    create or replace view reconcile.stored_receipts as
                    select id as receipt_id, who as user_id, bundle as bundle_id,
                        \(failure) as receipt_data, at as stored_at from team.receipts
                    """)
                let job = try await scene.run("--log-level=debug")
                #expect(job.status == 65, "\(job.error)")
                #expect(
                    job.lastLine.contains(
                        "reconcile.stored_receipts.receipt_"))
                for canary in canaries { #expect(!job.error.contains(canary)) }
            }
        }
    }

    @Test("A secret cannot be seen by other users while the run is in progress")
    func beside() async throws {
        let (gate, answers) = (Gate(), answers)
        let held = StrangerScene.Answers { receipt in
            gate.wait()
            return answers.act(receipt)
        }
        try await StrangerScene.with(held) { scene in
            try await fill(scene)
            let job = try scene.start(["--max-attempts=1"])
            await scene.apple.arrival(of: 1)
            let process = "/proc/\(job.id)/"
            let line = try String(contentsOfFile: process + "cmdline", encoding: .utf8)
            // Only root can read the file, since the process is not dumpable.
            let variables =
                getuid() == 0
                ? try String(contentsOfFile: process + "environ", encoding: .utf8) : nil
            #expect(line.contains("--shared-secrets="))
            #expect(variables?.contains("PGPASSWORD=") ?? (getuid() != 0))
            let statements = try await scene.test.texts(
                "select query from pg_stat_activity where usename = '\(scene.test.name)'"
            )
            #expect(!statements.isEmpty)
            for canary in canaries {
                #expect(!line.contains(canary))
                let isThere = variables?.contains(canary) ?? false
                #expect(!isThere || canary == StrangerScene.password)
                #expect(!statements.contains { $0?.contains(canary) ?? false })
            }
            gate.open()
            #expect(await job.end().status == 0)
        }
    }

    @Test("A secret is in no core file, and other users cannot inspect the process")
    func core() async throws {
        // root can read every process, so the test needs an unprivileged user.
        let launcher = getuid() == 0 ? "setpriv --reuid 65534 --regid 65534 --clear-groups" : ""
        let job = try RunningJob(
            ["simulate", "--customers=1"], environment: ["PATH": "/usr/bin:/bin"],
            launcher: launcher)
        await job.ready()
        let limits = try String(contentsOfFile: "/proc/\(job.id)/limits", encoding: .utf8)
        let cores = limits.split(separator: "\n").filter { $0.hasPrefix("Max core file size") }
        #expect(cores.first?.split(separator: " ").dropFirst(4).prefix(2) == ["1", "1"])
        // The /proc files of a process that is not dumpable belong to root.
        let attributes = try FileManager.default.attributesOfItem(atPath: "/proc/\(job.id)/environ")
        #expect(attributes[.ownerAccountID] as? Int == 0)
        job.send(SIGTERM)
        #expect(await job.end().status == 143)
    }

    private func fill(_ scene: StrangerScene) async throws {
        try await scene.test.sell("pro.monthly")
        for user in Self.users {
            let data = receipt(of: user)
            try await scene.test.store(receipt: user, of: user, data: .text(data))
            try await scene.test.store(
                entitlement: "e-\(user)", of: user, expires: "2026-12-10T02:00:00Z")
        }
    }

    /// Makes the server log every statement of this database with its parameters.
    private static func logEverything(_ scene: StrangerScene) async throws {
        let settings = [
            ("log_statement", "all"), ("log_min_duration_statement", "0"),
            ("log_parameter_max_length", "-1"), ("log_parameter_max_length_on_error", "-1"),
            ("log_error_verbosity", "verbose"), ("log_min_messages", "debug1"),
            ("debug_print_parse", "off"),
        ]
        let sql = settings.map { "alter database \(scene.test.name) set \($0) = '\($1)'" }
        try await scene.test.execute(sql.joined(separator: ";"))
    }

    /// - Parameter mark: a text that proves that the server's log has all statements.
    private func expectNothing(
        in texts: [String], and scene: StrangerScene, logged mark: String
    ) async throws {
        var texts = texts
        let tables = try await scene.test.texts(
            """
            select table_to_xml(oid, true, false, '')::text from pg_class
            where relnamespace = 'reconcile'::regnamespace and relkind = 'r'
            """)
        texts += tables.compactMap(\.self)
        // scripts/postgres keeps the log in the directory of the data.
        let log = try await scene.test.texts(
            """
            select encode(pg_read_binary_file(
                current_setting('data_directory') || '/../log'), 'escape')
            """)
        let logged = try #require(log.first ?? nil)
        #expect(logged.contains(mark))
        texts.append(logged)
        for canary in canaries {
            for text in texts { #expect(!text.contains(canary), "\(canary)") }
        }
    }
}
