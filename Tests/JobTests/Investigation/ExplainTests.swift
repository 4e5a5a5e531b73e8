import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

/// Each test begins after one run over the users of `Session.with`. To add a case: copy a test, and
/// write what is asked and what the answer shows, with the verbs in `Tests/README.md`.
@Suite("explain and evidence", .hangLimit)
struct ExplainTests {
    @Test("explain shows a customer's finding, both sides, the rule, the receipt and the evidence")
    func finding() async throws {
        try await Session.afterRun { session, _ in
            let finding = try await session.finding()
            let byUser = try await session.job("explain", "--user=ann").exits().logs(
                "1 finding about user ann")
            byUser.prints(
                "rule 3 of 24: the row grants, and what gave the right has expired",
                "FINDING expired_still_granted (high, leak, new), since 2026-10-21")
            for id in ["--receipt=ann", "--transaction=1", "--finding=\(finding.prefix(8))"] {
                let other = try await session.job("explain", id).exits()
                #expect(other.output == byUser.output, "\(id)")
            }
            let answer = try await session.job("evidence", "--finding=\(finding)").exits()
            let digest = Digest.sha256(answer.output.utf8).hexadecimal
            let line = session.line(of: finding, in: "expirations")
            #expect(line["evidence_sha256"].text == digest)
            let ofReceipt = try await session.job("evidence", "--receipt=ann").exits()
            #expect(ofReceipt.output == answer.output)
        }
    }

    @Test("explain says why there is no finding, and answers an unknown id with the nearest one")
    func nothing() async throws {
        try await Session.afterRun { session, _ in
            let consistent = try await session.job("explain", "--user=bob", "--output=json")
            let rights = try consistent.exits().json()["rights"]
            #expect(rights.texts("outcome") == ["consistent"])
            try await session.job("explain", "--user=dan").exits()
                .prints("dan of acme: unusable (jws)")
            for user in ["ann", "bob", "eve", "cyd"] {
                try await session.job("explain", "--user=\(user)").exits().omits("judged nothing")
            }
            try await session.job("explain", "--user=bobby").exits(66)
                .says("The nearest: bob, cyd")
            try await session.job("explain", "--receipt=annie").exits(66)
                .says("The nearest: ann, bob")
            try await session.job("explain", "--transaction=3").exits(66)
                .says("The nearest: 2, 4")
            try await session.job("explain", "--finding=00000000").exits(66)
            try await session.job("explain", "--user=ann", "--run=1999").exits(66)
            try await session.job("explain").exits(64)
            try await session.job("explain", "--user=ann", "--receipt=ann").exits(64)
            try await session.job("evidence", "--receipt=bob").exits(66)
                .says("--evidence findings")
            try await session.job("evidence", "--receipt=who").exits(66)
            try await session.job("evidence").exits(64)
            try await session.sql(
                """
                delete from team.entitlements where who = 'bob';
                delete from team.receipts where who = 'bob'
                """)
            try await session.run("--as-of=2026-11-21T02:00:00Z").exits()
            try await session.job("explain", "--user=bob").exits()
                .prints("\nWhat follows an earlier run has kept.")
        }
    }

    @Test("explain shows a finding's history over several runs, with the operator's decisions")
    func history() async throws {
        try await Session.afterRun { session, _ in
            try await session.run().exits()
            try await session.run().exits()
            let finding = try await session.finding()
            try await session.job("accept", finding, "--by=ada", "--why=a tester").exits()
            try await session.sql("delete from team.entitlements where who = 'ann'")
            try await session.run().exits()
            try await session.job("explain", "--finding=\(finding)").exits()
                .prints("FINDING expired_still_granted")
            let job = try await session.job("explain", "--user=ann").exits()
                .prints(": new, run", ": still there, run", ": cleared, run")
                .omits("FINDING expired_still_granted")
            #expect(job.unwrapped.contains("accepted by ada: a tester"))
        }
    }

    @Test("explain --live asks Apple, shows what has changed, and writes nothing")
    func live() async throws {
        try await Session.afterRun { session, _ in
            let traces = """
                select md5(string_agg(
                    table_to_xml(oid, true, false, '')::text, '' order by relname)) from pg_class
                where relnamespace = 'reconcile'::regnamespace and relkind = 'r'
                    and relname not like 'rate%'
                """
            let before = try await session.values(traces)
            let apple = session.flags("production-url", "sandbox-url", "shared-secrets", "as-of")
            func live(_ more: String...) async throws -> JobProcess {
                try await session.job(["explain", "--user=ann", "--live"] + apple + more).exits()
            }
            try await session.sql("update team.entitlements set active = false where who = 'ann'")
            let ended = try await live()
            #expect(ended.unwrapped.contains("→ consistent"))
            try await session.sql("update team.entitlements set active = true where who = 'ann'")
            let settling = try await live("--settle=1000d")
            #expect(settling.unwrapped.contains("→ settling"))
            for job in [ended, settling] {
                #expect(job.unwrapped.contains("finding expired_still_granted,"))
            }
            let json = try await live("--output=json").json()
            #expect(json["live"]["asked_at"].text != nil)
            try await session.job(
                "explain", "--user=ann", "--live", "--production-url=http://[::1]:9"
            ).exits().prints("ann of acme: unverified (")
            try await session.query(traces).returns(all: before)
        }
    }

    @Test("A read-only role can explain, and Apple's answers need the evidence role")
    func readOnly() async throws {
        try await Session.afterRun { session, _ in
            let role = session.test.name
            let database = "--database=\(session.login)"
            try await session.job("migrate", "--roles=apply").exits()
            try await session.sql(
                "revoke reconcile_job from \(role); grant reconcile_reader to \(role)")
            try await session.program("explain", "--user=ann", database).exits()
                .prints("FINDING expired_", "grant reconcile_evidence")
            try await session.program("evidence", "--receipt=ann", database).exits(77)
            try await session.program("runs", database).exits()
            try await session.program("verify", "reports/latest", database).exits()
            try await session.sql("grant reconcile_evidence to \(role)")
            try await session.program("evidence", "--receipt=ann", database).exits()
            try await session.program("explain", "--user=ann", database).exits()
                .omits("grant reconcile_evidence")
        }
    }
}

extension Session {
    /// A session that begins after one nightly run.
    static func afterRun(
        _ body: (_ session: Session, _ run: String) async throws -> Void
    ) async throws {
        try await night { session in
            try await session.run().exits()
            try await body(session, session.latestRun())
        }
    }
}
