import CSpawn
import Foundation
import Testing

@testable import TestSupport

@Suite("The reports folder of a run", .timeLimit(.minutes(10)))
struct ReportsFolderTests {
    @Test("A folder swapped for a link during a run: nothing behind the link is touched")
    func swapped() async throws {
        let swap = Shared<(@Sendable () -> Void)?>(nil)
        let onAsk = { @Sendable () -> Void in swap.current?() }
        try await Session.with(onAsk: onAsk) { scene in
            let script = """
                mkdir private 2>/dev/null || exit 0
                mkdir private/.x.partial && touch private/.x.partial/notes
                mv reports taken && ln -s private reports
                """
            let path = scene.folder.path
            swap.update { $0 = { _ = try? ChildProcess(script, in: path).wait() } }
            try await scene.steps(
                """
                run | 73 | $FOLDER/reports no longer leads to the folder that was checked \
                    | $ Put it back. Then run again: no request is repeated.
                find private | 0 | > private/.x.partial/notes | ! latest
                ls -A taken | 0 | = 
                """)
            let asked = scene.apple.asks.count
            // The scene's `as_of` is long ago.
            try await scene.steps(
                """
                rm reports && mv taken reports && run --resume-within=36500d | 0 \
                    | 2> resumed run_id=
                """)
            #expect(scene.apple.asks.count == asked)
            try await scene.latestReports()
        }
    }

    @Test("A folder removed during a run: the next run makes it again and asks nobody twice")
    func removed() async throws {
        let removal = Shared<(@Sendable () -> Void)?>(nil)
        let onAsk = { @Sendable () -> Void in removal.current?() }
        try await Session.with(onAsk: onAsk) { scene in
            let path = scene.folder.path
            removal.update { $0 = { _ = try? ChildProcess("rm -rf reports", in: path).wait() } }
            let end = try await scene.startShell("").finish()
            #expect(end.status == 73)
            #expect(end.lastLine.hasPrefix("reconcile-job: Nothing was published. "))
            #expect(end.lastLine.contains("/reports was removed while it was in use."))
            #expect(end.lastLine.hasSuffix(" Then run again: no request is repeated."))
            let asked = scene.apple.asks.count
            #expect(try await scene.startShell("--resume-within=36500d").finish().status == 0)
            #expect(scene.apple.asks.count == asked)
            try await scene.latestReports()
        }
    }

    @Test("A link in the place of a run's folder: `retract` says what it did and what is left")
    func plantedLink() async throws {
        try await Session.with { scene in
            #expect(try await scene.startShell("").finish().status == 0)
            let run = try await scene.runs()[0]
            let plant = "mkdir private; mv reports/\(run) .; ln -s ../private reports/\(run)"
            #expect(try ChildProcess(plant, in: scene.folder.path).wait() == 0)
            let end = try await JobProcess.shell(
                "exec reconcile-job retract \(run) --by=ada --why=prices --reports=reports",
                environment: ["DATABASE_URL": scene.test.url], in: scene.folder.path)
            #expect(end.status == 73)
            #expect(end.lastLine.contains("Run \(run) is retracted in the database."))
            #expect(end.lastLine.contains("/\(run) is in the way: "))
            #expect(!end.lastLine.contains("othing was published"))
            #expect(!end.lastLine.contains("run again"))
        }
    }

    @Test("`prune` that cannot remove a folder says what it has removed from the database")
    func pruned() async throws {
        try await Session.with { scene in
            // Of two in the same second the newer may be named as the older.
            for _ in 0..<3 { #expect(try await scene.startShell("--new").finish().status == 0) }
            let url = scene.test.url
            let path = scene.folder.path
            let job = try await onThread(refusing: cspawn_renameat) {
                try ChildProcess(
                    """
                    exec reconcile-job prune --before=2026-11-20T00:00:00Z --keep=1 \
                    --reports=reports
                    """, environment: ["DATABASE_URL": url], in: path)
            }
            let end = await job.finish()
            #expect(end.status == 73)
            #expect(end.lastLine.contains(" runs completely. Cannot write reports at "))
        }
    }

    @Test("A file system without symbolic links ends a run with 73 before Apple is asked")
    func withoutLinks() async throws {
        try await Session.with { scene in
            let job = try await onThread(refusing: cspawn_symlinkat) { try scene.startShell("") }
            await job.finish().ends(73, "does not make symbolic links")
            #expect(scene.apple.asks.count == 0)
        }
    }

    /// Starts a process to which this system call is refused. The filter is a thread's, and of the
    /// processes that it starts.
    private func onThread(
        refusing call: UInt32, _ start: @escaping @Sendable () throws -> ChildProcess
    ) async throws -> ChildProcess {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                let isRefused = cspawn_refuse(call, UInt32(EPERM)) == 0
                continuation.resume(
                    with: Result {
                        try #require(isRefused)
                        return try start()
                    })
            }
        }
    }
}
