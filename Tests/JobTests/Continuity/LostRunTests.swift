import Foundation
import Testing

@testable import TestSupport

@Suite("A published run that the database lost", .timeLimit(.minutes(10)))
struct LostRunTests {
    @Test("After a restored backup the forgotten folder is marked, and latest names a known run")
    func backup() async throws {
        try await Session.with { scene in
            try await scene.steps("run | 0")
            let backup = try await LostCommits.after(scene.test)
            let known = try latest(scene)
            try await scene.steps("run | 0")
            let forgotten = try latest(scene)
            #expect(forgotten != known)
            try await backup.lose()
            let mark = "reports/\(forgotten)/RETRACTED.json"
            try await scene.steps(
                """
                run --dry-run | 0 | 2> \(forgotten), which the database does not know
                "$0" check --database=$LOGIN --max-age=9999d --reports=reports | 2 \
                    | > CRITICAL: latest in reports names the run \(forgotten)
                "$0" doctor $DOCTOR; true | 0 | ~ warning +latest +latest in [^ ]+ names the run
                run --limit=1 --output=none | 0 | ! does not know
                run --trial --output=none | 0 | ! does not know
                ls \(mark) | 2
                run | 0 | 2> does not know; its newest published run is \(known)
                grep -c 'restored from a backup' \(mark) | 0 | = 1
                run | 0 | ! does not know
                """)
            let latest = try latest(scene)
            #expect(latest != known)
            #expect(latest != forgotten)
        }
    }

    @Test("A run whose record was lost after publishing is resumed, and replaces its own folder")
    func recordLost() async throws {
        let asks = Shared(0)
        let commits = Shared<LostCommits?>(nil)
        let test = Shared<TestDatabase?>(nil)
        let onAsk: @Sendable () -> Void = {
            guard asks.update({ $0 += 1 }) == 3, let test = test.current else { return }
            Gate.blocking {
                let remembered = try await LostCommits.after(test)
                commits.update { $0 = remembered }
            }
        }
        try await Session.with(onAsk: onAsk) { scene in
            test.update { $0 = scene.test }
            try await scene.steps("run | 0")
            let run = try latest(scene)
            let before = try manifest(of: run, in: scene)
            try await (#require(commits.current)).lose()
            // What is read again has changed meanwhile.
            try await scene.test.execute("delete from team.entitlements where who = 'ann'")
            try await scene.steps(
                """
                select state from reconcile.run | open
                run --resume-within=36500d | 0 | 2> resumed
                verify() { "$0" verify reports/latest --database=$LOGIN; }; verify | 0
                select state from reconcile.run | published
                """)
            #expect(try latest(scene) == run)
            #expect(try manifest(of: run, in: scene) != before)
            #expect(scene.published == [run, "latest"])
        }
    }

    private func latest(_ scene: Session) throws -> String {
        try FileManager.default.destinationOfSymbolicLink(atPath: scene.reports + "/latest")
    }

    private func manifest(of run: String, in scene: Session) throws -> String {
        try String(contentsOfFile: "\(scene.reports)/\(run)/manifest.json", encoding: .utf8)
    }
}
