import CSpawn
import Foundation
import Testing

@testable import TestSupport

/// To add a case: copy a test; `Session` has verbs for what another program does to the folder.
@Suite("The reports folder of a run", .hangLimit)
struct ReportsFolderTests {
    @Test("A folder swapped for a link during a run: nothing behind the link is touched")
    func swapped() async throws {
        let asks = Shared(0)
        let swap = Shared<(@Sendable () throws -> Void)?>(nil)
        let onAsk = { @Sendable () -> Void in
            if asks.update({ $0 += 1 }) == 1 { try? swap.current?() }
        }
        try await Session.with(onAsk: onAsk) { session in
            swap.update { swap in
                swap = {
                    try session.makeFolder("private/.x.partial")
                    try session.write("", to: "private/.x.partial/notes")
                    try session.move("reports", to: "taken")
                    try session.link("reports", to: "private")
                }
            }
            try await session.run().exits(73)
                .says("\(session.reports) no longer leads to the folder that was checked")
                .advises("Put it back. Then run again: no request is repeated.")
            let files = session.contents(of: "private").keys
            #expect(Array(files) == [".x.partial/notes"])
            #expect(session.everything(in: "private") == [".x.partial"])
            #expect(session.everything(in: "taken") == [])
            let asked = session.apple.asks.count
            try session.remove("reports")
            try session.move("taken", to: "reports")
            // The session's `as_of` is long ago.
            try await session.run("--resume-within=36500d").exits().logs("resumed run_id=")
            #expect(session.apple.asks.count == asked)
            try await session.latestReports()
        }
    }

    @Test("A folder removed during a run: the next run makes it again and asks nobody twice")
    func removed() async throws {
        let removal = Shared<(@Sendable () throws -> Void)?>(nil)
        let onAsk = { @Sendable () -> Void in try? removal.current?() }
        try await Session.with(onAsk: onAsk) { session in
            removal.update { $0 = { try session.remove("reports") } }
            let end = try await session.run().exits(73)
                .says("/reports was removed while it was in use.")
                .advises(" Then run again: no request is repeated.")
            #expect(end.lastLine.hasPrefix("reconcile-job: Nothing was published. "))
            let asked = session.apple.asks.count
            try await session.run("--resume-within=36500d").exits()
            #expect(session.apple.asks.count == asked)
            try await session.latestReports()
        }
    }

    @Test("A link instead of a run's folder: `retract` says what it did and what is left")
    func plantedLink() async throws {
        try await Session.with { session in
            try await session.run().exits()
            let run = session.latestRun()
            try session.makeFolder("private")
            try session.move("reports/\(run)", to: run)
            try session.link("reports/\(run)", to: "../private")
            try await session.job("retract", run, "--by=ada", "--why=prices", "--reports=reports")
                .exits(73).says("Run \(run) is retracted in the database.")
                .says("/\(run) is in the way: ").omits("othing was published", "run again")
        }
    }

    @Test("`prune` that cannot remove a folder says what it has removed from the database")
    func pruned() async throws {
        try await Session.with { session in
            // Of two in the same second the newer may be named as the older.
            for _ in 0..<3 { try await session.run("--new").exits() }
            try await session.job(
                "prune", "--before=2026-11-20T00:00:00Z", "--keep=1", "--reports=reports",
                with: .refusing(cspawn_renameat)
            ).exits(73).says(" runs completely. Cannot write reports at ")
        }
    }

    @Test("A file system without symbolic links ends a run with 73 before Apple is asked")
    func withoutLinks() async throws {
        try await Session.with { session in
            try await session.run(with: .refusing(cspawn_symlinkat)).exits(73)
                .says("does not make symbolic links")
            #expect(session.apple.asks.count == 0)
        }
    }
}
