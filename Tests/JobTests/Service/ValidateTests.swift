import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The command validate")
struct ValidateTests {
    private static let fail = #"{"status":"fail","products":[]}"#

    @Test("validate asks Apple once, then answers from storage, with fresh keys that open")
    func validates() async throws {
        try await ServiceScene.with(always: .reply(Self.bought("both"))) { scene in
            let first = try await scene.validate(ServiceScene.request("1", user: "ann"))
            #expect(first.status == 0, "\(first.error)")
            let firstKeys = try keys(in: first.output)
            #expect(Set(firstKeys.keys) == ["remote song", "remote.map"])
            #expect(!first.output.hasSuffix("\n"))
            let second = try await scene.validate(ServiceScene.request("1", user: "ann"))
            let secondKeys = try keys(in: second.output)
            #expect(scene.apple.asks.count == 1)
            #expect(Set(firstKeys.values).isDisjoint(with: secondKeys.values))
            for key in [firstKeys["remote.map"], secondKeys["remote.map"]] {
                let opened = try await scene.open((key ?? "") + "\n")
                #expect(opened.status == 0, "\(opened.error)")
                #expect(opened.output.hasPrefix(#"{"status":"ok","product_key":"file-map","#))
            }
            let stored = try await scene.test.texts(
                "select user_id || ' ' || bundle_id from reconcile.stored_receipts")
            #expect(stored == ["ann acme"])
            let rows = try await scene.test.texts(
                """
                select product_id || ' ' || remote_product_id || ' ' || download_key
                from reconcile.stored_download_keys order by 1
                """)
            #expect(rows == secondKeys.map { "both \($0.key) \($0.value)" }.sorted())
        }
    }

    @Test(
        "validate asks Apple again after a recorded refund, and the old keys open nothing")
    func refunded() async throws {
        let isRefunded = Shared(false)
        let script: ServiceScene.Script = { _ in
            .reply(
                AppleAnswer.verified([
                    AppleAnswer.purchase("71", of: "map", isRefunded: isRefunded.current),
                    AppleAnswer.purchase("72", of: "song"),
                ]))
        }
        try await ServiceScene.with(script) { scene in
            let before = try keys(
                in: try await scene.validate(ServiceScene.request("1")).output)
            try await scene.test.execute(Self.refundRecorded("71"))
            let map = try await scene.open(before["remote.map"] ?? "")
            #expect(map.status == 1)
            #expect(map.output == #"{"status":"fail","reason":"revoked"}"# + "\n")
            let song = try await scene.open(before["remote song"] ?? "")
            #expect(song.status == 0)
            isRefunded.update { $0 = true }
            let after = try await scene.validate(ServiceScene.request("1"))
            #expect(scene.apple.asks.count == 2)
            #expect(Set(try keys(in: after.output).keys) == ["remote song"])
            // A validation after the run is not requested again.
            _ = try await scene.validate(ServiceScene.request("1"))
            #expect(scene.apple.asks.count == 2)
            #expect(try await scene.open(before["remote.map"] ?? "").status == 1)
        }
    }

    @Test("validate keeps the first user who is named, and logs others")
    func users() async throws {
        try await ServiceScene.with(always: .reply(Self.bought("map"))) { scene in
            _ = try await scene.validate(ServiceScene.request("1"))
            for user in ["ann", "ann", "bob"] {
                let answer = try await scene.validate(ServiceScene.request("1", user: user))
                #expect(try keys(in: answer.output).count == 1)
                #expect(answer.error.contains("stored for another user") == (user == "bob"))
            }
            // A request without a user adds none.
            let missingTransactionID = try await scene.validate(ServiceScene.request("1"))
            #expect(!missingTransactionID.error.contains("stored for another user"))
            let users = try await scene.test.texts(
                "select user_id from reconcile.stored_receipts order by user_id")
            #expect(users == ["ann", "bob"])
            #expect(scene.apple.asks.count == 1)
        }
    }

    @Test("validate caches for only a minute that a receipt unlocks nothing, for whatever reason")
    func emptyAnswer() async throws {
        try await ServiceScene.with(always: .reply(Self.bought("pen"))) { scene in
            try await scene.test.execute(
                "insert into app.products (product_id, kind) values ('pen', 'non_consumable')")
            let answer = try await scene.validate(ServiceScene.request("1"))
            #expect(try keys(in: answer.output).isEmpty && answer.status == 0)
            let isShort = try await scene.test.texts(
                "select (valid_until - validated_at <= interval '1 min')::text from app.receipts")
            #expect(isShort == ["true"])
        }
    }

    @Test("Several processes that are asked about one receipt at the same time make one call")
    func processes() async throws {
        try await ServiceScene.with(always: .reply(Self.bought("map"))) { scene in
            let answers = try await withThrowingTaskGroup { group in
                for _ in 0..<3 {
                    group.addTask { try await scene.validate(ServiceScene.request("1")) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.allSatisfy { $0.status == 0 })
            for answer in answers { #expect(try keys(in: answer.output).count == 1) }
            #expect(scene.apple.asks.count == 1)
        }
    }

    @Test(
        "Without a verdict from Apple validate ends with 69 and the fail body, and stores nothing",
        arguments: [21005, 21002, 21004, 21000])
    func noVerdict(status: Int) async throws {
        try await ServiceScene.with(always: .reply(AppleAnswer.status(status))) { scene in
            let answer = try await scene.validate(ServiceScene.request("1"))
            #expect(answer.status == 69 && answer.output == Self.fail)
            let stored = try await scene.test.texts("select receipt_id from app.receipts")
            #expect(stored == [])
        }
    }

    @Test("validate answers fail for a refused receipt, for no receipt and for another team's app")
    func fails() async throws {
        try await ServiceScene.with(always: .reply(AppleAnswer.status(21003))) { scene in
            let secrets = try scene.folder.write("* = 0123\n", to: "secrets")
            let forged = try await scene.validate(
                ServiceScene.request("1"), "--shared-secrets=\(secrets)")
            #expect(forged.status == 0 && forged.output == Self.fail)
            let asked = scene.apple.asks.count
            for request in [
                ServiceScene.request("2", bundle: "stranger"), #"{"receipt-data":"no receipt"}"#,
            ] {
                let answer = try await scene.validate(request)
                #expect(answer.status == 0 && answer.output == Self.fail)
            }
            #expect(scene.apple.asks.count == asked)
            let bad = try await scene.validate("{}")
            #expect(bad.status == 64 && bad.lastLine.contains("receipt-data"))
        }
    }

    @Test("A key file that others can read, or that cannot be used, is refused")
    func keyFile() async throws {
        try await ServiceScene.with(always: .hangUp) { scene in
            #expect(chmod(scene.keyFile, 0o640) == 0)
            #expect(try await scene.open("x").status == 77)
            #expect(chmod(scene.keyFile, 0o600) == 0)
            _ = try scene.folder.write("key = short\n", to: "keys")
            let bad = try await scene.open("x")
            #expect(bad.status == 78 && bad.lastLine.contains("Line 1"))
            #expect(!bad.error.contains("short"))
        }
    }

    @Test("validate says what to do about a database without its tables")
    func notMigrated() async throws {
        try await ServiceScene.with(always: .hangUp) { scene in
            try await scene.test.execute("drop schema reconcile cascade")
            let answers = [
                try await scene.validate(ServiceScene.request("1")), try await scene.open("x"),
            ]
            for answer in answers {
                #expect(answer.status == 78 && answer.lastLine.contains("migrate"))
            }
        }
    }

    @Test("keys new prints a line for the key file")
    func newKey() throws {
        let job = try JobProcess(["keys", "new"])
        #expect(job.status == 0)
        #expect(job.output.contains(#/^k[0-9a-f]{8} = [A-Za-z0-9+\/]{43}=\n$/#))
        #expect(try JobProcess(["keys"]).status == 64)
    }

    static func bought(_ product: String) -> String {
        AppleAnswer.verified([AppleAnswer.purchase("1", of: product)])
    }

    /// SQL for a published run that recorded a refund.
    static func refundRecorded(_ transaction: String) -> String {
        """
        insert into reconcile.run (
            run_id, as_of, state, is_everything, makes_history, scope, settings, evidence,
            rules_version, code_version, finished_at
        )
        values ('r', now(), 'published', true, true, '{}', '{}', 'none', 1, 'x', now());
        insert into reconcile.ledger (
            first_run_no, first_seen, finding_id, state, kind, user_id, reference
        )
        select run_no, now(), gen_random_uuid(), 'event', 'refund_recorded', 'u', '\(transaction)'
        from reconcile.run where run_id = 'r';
        """
    }
}
