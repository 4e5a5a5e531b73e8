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

    /// One for each valid receipt, and one more for the rejected one, which is requested twice.
    private static let requests = acts.count + 1
    /// Ten, and a quarter more in reserve.
    private static let controls = 12

    /// Requests after the first `asks` wait for the gate, so that the run cannot end before its
    /// kill.
    private let brake = Shared((asks: Int.max, gate: Gate()))

    @Test(
        "A run killed at any moment and resumed gives the same reports, byte for byte",
        arguments: [1, 2, 3, 4] as [UInt64])
    func killed(seed: UInt64) async throws {
        let calm = try await night(seed: nil)
        let killed = try await night(seed: seed)
        for (file, bytes) in calm { #expect(killed[file] == bytes, "\(file), seed \(seed)") }
    }

    @Test("The next run resumes an unfinished run, unless --new is given or it is too old")
    func continued() async throws {
        try await scene { scene in
            try await kill(scene, afterAsks: 20)
            let first = try await openRun(scene)
            try await kill(scene, afterAsks: scene.apple.asks.count + 10)
            #expect(try await openRun(scene) == first)
            let tooOld = try scene.start(["--resume-within=1ms", "--in-flight=1"])
            await scene.apple.production.arrival(of: scene.apple.asks.count + 1)
            tooOld.send(SIGKILL)
            _ = await tooOld.end()
            let second = try await openRun(scene)
            #expect(second != first)
            let next = try await scene.run("--new", "--resume-within=36500d")
            #expect(next.status == 0, "\(next.error)")
            let states = try await scene.test.texts(
                "select state from reconcile.run order by started_at, run_id")
            #expect(states == ["abandoned", "abandoned", "published"])
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
            let ended = await job.end()
            #expect(ended.status == 143)
            let counted = try await scene.test.texts(
                """
                select sum(requests_production) from (
                    select requests_production from reconcile.user_result
                    union all select requests_production from reconcile.second_look
                ) as recorded
                """)
            let recorded = Int((counted.first ?? nil) ?? "") ?? 0
            let asked = scene.apple.asks.count
            #expect(recorded == asked)
            let next = try await scene.run("--resume-within=36500d")
            #expect(next.status == 0, "\(next.error)")
            #expect(scene.apple.asks.count == Self.requests + Self.controls)
        }
    }

    @Test("A worker that joined finishes the run, and --join is refused without an open run")
    func joined() async throws {
        let gate = Gate()
        try await scene(holdingAfter: 10, at: gate) { scene in
            let none = try await scene.run("--join")
            #expect(none.status == 75)
            #expect(none.lastLine.contains("Start one without --join first."))
            let first = try scene.start(["--in-flight=2"])
            await scene.apple.production.arrival(of: 12)
            let second = try scene.start(["--in-flight=2", "--join"])
            await scene.apple.production.arrival(of: 14)
            let third = try await scene.run("--in-flight=2")
            #expect(third.status == 75, "\(third.error)")
            first.send(SIGKILL)
            _ = await first.end()
            gate.open()
            let joined = await second.end()
            #expect(joined.status == 0, "\(joined.error)")
            #expect(scene.published.count == 2)
            let reports = try PublishedReports(scene.reports + "/latest")
            try reports.expectToTieOut()
            #expect(reports.control("receipts")?["verified"] == Self.acts.count - 1)
        }
    }

    @Test("The guards of the process that began the run apply, whichever worker finishes it")
    func guardsOfTheFirst() async throws {
        let gate = Gate()
        try await scene(holdingAfter: 10, at: gate) { scene in
            // The stored rows are old, which a guard would report.
            let first = try scene.start(["--in-flight=2", "--guards=on"])
            await scene.apple.production.arrival(of: 12)
            let second = try scene.start(["--in-flight=2", "--join", "--guards=off"])
            await scene.apple.production.arrival(of: 14)
            first.send(SIGKILL)
            _ = await first.end()
            gate.open()
            let joined = await second.end()
            #expect(joined.status == 4, "\(joined.error)")
            #expect(!scene.published.contains("latest"))
        }
    }

    @Test(
        "The process that began a run ends with the run's status even if another one publishes",
        arguments: [("held", true, 4), ("published", false, 3), ("published", true, 1)]
            as [(String, Bool, Int32)])
    func publishedElsewhere(state: String, isComplete: Bool, status: Int32) async throws {
        let gate = Gate()
        try await scene(holdingAfter: 10, at: gate) { scene in
            let metrics = scene.folder.path + "/reconcile.prom"
            let job = try scene.start([
                "--in-flight=2", "--fail-on=low", "--metrics-file=\(metrics)",
            ])
            await scene.apple.production.arrival(of: 12)
            while try await scene.test.texts("select kind from reconcile.finding") == [] {
                try await Task.sleep(for: .milliseconds(50))
            }
            // The state that the publishing worker leaves.
            try await scene.test.execute(
                """
                update reconcile.run set state = '\(state)', is_complete = \(isComplete),
                    finished_at = now()
                """)
            gate.open()
            let end = await job.end()
            #expect(end.status == status, "\(end.error)")
            #expect(end.lastLine.contains("Another worker has published it."))
            let file = try scene.folder.read("reconcile.prom")
            #expect(file.contains("reconcile_run_exit_status \(status)\n"))
            #expect(file.contains("last_success_timestamp") == (status < 2))
        }
    }

    @Test("A replay of a run finds the same, sends no request, and does not become latest")
    func replayed() async throws {
        try await scene { scene in
            let night = try await scene.run("--evidence=all")
            #expect(night.status == 0, "\(night.error)")
            let run = try #require(scene.published.first)
            let asked = scene.apple.asks.count
            let replay = try await scene.run("--replay=\(run)", "--output=none")
            #expect(replay.status == 0, "\(replay.error)")
            #expect(scene.apple.asks.count == asked)
            let folders = scene.published.filter { $0 != "latest" }
            #expect(folders.count == 2)
            let first = try files(scene, folders[0])
            let second = try files(scene, folders[1])
            #expect(first == second)
            let latest = try FileManager.default.destinationOfSymbolicLink(
                atPath: scene.reports + "/latest")
            #expect(latest == run)
            let replayed = try #require(folders.first { $0 != run })
            let unknown = try await scene.run("--replay=\(replayed)")
            #expect(unknown.status == 64)
            #expect(unknown.lastLine.contains("--evidence all"))
        }
    }

    @Test("A partial run or a replay in between does not replace an unfinished run")
    func between() async throws {
        try await scene { scene in
            let whole = try await scene.run("--evidence=all")
            #expect(whole.status == 0, "\(whole.error)")
            let former = try #require(scene.published.first)
            try await kill(scene, afterAsks: scene.apple.asks.count + 6)
            for flag in ["--user=user101", "--replay=\(former)"] {
                let other = try await scene.run(flag, "--output=none")
                #expect(other.status == 0, "\(other.error)")
                #expect(!other.error.contains("abandoned"))
            }
            let night = try await scene.run("--resume-within=36500d", "--csv-dialect=excel")
            #expect(night.status == 0, "\(night.error)")
            #expect(night.error.contains("resumed run_id="))
            #expect(night.error.contains("keeps --csv-dialect plain"), "\(night.error)")
        }
    }

    @Test("A replay uses the settings of the replayed run, unless other settings are given")
    func replayedSettings() async throws {
        try await scene { scene in
            // With a settling time of years there is nothing to report.
            let night = try await scene.run(
                "--settle=3650d", "--max-unverified=0", "--evidence=all")
            let run = try #require(scene.published.first)
            let replay = try await scene.run("--replay=\(run)", "--output=none")
            #expect(replay.status == night.status, "\(replay.error)")
            let other = try await scene.run("--replay=\(run)", "--settle=0s", "--output=none")
            #expect(other.status == night.status, "\(other.error)")
            let folders = scene.published.filter { $0 != "latest" }
            let reports = try Set(folders.map { try files(scene, $0) })
            #expect(folders.count == 3 && reports.count == 2)
        }
    }

    /// The reports of a run; with a seed, of a run that was killed several times.
    private func night(seed: UInt64?) async throws -> [String: String] {
        var result: [String: String] = [:]
        try await scene { scene in
            if let seed {
                var generator = SeededGenerator(seed)
                for _ in 0..<3 {
                    let asks = scene.apple.asks.count + Int.random(in: 1...12, using: &generator)
                    try await kill(scene, afterAsks: asks)
                }
            }
            let last = try await scene.run("--resume-within=36500d")
            #expect(last.status == 0, "\(last.error)")
            result = try files(scene, "latest")
        }
        return result
    }

    private func kill(_ scene: NightScene, afterAsks count: Int) async throws {
        let gate = Gate()
        brake.update { $0 = (count, gate) }
        let job = try scene.start(["--resume-within=36500d", "--in-flight=4"])
        await scene.apple.production.arrival(of: count)
        job.send(SIGKILL)
        _ = await job.end()
        brake.update { $0.asks = .max }
        gate.open()
    }

    private func openRun(_ scene: NightScene) async throws -> String? {
        try await scene.test.texts("select run_id from reconcile.run where state = 'open'").first
            ?? nil
    }

    /// The tables of a published run without its id and scope, and the summary's numbers that do
    /// not count requests.
    private func files(_ scene: NightScene, _ folder: String) throws -> [String: String] {
        let path = scene.reports + "/" + folder
        let run = try #require(
            try PublishedReports(path).summary["run_id"] as? String)
        var files: [String: String] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: path)
        where name.hasSuffix(".csv") || name.hasSuffix(".json") {
            guard name != "manifest.json", name != "summary.json" else { continue }
            let text = try String(contentsOfFile: path + "/" + name, encoding: .utf8)
            files[name] = text.replacing(run, with: "RUN")
                .replacing(",replay,", with: ",,")
                .replacing(",replay\r\n", with: ",\r\n")
                .replacing(#""scope":"replay""#, with: #""scope":null"#)
        }
        let controls = try PublishedReports(path).summary["controls"] ?? [:]
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
                    entitlement: "e-\(user)", of: user,
                    expires: "2026-12-10T02:00:00Z")
            }
            try await body(scene)
        }
    }
}
