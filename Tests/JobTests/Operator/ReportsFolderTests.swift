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
        try await NightScene.with(onAsk: onAsk) { scene in
            let script = """
                mkdir private 2>/dev/null || exit 0
                mkdir private/.x.partial && touch private/.x.partial/notes
                mv reports taken && ln -s private reports
                """
            let path = scene.folder.path
            swap.update { $0 = { _ = try? ChildProcess(script, in: path).wait() } }
            try await scene.steps(
                """
                run | 73 | $FOLDER/reports is not the folder that was checked at the start
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

    @Test("A file system without symbolic links ends a run with 73 before Apple is asked")
    func withoutLinks() async throws {
        try await NightScene.with { scene in
            let job = try await withCheckedThrowingContinuation { continuation in
                Thread.detachNewThread {
                    // The filter is the thread's, and of the processes that it starts.
                    let isRefused = cspawn_refuse(cspawn_symlinkat, UInt32(EPERM)) == 0
                    let job = Result { try isRefused ? scene.start("") : scene.start("--help") }
                    continuation.resume(with: job)
                }
            }
            await job.finish().ends(73, "does not make symbolic links")
            #expect(scene.apple.asks.count == 0)
        }
    }
}
