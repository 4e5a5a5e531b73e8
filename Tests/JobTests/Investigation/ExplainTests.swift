import Foundation
import SQL
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The command explain")
struct ExplainTests {
    private func explain(_ scene: NightScene, _ arguments: String...) throws -> JobProcess {
        try JobProcess(["explain", "--database=\(scene.database)"] + arguments)
    }

    @Test("explain shows a customer's finding, both sides, the rule and the receipt")
    func finding() async throws {
        try await NightScene.with { scene in
            _ = try await scene.run()
            let answer = try explain(scene, "--user=ann")
            #expect(answer.status == 0, "\(answer.error)")
            let lines = answer.output.split(separator: "\n").map(String.init)
            let head = lines.prefix(10).joined(separator: "\n")
            #expect(head.hasPrefix("User ann, in run "))
            #expect(
                head.contains("FINDING expired_still_granted (high, leak, new), since 2026-10-21"))
            #expect(head.contains(#/state +granted +expired +≠/#))
            #expect(head.contains(#/expires +2026-12-10T02:00:00Z +2026-10-21T02:00:00Z +≠/#))
            #expect(
                head.contains("rule 3 of 24: the row grants, and what gave the right has expired"))
            #expect(head.contains("receipt ann of acme, Production, Apple was asked at 2"))
            #expect(lines.allSatisfy { $0.count <= 100 })
            #expect(answer.output.contains("It goes away when the row grants no more"))
            #expect(answer.output.contains("bought pro.monthly"))
            #expect(
                answer.lastLine.contains("has 1 finding about user ann")
                    || answer.lastLine.contains("findings about user ann"))
            let id = try #require(
                try await scene.test.texts(
                    "select finding_id from reconcile.finding where kind = 'expired_still_granted'"
                ).first ?? nil)
            for key in ["--receipt=ann", "--transaction=1", "--finding=\(id.prefix(8))"] {
                #expect(try explain(scene, key).output == answer.output, "\(key)")
            }
        }
    }

    @Test("explain shows a consistent customer's right and what grants it")
    func consistent() async throws {
        try await NightScene.with { scene in
            _ = try await scene.run()
            let answer = try explain(scene, "--user=bob")
            #expect(answer.output.contains("CONSISTENT: the right product:pro.monthly"))
            #expect(answer.output.contains(#/state +granted +active\n/#))
            #expect(answer.output.contains(#/the two\s+agree/#))
            #expect(answer.output.contains("receipt bob of acme"))
            // Bob has no kept answer: the message says what the verdict was based on.
            #expect(answer.output.contains("No answer of Apple's about this customer is kept"))
            #expect(answer.output.contains("transaction 2"))
            let json = try explain(scene, "--user=bob", "--output=json")
            let parsed = try JSONSerialization.jsonObject(with: Data(json.output.utf8))
            let rights = try #require((parsed as? [String: Any])?["rights"] as? [[String: Any]])
            #expect(rights.map { $0["outcome"] as? String } == ["consistent"])
        }
    }

    @Test("explain says why a put-off user has no finding")
    func postponed() async throws {
        try await NightScene.with { scene in
            _ = try await scene.run()
            let answer = try explain(scene, "--user=dan")
            #expect(
                answer.output.contains(
                    "UNVERIFIED: the right product:pro.monthly, it would be"
                        + " grant_without_transaction"))
            #expect(answer.output.contains("so that nobody is accused"))
            #expect(answer.output.contains("dan of acme: unusable (jws)"))
        }
    }

    @Test("explain shows a finding's history over several runs, with the operator's decisions")
    func nights() async throws {
        try await NightScene.with { scene in
            for _ in 1...3 { _ = try await scene.run() }
            let id = try #require(
                try await scene.test.texts(
                    "select finding_id from reconcile.finding where kind = 'expired_still_granted'"
                ).first ?? nil)
            _ = try JobProcess([
                "accept", id, "--by=ada", "--why=a tester", "--database=\(scene.database)",
            ])
            try await scene.test.execute("delete from team.entitlements where who = 'ann'")
            _ = try await scene.run()
            let last = try explain(scene, "--finding=\(id)")
            let now = try explain(scene, "--user=ann")
            #expect(last.output.contains("FINDING expired_still_granted"))
            #expect(!now.output.contains("FINDING expired_still_granted"))
            for what in [": new, run", ": still there, run", ": cleared, run"] {
                #expect(now.output.contains(what), "\(what)")
            }
            #expect(now.output.contains(#/accepted by ada: a\s+tester/#))
        }
    }

    @Test("A run without changes adds no history, and --evidence none keeps no answers")
    func quiet() async throws {
        try await NightScene.with { scene in
            let records = "select count(*)::text from reconcile.judged_user"
            _ = try await scene.run("--evidence=none")
            #expect(try await scene.test.texts(records) == ["0"])
            let none = try explain(scene, "--user=ann")
            #expect(none.output.contains("No record of the verdicts is kept"))
            #expect(none.output.contains("expired_still_granted"))
            _ = try await scene.run()
            let first = try await scene.test.texts(records)
            #expect(first == ["6"])
            _ = try await scene.run()
            #expect(try await scene.test.texts(records) == first)
            try await scene.test.execute(
                "update team.entitlements set expires = '2027-01-10T02:00:00Z' where who = 'flo'")
            _ = try await scene.run()
            #expect(try await scene.test.texts(records) == ["7"])
            let runs = try await scene.test.texts(
                "select run_id from reconcile.run order by run_no"
            ).compactMap(\.self)
            let before = try explain(scene, "--user=flo", "--run=\(runs[2])")
            #expect(before.output.contains("2026-12-10T02:00:00Z"))
            #expect(try explain(scene, "--user=flo").output.contains("2027-01-10T02:00:00Z"))
        }
    }

    @Test("explain says when a run did not judge a user, and shows what an earlier run kept")
    func notJudged() async throws {
        try await NightScene.with { scene in
            _ = try await scene.run()
            #expect(!(try explain(scene, "--user=ann").output.contains("judged nothing")))
            #expect(!(try explain(scene, "--user=eve").output.contains("judged nothing")))
            // The refusal put cyd off, so a group recorded the user.
            #expect(!(try explain(scene, "--user=cyd").output.contains("judged nothing")))
            for table in ["entitlements", "receipts"] {
                try await scene.test.execute("delete from team.\(table) where who = 'bob'")
            }
            _ = try await scene.run("--as-of=2026-11-21T02:00:00Z")
            let gone = try explain(scene, "--user=bob").output
            #expect(gone.contains("\nWhat follows an earlier run has kept."))
        }
    }

    @Test("explain --live asks Apple, shows what has changed, and writes nothing")
    func live() async throws {
        try await NightScene.with { scene in
            _ = try await scene.run()
            let apple = scene.arguments([]).filter {
                $0.hasPrefix("--production") || $0.hasPrefix("--sandbox") || $0.contains("secrets")
            }
            func live(_ flags: [String]) throws -> JobProcess {
                try JobProcess(
                    ["explain", "--database=\(scene.database)", "--user=ann", "--live"] + flags)
            }
            let before = try await traces(scene)
            let same = try live(apple + ["--as-of=\(AppleAnswer.asOf)"])
            #expect(same.status == 0, "\(same.error)")
            #expect(
                same.output.contains("Asked now, at \(AppleAnswer.asOf); nothing of it is kept"))
            #expect(same.output.contains("Nothing has changed since run "))
            try await scene.test.execute(
                "update team.entitlements set active = false where who = 'ann'")
            let corrected = try live(apple + ["--as-of=\(AppleAnswer.asOf)"])
            #expect(
                corrected.output.contains(#/finding\s+expired_still_granted,.*→\s+consistent/#),
                "\(corrected.output)")
            // Apple's unreachable server accuses no user, and the output says so.
            _ = try await scene.test.execute(
                "update team.entitlements set active = true where who = 'ann'")
            let settling = try live(
                apple + ["--as-of=\(AppleAnswer.asOf)", "--settle=1000d"])
            #expect(
                settling.output.contains(#/finding\s+expired_still_granted,.*→\s+settling/#),
                "\(settling.output)")
            // Apple's server cannot be reached: no user is accused, and the output says so.
            let silent = try live(["--production-url=http://127.0.0.1:9"])
            #expect(silent.status == 0, "\(silent.error)")
            #expect(silent.output.contains("ann of acme: unverified ("))
            let json = try live(apple + ["--output=json"])
            let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8))
            #expect((object as? [String: Any])?["live"] is [String: Any])
            #expect(try await traces(scene) == before)
        }
    }

    private func traces(_ scene: NightScene) async throws -> [String?] {
        var counts: [String?] = []
        for table in [
            "run", "worker", "batch", "user_result", "outcome", "evidence", "finding",
            "judged_user", "ledger", "kept_receipt",
        ] {
            counts += try await scene.test.texts(
                "select count(*)::text from reconcile.\(table)")
        }
        return counts
    }

    @Test("An unknown id ends with 66 and the nearest known id")
    func unknown() async throws {
        try await NightScene.with { scene in
            _ = try await scene.run()
            let user = try explain(scene, "--user=bobby")
            #expect(user.status == 66 && user.lastLine.contains("The nearest: bob, cyd"))
            let receipt = try explain(scene, "--receipt=annie")
            #expect(receipt.status == 66 && receipt.lastLine.contains("The nearest: ann, bob"))
            let transaction = try explain(scene, "--transaction=3")
            #expect(transaction.status == 66 && transaction.lastLine.contains("The nearest: 2, 4"))
            #expect(try explain(scene, "--finding=00000000").status == 66)
            #expect(try explain(scene, "--user=ann", "--run=1999").status == 66)
            #expect(try explain(scene).status == 64)
            #expect(try explain(scene, "--user=ann", "--receipt=ann").status == 64)
        }
    }

    @Test("evidence prints Apple's bytes, and their digest is the one that the finding names")
    func evidence() async throws {
        try await NightScene.with { scene in
            _ = try await scene.run()
            let sql =
                "select finding_id || ' ' || encode(evidence_sha256, 'hex')"
                + " from reconcile.finding where kind = 'expired_still_granted'"
            let row = try #require(try await scene.test.texts(sql).first ?? nil)
            let words = row.split(separator: " ").map(String.init)
            let database = "--database=\(scene.database)"
            let answer = try JobProcess(["evidence", "--finding=\(words[0])", database])
            #expect(answer.status == 0, "\(answer.error)")
            #expect(Digest.sha256(answer.output.utf8).hexadecimal == words[1])
            let same = try JobProcess(["evidence", "--receipt=ann", database])
            #expect(same.output == answer.output)
            let none = try JobProcess(["evidence", "--receipt=bob", database])
            #expect(none.status == 66 && none.lastLine.contains("--evidence findings"))
            #expect(try JobProcess(["evidence", "--receipt=who", database]).status == 66)
            #expect(try JobProcess(["evidence", database]).status == 64)
        }
    }

    @Test("A read-only role can explain, and Apple's answers need the evidence role")
    func roles() async throws {
        try await NightScene.with { scene in
            try await scene.test.execute(SQL.roles.text)
            _ = try await scene.run()
            let name = scene.test.name
            try await scene.test.execute(
                "create role \(name) login; grant reconcile_reader to \(name)")
            let url = scene.test.url(user: name)
            let explained = try JobProcess(["explain", "--user=ann", "--database=\(url)"])
            #expect(explained.status == 0, "\(explained.error)")
            #expect(explained.output.contains("FINDING expired_still_granted"))
            #expect(explained.output.contains("grant reconcile_evidence"))
            let evidence = ["evidence", "--receipt=ann", "--database=\(url)"]
            #expect(try JobProcess(evidence).status == 77)
            for command in ["runs", "verify"] {
                let folder = command == "verify" ? [scene.reports + "/latest"] : []
                let job = try JobProcess([command] + folder + ["--database=\(url)"])
                #expect(job.status == 0, "\(job.error)\(job.output)")
            }
            try await scene.test.execute("grant reconcile_evidence to \(name)")
            #expect(try JobProcess(evidence).status == 0)
            let whole = try JobProcess(["explain", "--user=ann", "--database=\(url)"])
            #expect(!whole.output.contains("grant reconcile_evidence"))
            try await scene.test.execute("drop role \(name)")
        }
    }
}
