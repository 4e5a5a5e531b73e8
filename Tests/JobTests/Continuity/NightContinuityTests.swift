import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

/// Kills and stops the built program while it works.
@Suite("An interrupted run", .timeLimit(.minutes(10)))
struct NightContinuityTests {
    private static let users = (1...60).map { "user\($0 + 100)" }

    /// Every fifth receipt was refunded, so that the run has findings.
    private static let acts: [String: [LoopbackServer.Act]] = users.enumerated().reduce(
        into: NightScene.acts
    ) { acts, user in
        let period = AppleAnswer.period(
            String(user.offset + 10), from: -10, to: 20, cancelled: user.offset % 5 == 0 ? -5 : nil)
        acts[user.element] = [.reply(AppleAnswer.verified([period]))]
    }

    /// Requests after the first `asks` wait for the gate, so that the run cannot end before its
    /// kill.
    private let brake = Shared((asks: Int.max, gate: Gate()))

    @Test(
        "A run killed at any moment and resumed gives the same reports, byte for byte",
        arguments: [1, 2, 3, 4] as [UInt64])
    func killed(seed: UInt64) async throws {
        var reports: [[String: String]] = []
        for kills in [0, 3] {
            try await scene { scene in
                var generator = SeededGenerator(seed)
                for _ in 0..<kills {
                    try await kill(scene, after: Int.random(in: 1...12, using: &generator))
                }
                try await scene.steps("run --resume-within=36500d | 0")
                reports.append(try files(scene, scene.publishedRun))
            }
        }
        for (file, text) in reports[0] {
            #expect(reports[1][file] == text, "\(file), seed \(seed)")
        }
    }

    @Test("The next run resumes an unfinished run, unless --new is given or it is too old")
    func continued() async throws {
        try await scene { scene in
            let open = "select run_id from reconcile.run where state = 'open'"
            try await scene.steps("run --evidence=all | 0")
            try await kill(scene, after: 6)
            let first = try await scene.first(open)
            // Neither a partial run nor a replay replaces it.
            try await scene.steps(
                """
                run --user=user101 --output=none | 0 | ! abandoned
                run --replay=\(try scene.publishedRun) --output=none | 0 | ! abandoned
                """)
            try await kill(scene, after: 10)
            #expect(try await scene.first(open) == first)
            try await kill(scene, after: 1, "--resume-within=1ms")
            #expect(try await scene.first(open) != first)
            try await scene.steps("run --new --resume-within=36500d | 0")
            try await kill(scene, after: 6)
            let resumed = try await scene.steps(
                "run --resume-within=36500d --csv-dialect=excel | 0")
            for text in ["resumed run_id=", "keeps --csv-dialect plain"] {
                #expect(resumed.error.contains(text), "\(resumed.error)")
            }
            let states = try await scene.test.texts(
                "select state from reconcile.run where makes_history order by run_no")
            #expect(
                states == ["published", "abandoned", "abandoned", "published", "published"])
        }
    }

    @Test("After SIGTERM requests in flight end, and no receipt among them is requested again")
    func terminated() async throws {
        let gate = Gate()
        try await scene(holdingAfter: 20, at: gate) { scene in
            let job = try scene.start(["--in-flight=8", "--resume-within=36500d"])
            await scene.apple.production.arrival(of: 28)
            job.send(SIGTERM)
            gate.open()
            await job.end().ends(143)
            let recorded = try await scene.first(
                """
                select sum(requests_production)::text from (
                    select requests_production from reconcile.user_result
                    union all select requests_production from reconcile.second_look
                ) as recorded
                """)
            #expect(Int(recorded) == scene.apple.asks.count)
            try await scene.steps("run --resume-within=36500d | 0")
            // The rejected receipt is requested twice, the second time with twelve controls: ten,
            // and a quarter more in reserve.
            #expect(scene.apple.asks.count == Self.acts.count + 1 + 12)
        }
    }

    @Test("A worker that joined finishes the run by the guards of the process that began it")
    func joined() async throws {
        let gate = Gate()
        try await scene(holdingAfter: 10, at: gate) { scene in
            try await scene.steps("run --join | 75 | Start one without --join first.")
            // The stored rows are old, which a guard reports.
            let first = try scene.start(["--in-flight=2", "--guards=on"])
            await scene.apple.production.arrival(of: 12)
            let second = try scene.start(["--in-flight=2", "--join", "--guards=off"])
            await scene.apple.production.arrival(of: 14)
            try await scene.steps("run --in-flight=2 | 75")
            first.send(SIGKILL)
            _ = await first.end()
            gate.open()
            await second.end().ends(4)
            #expect(scene.published == [try await scene.runs[0]])
            let reports = try PublishedReports(scene.reports + "/" + scene.published[0])
            try reports.expectToTieOut()
            #expect(reports.control("receipts")?["verified"] == Self.acts.count - 1)
        }
    }

    @Test(
        "The process that began a run ends with the run's status even if another one publishes",
        arguments: textTriples(
            """
            held | true | 4
            published | false | 3
            published | true | 1
            """))
    func publishedElsewhere(state: String, isComplete: String, status: String) async throws {
        try await scene { scene in
            // With the first findings the run gets the state that another worker leaves.
            try await scene.test.execute(
                """
                create function team.publish() returns trigger language plpgsql as $$ begin
                    update reconcile.run set state = '\(state)', is_complete = \(isComplete),
                        finished_at = now() where state = 'open';
                    return null;
                end $$;
                create constraint trigger publish after insert on reconcile.finding
                deferrable initially deferred for each row execute function team.publish()
                """)
            let metrics = scene.folder.path + "/prom"
            try await scene.steps(
                """
                run --in-flight=2 --rate=20 --burst=1 --fail-on=low --metrics-file=\(metrics) \
                    | \(status) | Another worker has published it.
                """)
            let file = try scene.folder.read("prom")
            #expect(file.contains("reconcile_run_exit_status \(status)\n"))
            #expect(file.contains("last_success_timestamp") == (status == "1"))
            #expect(scene.published == [])
        }
    }

    @Test("A replay finds the same with the run's settings, sends no request and is not latest")
    func replayed() async throws {
        try await scene { scene in
            // With the default, a day, this row would be settling.
            try await scene.test.execute(
                "update team.entitlements set at = '2026-11-20T01:00:00Z' where who = 'user101'")
            try await scene.steps("run --settle=0s --max-unverified=0 --evidence=all | 0")
            let run = try scene.publishedRun
            let asked = scene.apple.asks.count
            try await scene.steps(
                """
                run --replay=\(run) --output=none | 0
                run --replay=\(run) --settle=24h --output=none | 0
                """)
            #expect(scene.apple.asks.count == asked)
            #expect(try scene.publishedRun == run)
            let ids = try await scene.runs
            let reports = try ids.map { try files(scene, $0) }
            #expect(reports.count == 3 && reports[0] == reports[1] && reports[0] != reports[2])
            try await scene.steps("run --replay=\(ids[1]) | 64 | --evidence all")
        }
    }

    /// Kills a run after so many requests.
    private func kill(
        _ scene: NightScene, after asks: Int, _ flag: String = "--resume-within=36500d"
    ) async throws {
        let gate = Gate()
        let count = scene.apple.asks.count + asks
        brake.update { $0 = (count, gate) }
        let job = try scene.start([flag, "--in-flight=4"])
        await scene.apple.production.arrival(of: count)
        job.send(SIGKILL)
        _ = await job.end()
        brake.update { $0.asks = .max }
        gate.open()
    }

    /// The tables of a run without its id and scope, and the summary's numbers that do not count
    /// requests.
    private func files(_ scene: NightScene, _ run: String) throws -> [String: String] {
        let folder = scene.published.first { $0.hasPrefix(run) } ?? run
        var files: [String: String] = [:]
        for name in try FileManager.default.contentsOfDirectory(
            atPath: "\(scene.reports)/\(folder)")
        where name.contains(#/^(?!manifest|summary).*(csv|json)$/#) {
            files[name] = try scene.folder.read("reports/\(folder)/\(name)")
                .replacing(run, with: "RUN").replacing(#/,replay(,|\r\n)/#) { ",\($0.1)" }
                .replacing(#""scope":"replay""#, with: #""scope":null"#)
        }
        let controls = try PublishedReports("\(scene.reports)/\(folder)").summary["controls"] ?? [:]
        let data = try JSONSerialization.data(withJSONObject: controls, options: .sortedKeys)
        files["controls"] = String(decoding: data, as: UTF8.self)
        return files
    }

    /// - Parameter held: how many requests are answered at once; the others wait for `gate`.
    private func scene(
        holdingAfter held: Int = .max, at gate: Gate = Gate(),
        _ body: (NightScene) async throws -> Void
    ) async throws {
        let asks = Shared(0)
        let hold: @Sendable () -> Void = { [brake] in
            let count = asks.update { $0 += 1 }
            if count > held { gate.wait() }
            let (most, braked) = brake.current
            if count > most { braked.wait() }
        }
        try await NightScene.with(acts: Self.acts, onAsk: hold) { scene in
            for user in Self.users {
                try await scene.test.store(receipt: user, of: user)
                try await scene.test.store(
                    entitlement: "e-\(user)", of: user, expires: "2026-12-10T02:00:00Z")
            }
            try await body(scene)
        }
    }
}
