import Foundation
import Testing

@testable import TestSupport

/// The shared secret, the role's password and the receipts must be in no output. To add a case:
/// copy a test, and give the texts that must not have them to `expectNothing`.
@Suite("A secret", .hangLimit)
struct SecrecyTests {
    private static let users = ["ann", "bob", "cyd", "dan", "eve", "flo"]

    /// All tests share the server's log, so this test needs a mark that no other test writes.
    private let mark = String(repeating: UUID().uuidString, count: 3)

    private func receipt(of user: String) -> String { TestDatabase.receipt("\(user) \(mark)") }

    /// The forbidden texts: in plain, and the secret in base64 at each of its three offsets.
    private var canaries: [String] {
        let shifted = ["", ".", ".."].map { before in
            let text = Data((before + Session.secret).utf8).base64EncodedString()
            return String(text.dropFirst(4).prefix(20))
        }
        // The middle of each receipt is in the mark.
        let receipt = receipt(of: "ann")
        let part = String(receipt.dropFirst(receipt.count / 2).prefix(64))
        return [Session.secret, Session.password, part] + shifted
    }

    /// Repeats the request in the answer in every possible way.
    private func answer(to user: String) -> LoopbackServer.Act {
        let receipt = receipt(of: user)
        let leak = "\(receipt) \(Session.secret)"
        let period = AppleAnswer.period("1", from: -60, to: -30)
        return switch user {
        case "ann": .reply(#"{"status":21004,"exception":"\#(leak)"}"#)
        case "bob": .reply("<html>\(leak)</html>")
        case "cyd": .reply(#"{"status":21100,"is_retryable":false,"message":"\#(leak)"}"#)
        case "dan": .reply(status: "503 \(Session.secret)", leak)
        case "eve": .reply(#"{"status":0,"receipt":"\#(leak)","environment":"\#(leak)"}"#)
        default: .reply(AppleAnswer.subscribed([period], latest: receipt))
        }
    }

    @Test("A secret is in no log, report or table, and not in the server's log of all statements")
    func night() async throws {
        try await withScene { session in
            var texts: [String] = []
            let flags = [
                "--log-level=debug", "--max-attempts=2", "--progress=always", "--output=json",
            ]
            // The level debug has all lines of the others.
            for format in ["text", "json"] {
                let asked = session.apple.asks.count
                let job = try await session.run(flags + ["--log-format=\(format)"]).exits()
                #expect(session.apple.asks.count >= asked + 6)
                texts += [job.output, job.error]
                texts += try session.everything(in: "reports/latest")
                    .map { try publishedText(session.path("reports/latest/" + $0)) }
            }
            #expect(session.apple.asks.allSatisfy { $0.password == Session.secret })
            try await expectNothing(in: texts, and: session, logged: "copy reconcile.outcome")
        }
    }

    @Test("A secret is in no message when a row is refused and PostgreSQL quotes it")
    func quoted() async throws {
        try await withScene { session in
            var texts: [String] = []
            for (table, user) in [("outcome", "bob"), ("finding", "flo")] {
                let alter = "alter table reconcile.\(table)"
                try await session.sql("\(alter) add constraint odd check (user_id <> '\(user)')")
                let job = try await session.run("--new", "--log-level=debug", "--max-attempts=1")
                    .exits(70).omits("Failing row")
                try await session.sql("\(alter) drop constraint odd")
                // A request's line names the receipt id, which here equals the user id.
                for line in job.logged where !line.contains("requested") {
                    #expect(!line.contains("bob"))
                }
                texts += [job.output, job.error]
            }
            try await expectNothing(in: texts, and: session, logged: "Failing row contains")
        }
    }

    @Test("simulate prints its URLs; a secret is in no core file, and no other user can inspect it")
    func core() async throws {
        // root can read every process, so the test needs an unprivileged user.
        let nobody = Launch.through(
            "setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups")
        let launch = getuid() == 0 ? nobody : .normal
        let job = try await launch.start(["simulate", "--customers=1"])
        await job.ready()
        let limits = try String(contentsOfFile: "/proc/\(job.id)/limits", encoding: .utf8)
        let core = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
        #expect(core?.split(separator: " ") == ["Max", "core", "file", "size", "1", "1", "bytes"])
        // The /proc files of a process that is not dumpable belong to root.
        let file = try FileManager.default.attributesOfItem(atPath: "/proc/\(job.id)/environ")
        #expect(file[.ownerAccountID] as? Int == 0)
        let end = await job.finish(by: SIGINT).exits(130)
            .says("Stopped by SIGINT; 0 requests were answered.")
        let words = end.output.split { " \n=".contains($0) }
        try #require(words.count == 8)
        #expect(words[0] == "production")
        #expect(words[2] == "sandbox")
        #expect(words[4] == "api")
        #expect(words[6] == "api_sandbox")
        for url in [words[1], words[3], words[5], words[7]] {
            #expect(url.hasPrefix("http://127.0.0.1:"))
        }
        #expect(words[1].hasSuffix("/verifyReceipt"))
        #expect(words[1].prefix { $0 != "v" } != words[3].prefix { $0 != "v" })
    }

    /// The users' receipts in a database of which the server logs every statement and parameter.
    private func withScene(_ body: (Session) async throws -> Void) async throws {
        let acts = Self.users.map { (receipt(of: $0), answer(to: $0)) }
        try await Session.empty(acts: Dictionary(uniqueKeysWithValues: acts)) { session in
            try await session.test.sell("pro.monthly")
            for user in Self.users {
                try await session.test.store(
                    receipt: user, of: user, data: .text(receipt(of: user)))
                try await session.grant(user)
            }
            for setting in [
                "log_statement = 'all'", "log_min_duration_statement = 0",
                "log_parameter_max_length = -1", "log_parameter_max_length_on_error = -1",
                "log_error_verbosity = 'verbose'", "log_min_messages = 'debug1'",
                "debug_print_parse = 'off'",
            ] {
                try await session.test.execute("alter database \(session.test.name) set \(setting)")
            }
            try await body(session)
        }
    }

    /// - Parameter mark: a text that proves that the server's log has all statements.
    private func expectNothing(
        in texts: [String], and session: Session, logged mark: String
    ) async throws {
        // scripts/postgres keeps the log in the directory of the data.
        let kept = try await session.test.texts(
            """
            select encode(pg_read_binary_file(current_setting('data_directory') || '/../log'), \
            'escape') union all select table_to_xml(oid, true, false, '')::text from pg_class
            where relnamespace = 'reconcile'::regnamespace and relkind = 'r'
            """
        ).compactMap(\.self)
        #expect(kept.contains { $0.contains(mark) })
        for text in texts + kept {
            for canary in canaries { #expect(!text.contains(canary), "\(canary)") }
        }
    }
}
