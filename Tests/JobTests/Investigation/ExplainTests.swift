import Foundation
import SQL
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The command explain")
struct ExplainTests {
    @Test("explain shows a customer's finding, both sides, the rule and the receipt")
    func finding() async throws {
        try await NightScene.with { scene in
            _ = try await scene.run()
            let answer = try scene.command("explain", "--user=ann").ends(
                out: ["It is cleared when the row no longer grants", "bought pro.monthly"])
            let lines = answer.output.split(separator: "\n").map(String.init)
            let head = lines.prefix(10).joined(separator: "\n")
            #expect(head.hasPrefix("User ann, in run "))
            for text in [
                "FINDING expired_still_granted (high, leak, new), since 2026-10-21",
                "rule 3 of 24: the row grants, and what gave the right has expired",
                "receipt ann of acme, Production, Apple was asked at 2",
            ] { #expect(head.contains(text), "\(head)") }
            #expect(head.contains(#/state +granted +expired +≠/#))
            #expect(head.contains(#/expires +2026-12-10T02:00:00Z +2026-10-21T02:00:00Z +≠/#))
            #expect(lines.allSatisfy { $0.count <= 100 })
            #expect(
                answer.lastLine.contains(#/has 1 finding about user ann|findings about user ann/#))
            let id = try await scene.expiredFinding().prefix(8)
            for key in ["--receipt=ann", "--transaction=1", "--finding=\(id)"] {
                #expect(try scene.command("explain", key).output == answer.output, "\(key)")
            }
        }
    }

    @Test("explain shows a consistent customer's right and what grants it")
    func consistent() async throws {
        try await NightScene.with { scene in
            _ = try await scene.run()
            let answer = try scene.command("explain", "--user=bob").ends(out: [
                "CONSISTENT: the right product:pro.monthly", "receipt bob of acme",
                // Bob has no kept answer: the message says what the verdict was based on.
                "No answer of Apple's about this customer is kept", "transaction 2",
            ])
            #expect(answer.output.contains(#/state +granted +active\n/#))
            #expect(answer.output.contains(#/the two\s+agree/#))
            let json = try scene.command("explain", "--user=bob", "--output=json")
                .json([String: Any].self)
            let rights = try #require(json["rights"] as? [[String: Any]])
            #expect(rights.map { $0["outcome"] as? String } == ["consistent"])
        }
    }

    @Test("explain says why there is no finding, and answers an unknown id with the nearest one")
    func others() async throws {
        try await NightScene.with { scene in
            _ = try await scene.run()
            try scene.command("explain", "--user=dan").ends(out: [
                "UNVERIFIED: the right product:pro.monthly, it would be grant_without_transaction",
                "so that no finding accuses the", "dan of acme: unusable (jws)",
            ])
            // The refusal put cyd off, so a group recorded the user.
            for user in ["ann", "eve", "cyd"] {
                try scene.command("explain", "--user=" + user).ends(never: ["judged nothing"])
            }
            for (flags, status, nearest) in [
                (["--user=bobby"], 66, ["The nearest: bob, cyd"]),
                (["--receipt=annie"], 66, ["The nearest: ann, bob"]),
                (["--transaction=3"], 66, ["The nearest: 2, 4"]), (["--finding=00000000"], 66, []),
                (["--user=ann", "--run=1999"], 66, []), ([], 64, []),
                (["--user=ann", "--receipt=ann"], 64, []),
            ] as [([String], Int32, [String])] {
                try JobProcess(["explain", "--database=\(scene.database)"] + flags)
                    .ends(status, last: nearest)
            }
            for table in ["entitlements", "receipts"] {
                try await scene.test.execute("delete from team.\(table) where who = 'bob'")
            }
            _ = try await scene.run("--as-of=2026-11-21T02:00:00Z")
            try scene.command("explain", "--user=bob")
                .ends(out: ["\nWhat follows an earlier run has kept."])
        }
    }

    @Test("explain shows a finding's history over several runs, with the operator's decisions")
    func nights() async throws {
        try await NightScene.with { scene in
            for _ in 1...3 { _ = try await scene.run() }
            let id = try await scene.expiredFinding()
            try scene.command("accept", id, "--by=ada", "--why=a tester").ends()
            try await scene.test.execute("delete from team.entitlements where who = 'ann'")
            _ = try await scene.run()
            let finding = "FINDING expired_still_granted"
            try scene.command("explain", "--finding=\(id)").ends(out: [finding])
            let now = try scene.command("explain", "--user=ann").ends(
                out: [": new, run", ": still there, run", ": cleared, run"], never: [finding])
            #expect(now.output.contains(#/accepted by ada: a\s+tester/#))
        }
    }

    @Test("A run without changes adds no history, and --evidence none keeps no answers")
    func quiet() async throws {
        try await NightScene.with { scene in
            func records() async throws -> [String?] {
                try await scene.test.texts("select count(*)::text from reconcile.judged_user")
            }
            _ = try await scene.run("--evidence=none")
            #expect(try await records() == ["0"])
            try scene.command("explain", "--user=ann")
                .ends(out: ["No record of the verdicts is kept", "expired_still_granted"])
            for _ in 0..<2 {
                _ = try await scene.run()
                #expect(try await records() == ["6"])
            }
            try await scene.test.execute(
                "update team.entitlements set expires = '2027-01-10T02:00:00Z' where who = 'flo'")
            _ = try await scene.run()
            #expect(try await records() == ["7"])
            let third = try await scene.runs[2]
            try scene.command("explain", "--user=flo", "--run=\(third)")
                .ends(out: ["2026-12-10T02:00:00Z"])
            try scene.command("explain", "--user=flo").ends(out: ["2027-01-10T02:00:00Z"])
        }
    }

    @Test("explain --live asks Apple, shows what has changed, and writes nothing")
    func live() async throws {
        try await NightScene.with { scene in
            _ = try await scene.run()
            let apple = scene.arguments([]).filter {
                $0.hasPrefix("--production") || $0.hasPrefix("--sandbox") || $0.contains("secrets")
            }
            func live(_ flags: String...) throws -> JobProcess {
                try JobProcess(
                    ["explain", "--database=\(scene.database)", "--user=ann", "--live"] + apple
                        + ["--as-of=\(AppleAnswer.asOf)"] + flags
                ).ends()
            }
            func activate(_ isActive: Bool) async throws {
                try await scene.test.execute(
                    "update team.entitlements set active = \(isActive) where who = 'ann'")
            }
            let before = try await traces(scene)
            try live().ends(out: [
                "Asked now, at \(AppleAnswer.asOf); nothing of it is kept",
                "Nothing has changed since run ",
            ])
            try await activate(false)
            let corrected = try live().output
            #expect(corrected.contains(#/finding\s+expired_still_granted,.*→\s+consistent/#))
            try await activate(true)
            let settling = try live("--settle=1000d").output
            #expect(settling.contains(#/finding\s+expired_still_granted,.*→\s+settling/#))
            // Apple's server cannot be reached: no user is accused, and the output says so.
            try scene.command(
                "explain", "--user=ann", "--live", "--production-url=http://127.0.0.1:9"
            ).ends(out: ["ann of acme: unverified ("])
            let json = try live("--output=json").json([String: Any].self)
            #expect(json["live"] is [String: Any])
            #expect(try await traces(scene) == before)
        }
    }

    private func traces(_ scene: NightScene) async throws -> [String?] {
        let tables = [
            "run", "worker", "batch", "user_result", "outcome", "evidence", "finding",
            "judged_user", "ledger", "kept_receipt",
        ]
        return try await scene.test.texts(
            tables.map { "select '\($0) ' || count(*) from reconcile.\($0)" }
                .joined(separator: " union all "))
    }

    @Test("evidence prints Apple's bytes, and their digest is the one that the finding names")
    func evidence() async throws {
        try await NightScene.with { scene in
            _ = try await scene.run()
            let id = try await scene.expiredFinding()
            let digest = try await scene.first(
                "select encode(evidence_sha256, 'hex') from reconcile.finding"
                    + " where finding_id = '\(id)'")
            let answer = try scene.command("evidence", "--finding=\(id)").ends()
            #expect(Digest.sha256(answer.output.utf8).hexadecimal == digest)
            #expect(try scene.command("evidence", "--receipt=ann").output == answer.output)
            try scene.command("evidence", "--receipt=bob").ends(66, last: ["--evidence findings"])
            try scene.command("evidence", "--receipt=who").ends(66)
            try scene.command("evidence").ends(64)
        }
    }

    @Test("A read-only role can explain, and Apple's answers need the evidence role")
    func roles() async throws {
        try await NightScene.with { scene in
            let name = scene.test.name
            try await scene.test.execute(
                SQL.roles.text
                    + "create role \(name) login; grant reconcile_reader to \(name)")
            _ = try await scene.run()
            let database = "--database=\(scene.test.url(user: name))"
            let advice = "grant reconcile_evidence"
            let explain = ["explain", "--user=ann", database]
            let evidence = ["evidence", "--receipt=ann", database]
            try JobProcess(explain).ends(out: ["FINDING expired_still_granted", advice])
            try JobProcess(evidence).ends(77)
            try JobProcess(["runs", database]).ends()
            try JobProcess(["verify", scene.reports + "/latest", database]).ends()
            try await scene.test.execute("grant reconcile_evidence to \(name)")
            try JobProcess(evidence).ends()
            try JobProcess(explain).ends(never: [advice])
            try await scene.test.execute("drop role \(name)")
        }
    }
}
