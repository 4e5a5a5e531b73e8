import Foundation
import Testing

@testable import TestSupport
@testable import reconcile_job

/// To add a case: copy a test, and write what is started and what follows, with the verbs in
/// `Tests/README.md`.
@Suite("The job's process", .hangLimit)
struct ProcessTests {
    @Test(
        "A full device behind stdout is an error of its own",
        arguments: [
            ["--help"], ["help"], ["--version"], ["run", "--help"], ["simulate", "--customers=1"],
        ], [ChildProcess.Stream.file("/dev/full"), .closed])
    func full(words: [String], stdout: ChildProcess.Stream) async throws {
        try await JobProcess(words: words, with: Launch(output: stdout)).exits(74)
            .says("reconcile-job: Cannot write to stdout:")
            .advises("Check where it is redirected.")
    }

    private func end(
        after signals: Int32..., with launch: Launch = .normal
    ) async throws -> JobProcess {
        let job = try await launch.start(["simulate", "--customers=1"])
        await job.ready()
        for signal in signals { job.send(signal) }
        return await job.finish()
    }

    @Test(
        "A crash signal ends the process at once, without a core of its memory",
        arguments: [SIGABRT, SIGQUIT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP])
    func crash(signal: Int32) async throws {
        try await end(after: signal).exits(signal).logsNothing()
    }

    @Test("SIGHUP stops the job as SIGTERM does, and has no effect on a job under nohup")
    func hangUp() async throws {
        try await end(after: SIGHUP).exits(129).says("Stopped by SIGHUP;")
        try await end(after: SIGHUP, SIGTERM, with: .through("nohup")).exits(143)
            .says("Stopped by SIGTERM;")
    }

    @Test("The version is the release and the commit, from the archive or linked in")
    func version() {
        let archived = Version.text(archived: "3f2a91c", linked: "unknown")
        #expect(archived == "\(Version.release)+3f2a91c")
        let linked = Version.text(archived: "$Format:%h$", linked: "3f2a91c0d7b4.modified")
        #expect(linked == "\(Version.release)+3f2a91c0d7b4.modified")
        let neither = Version.text(archived: "$Format:%h$", linked: nil)
        #expect(neither == "\(Version.release)+unknown")
    }

    @Test("After SIGUSR1 the run continues and prints its progress; --wait waits for the other run")
    func wait() async throws {
        let gate = Gate()
        try await Session.with(onAsk: gate.wait) { session in
            let first = try await session.start("--quiet", with: .joined)
            await session.apple.production.arrival(of: 1)
            first.send(SIGUSR1)
            await first.ready()
            try await session.run("--wait=200ms").exits(75)
            let second = try await session.start("--wait=5m", with: .joined)
            // It waits before it prints anything else.
            await second.ready()
            gate.open()
            let progress = await first.finish().exits()
            #expect(progress.lines.count == 1)
            #expect(progress.output.hasPrefix("reconcile-job: "))
            await second.finish().exits()
                .prints("Another run over everything is running: run")
            // The second has done a run of its own.
            #expect(session.published.count == 3)
        }
    }

    @Test("--quiet prints nothing on success, and the last line otherwise")
    func quiet() async throws {
        try await Session.with { session in
            try await session.run("--quiet", "--fail-on=none").exits().printsNothing()
                .logsNothing()
            try await session.job("check", "--quiet", "--max-age=1000d").exits().printsNothing()
                .logsNothing()
            let failed = try await session.run("--quiet", "--fail-on=low", "--new").exits(1)
                .printsNothing()
            #expect(failed.logged.count == 1)
            #expect(failed.error.hasPrefix("reconcile-job: Run "))
        }
    }

    @Test("check tells a monitor whether the last run is recent, complete and not held")
    func check() async throws {
        try await Session.with { session in
            func expect(critical text: String, within age: String = "1000d") async throws {
                let job = try await session.job("check", "--max-age=\(age)").exits(2).prints(text)
                #expect(job.output.hasPrefix("CRITICAL: "))
            }
            try await expect(
                critical: ": No run over everything has been published.", within: "26h")
            try await session.run("--output=none").exits()
            let job = try await session.job("check", "--max-age=1000d").exits()
            #expect(job.output.hasPrefix("OK: Run"))
            try await expect(critical: "older than --max-age", within: "1ms")
            try await session.run("--guards=on").exits(4)
            try await expect(critical: "is held: later runs ignore it.")
            try await session.run("--max-runtime=1ms").exits(3)
            try await expect(critical: "is incomplete.")
        }
    }

    @Test(
        """
        The open-file limit is raised as far as it may be, lowers --in-flight, or ends the run \
        with 71
        """)
    func limits() async throws {
        try await Session.with { session in
            try await session.run(with: .through("prlimit", "--nofile=60")).exits(71)
                .says("This process may open 60 files")
            try await session.run(with: .through("prlimit", "--as=200000000")).exits(71)
                .says("This process may use 190 MiB of address space")
            #expect(session.apple.asks.isEmpty)
            #expect(session.published == [])
            let lowered = try await session.run(
                "--in-flight=1000", with: .through("prlimit", "--nofile=120:120")
            ).exits()
            let lines = lowered.logged.filter { $0.contains("in-flight") }
            #expect(lines.count == 1)
            lowered.logs("--in-flight is 28, not 1000: this process may open 120 files")
            try await session.run(
                "--in-flight=1000", with: .through("prlimit", "--nofile=120:4096")
            ).exits().omits("--in-flight is")
        }
    }

    @Test("If the summary cannot be written the reports stay, and the run keeps its exit status")
    func noSummary() async throws {
        try await Session.with { session in
            let full = Launch(output: .file("/dev/full"))
            try await session.run("--fail-on=none", with: full).exits(0)
                .says("Read \(session.reports)")
                .says("The summary could not be written to stdout.")
            try await session.run("--fail-on=low", "--new", with: full).exits(1)
                .says("Read \(session.reports)", "summary could not be written")
            #expect(session.published.count == 3)
            #expect(session.published.last == "latest")
        }
    }

    @Test("A variable that is almost one of the job's is named without its value, and ignored")
    func variables() async throws {
        let job = try await JobProcess(
            "runs", "--database=host=/none",
            with: .environment([
                "RECONCILE_RAET": "hunter2", "RECONCILE_MAXUNVERIFIED": "1%",
                "RECONCILE_SERVICE_HOST": "10.0.0.1", "RECONCILE_PORT_80_TCP": "x",
                "RECONCILE_SEED": "frog",
            ])
        ).exits(69)
        #expect(job.logged.filter { $0.contains("warning") }.count == 2)
        job.omits("hunter2").logs(
            "RECONCILE_RAET is not read. ", "Did you mean RECONCILE_RATE?",
            "Did you mean RECONCILE_MAX_UNVERIFIED?")
    }
}
