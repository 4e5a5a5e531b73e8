import Foundation
import Testing

@testable import TestSupport

private let late = "--resume-within=36500d"

/// To add a case: copy a test; `kill` interrupts a run after some requests, and `hold` lets
/// requests wait for a gate.
@Suite("An interrupted run", .hangLimit)
struct NightContinuityTests {
    private static let users = (1...60).map { "user\($0 + 100)" }

    /// Every fifth receipt was refunded, so that the run has findings, and the first one lately.
    private static let acts = users.enumerated().reduce(into: Session.acts) { acts, user in
        let refund: Double? = user.offset == 0 ? -0.5 : user.offset % 5 == 0 ? -5 : nil
        let id = String(user.offset + 10)
        let period = AppleAnswer.period(id, from: -10, to: 20, cancelled: refund)
        acts[user.element] = .reply(AppleAnswer.verified([period]))
    }

    /// Requests after the first `asks` wait for the gate, so that a run cannot end before its kill.
    private let brake = Shared((asks: Int.max, gate: Gate()))

    @Test(
        "A run killed at any moment and resumed gives the same reports, byte for byte",
        arguments: [1, 2, 3, 4] as [UInt64])
    func killed(seed: UInt64) async throws {
        var reports: [[String: String]] = []
        for kills in [0, 3] {
            try await session { session in
                var generator = SeededGenerator(seed)
                for _ in 0..<kills {
                    try await kill(session, after: Int.random(in: 1...12, using: &generator))
                }
                try await session.run(late).exits()
                let run = try await session.runs()[0]
                #expect(session.latestRun() == run)
                reports.append(texts(of: run, in: session))
            }
        }
        #expect(reports[0].keys.contains("expirations.csv"))
        #expect(reports[0].keys == reports[1].keys)
        for (file, text) in reports[0] { #expect(reports[1][file] == text, "\(file)") }
    }

    @Test("The next run resumes an unfinished nightly run, unless --new is given or it is too old")
    func continued() async throws {
        try await session { session in
            let states = "select state from reconcile.run where makes_history order by run_no"
            try await session.run("--evidence=all").exits()
            let first = try await session.runs()[0]
            try await kill(session, after: 6, ["--trial"])
            try await kill(session, after: 6)
            // Neither a partial run nor a replay replaces it.
            for flag in ["--user=user101", "--replay=\(first)"] {
                try await session.run(flag, "--output=none").exits().omits("abandoned")
            }
            try await kill(session, after: 10)
            try await kill(session, after: 1, ["--resume-within=1ms"])
            try await session.query(states).returns("published", "abandoned", "open")
            try await session.run("--new", late).exits()
            try await kill(session, after: 6)
            try await session.run(late, "--csv-dialect=excel").exits()
                .logs("resumed run_id=", "keeps --csv-dialect plain")
            let all = ["published", "abandoned", "abandoned", "published", "published"]
            try await session.query(states).returns(all: all)
        }
    }

    @Test("After SIGTERM requests in flight end, and no receipt among them is requested again")
    func terminated() async throws {
        let gate = hold(after: 20)
        try await session { session in
            let job = try await session.start("--in-flight=8", late)
            await session.apple.production.arrival(of: 28)
            job.send(SIGTERM)
            gate.open()
            await job.finish().exits(143).says("Stopped by SIGTERM; the run was cut short")
            let recorded = "select sum(requests)::text from reconcile.request_count"
            try await session.query(recorded).returns("\(session.apple.asks.count)")
            try await session.run(late).exits()
            // The rejected receipt is requested twice, the second time with twelve controls: ten,
            // and a quarter more in reserve.
            #expect(session.apple.asks.count == Self.acts.count + 1 + 12)
        }
    }

    @Test(
        "A worker that joined ends the run by the guards of its first process; no other run begins",
        arguments: [(guards: "on", others: "off"), (guards: "off", others: "on")])
    func joined(guards: String, others: String) async throws {
        let gate = hold(after: 10)
        try await session { session in
            try await session.run("--join").exits(75).says("Start one without --join first.")
            // The stored rows are old, which a guard reports.
            let first = try await session.start("--in-flight=2", "--guards=\(guards)")
            await session.apple.production.arrival(of: 12)
            let second = try await session.start(
                "--in-flight=2", "--join", "--guards=\(others)")
            // The first worker has the only batch, so the second one has nothing to request yet.
            while try await session.values("select count(*) from reconcile.worker") != ["2"] {
                try Task.checkCancellation()
            }
            // A run checks the views before the lock.
            try await session.run().exits(75).says("Another run is in progress: run")
            #expect(session.published == [])
            let view = "alter view reconcile.catalog_apps rename column"
            try await session.sql("\(view) paid_until to hidden")
            try await session.run().exits(65)
            try await session.sql("\(view) hidden to paid_until")
            await first.finish(by: SIGKILL)
            gate.open()
            await second.finish().exits(guards == "on" ? 4 : 0)
            let latest = guards == "on" ? [] : ["latest"]
            let runs = try await session.runs()
            #expect(session.published == runs + latest)
            let reports = try await PublishedReports(session.reports + "/" + session.published[0])
            #expect(reports.receipts == .init(inScope: 65, verified: 63, rejected: 1, unusable: 1))
        }
    }

    struct Resumption: CustomTestStringConvertible {
        /// Of the process that begins the run and is killed.
        let begun: [String]
        /// Of the process that resumes it.
        let resumed: String
        let status: Int32

        var testDescription: String { "begun with \(begun), resumed with \(resumed)" }
    }

    @Test(
        "A resumed run ends by the guards of the process that began it, and says so",
        arguments: [
            Resumption(begun: ["--guards=on"], resumed: "--guards=off", status: 4),
            Resumption(begun: ["--guards=off"], resumed: "--guards=on", status: 0),
            Resumption(
                begun: ["--guards=on", "--guard-freshness=off"], resumed: "--guards=on", status: 0),
        ])
    func resumedWithOtherGuards(resumption: Resumption) async throws {
        try await session { session in
            // The stored rows are old, for which the guard `stale` holds a run.
            try await kill(session, after: 10, resumption.begun)
            try await session.run(late, resumption.resumed).exits(resumption.status)
                .logs("keeps the guards' thresholds")
        }
    }

    struct Elsewhere: CustomTestStringConvertible, Sendable {
        /// Of the run, as another worker leaves it.
        let state: String
        let isComplete: Bool
        let status: Int32

        var testDescription: String { "\(isComplete ? "complete" : "incomplete"), \(state)" }
    }

    @Test(
        "The process that began a run ends with the run's status even if another one publishes",
        arguments: [
            Elsewhere(state: "held", isComplete: true, status: 4),
            Elsewhere(state: "published", isComplete: false, status: 3),
            Elsewhere(state: "published", isComplete: true, status: 1),
        ])
    func publishedElsewhere(row: Elsewhere) async throws {
        try await session { session in
            // With the first findings the run gets the state that another worker leaves.
            try await session.test.execute(
                """
                create function team.publish() returns trigger language plpgsql as $$ begin
                    update reconcile.run set state = '\(row.state)',
                        is_complete = \(row.isComplete), finished_at = now()
                    where state = 'open';
                    return null;
                end $$;
                create constraint trigger publish after insert on reconcile.finding
                deferrable initially deferred for each row execute function team.publish()
                """)
            try await session.run(
                "--in-flight=2", "--rate=20", "--burst=1", "--fail-on=low", "--metrics-file=prom"
            ).exits(row.status).says("Another worker has published it.")
            let metrics = session.read("prom")
            let lines = metrics.split(separator: "\n").map(String.init)
            #expect(lines.contains("reconcile_run_exit_status \(row.status)"))
            #expect(metrics.contains("last_success_timestamp") == (row.status == 1))
            #expect(session.published == [])
        }
    }

    @Test("A replay finds the same with the run's settings, sends no request and is not latest")
    func replayed() async throws {
        try await session { session in
            // With the default, a day, the last refund would be settling.
            try await session.run("--settle=0s", "--max-unverified=0", "--evidence=all").exits()
            let first = session.latestRun()
            let asks = session.apple.asks.count
            try await session.run("--replay=\(first)", "--output=none").exits()
            try await session.run("--replay=\(first)", "--settle=24h", "--output=none").exits()
            #expect(session.apple.asks.count == asks)
            #expect(session.latestRun() == first)
            let runs = try await session.runs()
            try #require(runs.count == 3)
            try await session.run("--replay=\(runs[1])").exits(64).says("--evidence all")
            var found: [JSONDocument] = []
            for run in runs { found.append(try await rows(of: run, in: session)) }
            #expect(found[0] == found[1])
            #expect(found[0] != found[2])
        }
    }

    /// From now on only so many requests are answered; the others wait for the gate.
    private func hold(after asks: Int) -> Gate { brake.update { $0 = (asks, Gate()) }.gate }

    /// Kills a run after so many requests.
    private func kill(_ session: Session, after asks: Int, _ flags: [String] = [late]) async throws
    {
        let count = session.apple.asks.count + asks
        let gate = hold(after: count)
        let job = try await session.start(
            words: ["run"] + session.flags + flags + ["--in-flight=4"])
        await session.apple.production.arrival(of: count)
        await job.finish(by: SIGKILL)
        brake.update { $0.asks = .max }
        gate.open()
    }

    /// The texts of a run's tables, and its controls, without its id.
    private func texts(of run: String, in session: Session) -> [String: String] {
        let folder = "reports/\(run)"
        let names = session.list(folder).filter { name in
            (name.hasSuffix(".csv") || name.hasSuffix(".json"))
                && !["manifest.json", "summary.json"].contains(name)
        }
        var texts = names.reduce(into: [String: String]()) { texts, name in
            texts[name] = session.read("\(folder)/\(name)").replacing(run, with: "RUN")
        }
        texts["controls"] = JSONDocument.list(controls(of: folder, in: session)).description
        return texts
    }

    /// The numbers that do not count requests or, which a replay does not, the views.
    private func controls(of folder: String, in session: Session) -> [JSONDocument] {
        let controls = session.report("summary", in: folder)["controls"]
        #expect(controls["receipts"]["verified"] == 63)
        return [controls["receipts"], controls["entitlements"]]
    }

    /// The rows of a run's tables, without its id and scope, and its controls.
    private func rows(of run: String, in session: Session) async throws -> JSONDocument {
        let name = try #require(session.published.first { $0.hasPrefix(run) })
        let folder = "reports/\(name)"
        _ = try await PublishedReports(session.path(folder))
        let files = [
            "expirations", "refunds", "mismatches", "receipts", "cleared", "unverified",
            "not_reported", "totals",
        ]
        let tables = files.map { file in
            let rows = session.report(file, in: folder).items
            return JSONDocument.list(rows.map { $0.without("run_id", "scope") })
        }
        return .list(tables + controls(of: folder, in: session))
    }

    private func session(_ body: (Session) async throws -> Void) async throws {
        let asks = Shared(0)
        let onAsk: @Sendable () -> Void = { [brake] in
            let (most, gate) = brake.current
            if asks.update({ $0 += 1 }) > most { gate.wait() }
        }
        try await Session.with(acts: Self.acts, onAsk: onAsk) { session in
            for user in Self.users {
                try await session.test.store(receipt: user, of: user)
                try await session.grant(user)
            }
            try await body(session)
        }
    }
}
