import Foundation
import Testing

@testable import TestSupport

@Suite("A trial run")
struct TrialRunTests {
    @Test("A trial run is published beside the nightly runs, and changes neither ledger nor latest")
    func beside() async throws {
        try await NightScene.with { scene in
            #expect(try await scene.run().status == 0)
            let latest = try FileManager.default.destinationOfSymbolicLink(
                atPath: scene.reports + "/latest")
            let ledger = "select l::text from reconcile.ledger as l order by l.finding_id"
            let before = try await scene.test.texts(ledger)
            try await scene.test.execute("delete from team.entitlements where who = 'ann'")

            let trial = try await scene.run("--trial", "--output=json")
            #expect(trial.status == 0, "\(trial.error)")
            let names = scene.published.filter { $0.hasSuffix("-trial") }
            let name = try #require(names.first)
            #expect(names.count == 1)
            let reports = try PublishedReports(scene.reports + "/" + name)
            try reports.expectToTieOut()
            #expect(reports.summary["scope"] as? String == "trial")
            #expect(Set(try reports.column("scope", of: "refunds")) == ["trial"])
            #expect(Set(try reports.column("scope", of: "not_reported")).isSubset(of: ["trial"]))
            // The trial is compared with the published run, so it lists what would be cleared.
            #expect(try reports.kinds()["cleared"] == ["expired_still_granted ann"])
            #expect(Set(try reports.column("lifecycle", of: "refunds")) == ["persisting"])

            #expect(
                try FileManager.default.destinationOfSymbolicLink(
                    atPath: scene.reports + "/latest") == latest)
            #expect(try await scene.test.texts(ledger) == before)
            // The next nightly run finds the same as without the trial.
            #expect(try await scene.run().status == 0)
            let night = try PublishedReports(scene.reports + "/latest")
            #expect(try night.kinds() == reports.kinds())
            #expect(night.summary["previous_run"] as? String == latest)
        }
    }

    @Test("A trial run covers everything: --user is refused")
    func whole() async throws {
        try await NightScene.with { scene in
            let job = try await scene.run("--trial", "--user=ann")
            #expect(job.status == 64)
            #expect(job.lastLine.contains("--trial"))
            #expect(scene.published == [])
        }
    }

    @Test("A nightly run does not resume an unfinished trial, and a trial no nightly run")
    func apart() async throws {
        let gate = Gate()
        let hold: @Sendable () -> Void = { gate.wait() }
        try await NightScene.with(onAsk: hold) { scene in
            let trial = try scene.start(["--trial"])
            await scene.apple.production.arrival(of: 1)
            trial.send(SIGKILL)
            _ = await trial.end()
            gate.open()
            #expect(try await scene.run().status == 0)
            let states = try await scene.test.texts(
                "select state || ' ' || is_trial from reconcile.run order by run_no")
            #expect(states.last == "published false")
            #expect(states.first == "open true" || states.first == "abandoned true")
            #expect(scene.published.allSatisfy { !$0.hasSuffix("-trial") })
        }
    }
}
