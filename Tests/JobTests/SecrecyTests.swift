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
        let shifted = ["", ".", ".."].map { before in
            let text = Data((before + NightScene.secret).utf8).base64EncodedString()
            return String(text.dropFirst(4).prefix(20))
        }
        // The middle of each receipt is in the mark.
        let receipt = receipt(of: "ann")
        let part = String(receipt.dropFirst(receipt.count / 2).prefix(64))
        return [NightScene.secret, NightScene.password, part] + shifted
    }

    /// Repeats the request in the answer in every possible way.
    private func answer(_ receipt: String) -> LoopbackServer.Act {
        let leak = "\(receipt) \(NightScene.secret)"
        let period = AppleAnswer.period("1", from: -60, to: -30)
        return switch Self.users.first(where: { self.receipt(of: $0) == receipt }) {
        case "ann": .reply(#"{"status":21004,"exception":"\#(leak)"}"#)
        case "bob": .reply("<html>\(leak)</html>")
        case "cyd": .reply(#"{"status":21100,"is_retryable":false,"message":"\#(leak)"}"#)
        case "dan": .reply(status: "503 \(NightScene.secret)", leak)
        case "eve": .reply(#"{"status":0,"receipt":"\#(leak)","environment":"\#(leak)"}"#)
        default: .reply(AppleAnswer.subscribed([period], latest: receipt))
        }
    }

    @Test("A secret is in no log, report or table, and not in the server's log of all statements")
    func night() async throws {
        try await withScene { scene in
            var texts: [String] = []
            // The level debug has all lines of the others.
            for format in ["text", "json"] {
                let asked = scene.apple.asks.count
                let job = try await scene.steps(
                    """
                    run --log-level=debug --log-format=\(format) --max-attempts=2 \
                    --progress=always --output=json | 0
                    """)
                #expect(scene.apple.asks.count >= asked + 6)
                texts += [job.output, job.error]
                let latest = scene.reports + "/latest/"
                for file in try FileManager.default.contentsOfDirectory(atPath: latest) {
                    texts.append(try publishedText(latest + file))
                }
            }
            #expect(scene.apple.asks.allSatisfy { $0.password == NightScene.secret })
            try await expectNothing(in: texts, and: scene, logged: "copy reconcile.outcome")
        }
    }

    @Test("A secret is in no message when a row is refused and PostgreSQL quotes it")
    func quoted() async throws {
        try await withScene { scene in
            var texts: [String] = []
            for (table, user) in [("outcome", "bob"), ("finding", "flo")] {
                let job = try await scene.steps(
                    """
                    alter table reconcile.\(table) add constraint odd check (user_id <> '\(user)')
                    run --new --log-level=debug --max-attempts=1 | 70 | ! Failing row
                    alter table reconcile.\(table) drop constraint odd
                    """)
                // A request's line names the receipt id, which here equals the user id.
                let lines = job.error.split(separator: "\n").filter { !$0.contains("requested") }
                #expect(lines.allSatisfy { !$0.contains("bob") })
                texts += [job.output, job.error]
            }
            try await expectNothing(in: texts, and: scene, logged: "Failing row contains")
        }
    }

    @Test("simulate prints its URLs; a secret is in no core file, and no other user can inspect it")
    func core() async throws {
        // root can read every process, so the test needs an unprivileged user.
        let launcher = getuid() == 0 ? "setpriv --reuid 65534 --regid 65534 --clear-groups" : ""
        let job = try RunningJob("exec \(launcher) \"$0\" simulate --customers=1")
        await job.ready()
        let limits = try String(contentsOfFile: "/proc/\(job.id)/limits", encoding: .utf8)
        #expect(limits.contains(#/Max core file size +1 +1 /#))
        // The /proc files of a process that is not dumpable belong to root.
        let file = try FileManager.default.attributesOfItem(atPath: "/proc/\(job.id)/environ")
        #expect(file[.ownerAccountID] as? Int == 0)
        let end = await job.end(by: SIGINT)
            .ends(130, "Stopped by SIGINT; 0 requests were answered.")
        let ports = try #require(
            try #/production=http://127.0.0.1:(\d+)/verifyReceipt sandbox=(.*)\n/#
                .wholeMatch(in: end.output))
        #expect(ports.2.hasPrefix("http://127.0.0.1:") && !ports.2.contains(ports.1))
    }

    /// The users' receipts in a database of which the server logs every statement and parameter.
    private func withScene(_ body: (NightScene) async throws -> Void) async throws {
        try await NightScene.empty {
            answer($0)
        } _: { scene in
            try await scene.test.sell("pro.monthly")
            for user in Self.users {
                try await scene.test.store(receipt: user, of: user, data: .text(receipt(of: user)))
                try await scene.test.grant(user)
            }
            for setting in [
                "log_statement = 'all'", "log_min_duration_statement = 0",
                "log_parameter_max_length = -1", "log_parameter_max_length_on_error = -1",
                "log_error_verbosity = 'verbose'", "log_min_messages = 'debug1'",
                "debug_print_parse = 'off'",
            ] { try await scene.test.execute("alter database \(scene.test.name) set \(setting)") }
            try await body(scene)
        }
    }

    /// - Parameter mark: a text that proves that the server's log has all statements.
    private func expectNothing(
        in texts: [String], and scene: NightScene, logged mark: String
    ) async throws {
        // scripts/postgres keeps the log in the directory of the data.
        let kept = try await scene.test.texts(
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
