import Foundation
import Testing

@testable import TestSupport

/// Reports and `latest` follow from what is accepted or retracted. Each test begins after one run
/// over the users of `Session.with`. To add a case: copy a test, and write what the operator does
/// and what follows, with the verbs in `Tests/README.md`.
@Suite("An operator's decision about a finding or a run", .hangLimit)
struct DecisionTests {
    private static let listed = ["--by=ada", "--why=prices in cents", "--reports=reports"]

    private func retract(
        _ run: String, _ more: String..., in session: Session
    ) async throws -> JobProcess {
        try await session.job(["retract", run] + Self.listed + more)
    }

    @Test("A finding is accepted by a prefix of its id, listed and printed, until that is undone")
    func accepted() async throws {
        try await Session.afterRun { session, _ in
            let event = try await session.finding("refund_recorded")
            let finding = try await session.finding("expired_still_granted")
            let unknown = "0123456789abcdef0123456789abcdef"
            try await session.job("accept", event, "--by=ada", "--why=known").exits(64)
                .says("is an event (refund_recorded)")
            try await session.job("accept", unknown, "--by=ada", "--why=known").exits(64)
                .says("No published run has reported a finding \(unknown)")
            try await session.job("accept", finding, "--undo", "--by=ada", "--why=known").exits(64)
                .says("is not accepted")
            let count = "select count(*)::text from reconcile.acceptance"
            try await session.query(count).returns("0")
            try await session.job(
                "accept", String(finding.prefix(9)), "--by=ada", "--why=a tester",
                "--until=2030-01-01T00:00:00Z"
            ).exits().says(finding, "of user ann")
            let list = try await session.job("accept", "--list").exits()
                .prints("accepted by ada until 2030-01-01T00:00:00Z: a tester")
            #expect(list.output.hasPrefix(finding))
            try await session.run().exits()
            expectAccepted(finding, session)
            try await session.job("accept", finding, "--undo", "--by=bea", "--why=no tester")
                .exits()
            try await session.job("accept", "--list").exits().printsNothing()
            try await session.run("--output=none").exits().printsNothing()
            #expect(session.line(of: finding, in: "expirations")["lifecycle"] == "persisting")
        }
    }

    private func expectAccepted(_ finding: String, _ session: Session) {
        #expect(session.line(of: finding, in: "expirations")["lifecycle"] == "accepted")
        let page = session.read("reports/latest/index.html").split(separator: "\n")
        let lines = page.filter { $0.contains("ada") }
        #expect(lines.contains { $0.contains("a tester") })
        let accepted = session.report("summary")["accepted"]
        #expect(accepted.texts("by") == ["ada"])
        #expect(accepted.texts("why") == ["a tester"])
        #expect(accepted.texts("until") == ["2030-01-01T00:00:00Z"])
    }

    @Test("The newest run is removed from history, its folder says so, and latest moves back")
    func retracted() async throws {
        try await Session.afterRun { session, first in
            try await session.sql("delete from team.entitlements where who = 'ann'")
            try await session.run().exits()
            let second = session.latestRun()
            try await retract(first, in: session).exits(64).says("the newest is \(second)")
            try await retract("20", in: session).exits(64).says("Several runs begin with 20")
            try await retract("1999", in: session).exits(64).says("There is no run 1999")
            try await retract(second, "--reports=/nowhere/reports", in: session).exits(73)
                .says("/nowhere/reports")
            #expect(session.latestRun() == second)
            let states = "select state from reconcile.run"
            try await session.query(states).returns("published", "published")
            try await retract(String(second.prefix(22)), in: session).exits().says(
                "Run \(second) is retracted: prices in cents. ",
                "The newest published run is now \(first).")
            #expect(session.exists("reports/\(second)/summary.json"))
            let mark = session.report("RETRACTED", in: "reports/\(second)")
            #expect(mark["retracted_by"] == "ada")
            #expect(mark["why"] == "prices in cents")
            #expect(session.latestRun() == first)
            try await retract(second, in: session).exits()
            try await session.run().exits()
            let cleared = session.reported("cleared")
            #expect(cleared == [Reported("expired_still_granted", of: "ann")])
        }
    }

    @Test("All runs can be retracted, also without folders, and an acceptance then be undone")
    func allRetracted() async throws {
        try await Session.afterRun { session, first in
            try await session.run().exits()
            let second = session.latestRun()
            let finding = try await session.finding()
            try await session.job("accept", finding, "--by=ada", "--why=known").exits()
            try session.move("reports/\(first)", to: "gone")
            try await retract(second, in: session).exits().says("was written again")
            #expect(session.latestRun() == first)
            #expect(
                session.contents(of: "gone") == session.contents(of: "reports/\(first)"))
            try session.remove("gone")
            try await retract(first, "--reports=.", in: session).exits(73)
                .says("is retracted in the database")
            let states = "select state from reconcile.run"
            try await session.query(states).returns("retracted", "retracted")
            try await retract(first, in: session).exits()
            #expect(!session.published.contains("latest"))
            let ledger = try await session.ledger()
            #expect(ledger == [])
            try await session.job(
                "accept", String(finding.prefix(9)), "--undo", "--by=b", "--why=x"
            ).exits().says("No longer accepted:", finding)
            try await session.job("accept", "--list").exits().printsNothing()
        }
    }

    @Test("A folder whose run was not recorded is marked by a later run, and not added up twice")
    func notRecorded() async throws {
        try await Session.afterRun { session, first in
            try await session.sql(
                "update reconcile.run set state = 'open', finished_at = null, is_complete = null")
            try await session.run("--new").exits()
                .logs("\(first) exists, but its run was not recorded")
            let mark = session.report("RETRACTED", in: "reports/\(first)")
            #expect(mark["retracted_by"] == "reconcile-job")
            let second = try await session.runs()[1]
            #expect(session.latestRun() == second)
        }
    }
}
