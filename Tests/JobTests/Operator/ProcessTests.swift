import Foundation
import Testing

@testable import TestSupport
@testable import reconcile_job

@Suite("Output to stdout")
struct StreamTests {
    @Test(
        "A full device behind stdout is an error of its own",
        arguments: [
            ["--help"], ["help"], ["--version"], ["run", "--help"], ["simulate", "--customers=1"],
        ], [">/dev/full", ">&-"])
    func full(arguments: [String], redirection: String) async throws {
        let job = try await RunningJob(arguments, redirection: redirection).end()
        job.ends(74, ending: "Check where it is redirected.")
        #expect(job.lastLine.hasPrefix("reconcile-job: Cannot write to stdout: "))
    }

    @Test("If the summary cannot be written the reports stay, and the run keeps its exit status")
    func summary() async throws {
        try await NightScene.with { scene in
            for (flag, status) in [("--fail-on=none", 0), ("--fail-on=low", 1)] as [(String, Int32)]
            {
                try await RunningJob(
                    scene.arguments([flag, "--new"]), redirection: ">/dev/full"
                ).end().ends(
                    status,
                    last: [
                        "The summary could not be written to stdout.", "Read \(scene.reports)",
                    ])
            }
            #expect(scene.published.count == 3)
        }
    }
}

@Suite("An environment variable")
struct MisspeltVariableTests {
    @Test("A variable that is almost one of the job's is named without its value, and ignored")
    func misspelt() throws {
        let job = try JobProcess(
            ["run", "--database=host=/nowhere"],
            environment: [
                "RECONCILE_RAET": "hunter2", "RECONCILE_MAXUNVERIFIED": "1%",
                // Variables of another program, for example those that Kubernetes makes for a
                // service.
                "RECONCILE_SERVICE_HOST": "10.0.0.1", "RECONCILE_PORT_80_TCP": "x",
                // A variable of another command.
                "RECONCILE_SEED": "frog",
            ]
        ).ends(69, never: ["hunter2"])
        let warnings = job.errors(with: "warning")
        #expect(warnings.count == 2, "\(job.error)")
        #expect(warnings.contains { $0.contains("RECONCILE_RAET is not read.") })
        #expect(warnings.contains { $0.hasSuffix("Did you mean RECONCILE_RATE?") })
        #expect(warnings.contains { $0.hasSuffix("Did you mean RECONCILE_MAX_UNVERIFIED?") })
    }
}

@Suite("A signal to the process", .timeLimit(.minutes(10)))
struct SignalTests {
    private func end(after signals: Int32..., launcher: String = "") async throws -> JobProcess {
        let job = try RunningJob(["simulate", "--customers=1"], launcher: launcher)
        await job.ready()
        for signal in signals { job.send(signal) }
        return await job.end()
    }

    @Test(
        "A crash signal ends the process at once, without a core of its memory",
        arguments: [SIGABRT, SIGQUIT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP] as [Int32])
    func crash(signal: Int32) async throws {
        let end = try await end(after: signal)
        #expect(end.status == signal)
        #expect(end.error.isEmpty, "\(end.error)")
    }

    @Test("SIGHUP stops the job as SIGTERM does, and has no effect on a job under nohup")
    func hangUp() async throws {
        try await end(after: SIGHUP).ends(129, last: ["Stopped by SIGHUP; "])
        try await end(after: SIGHUP, SIGTERM, launcher: "nohup")
            .ends(143, last: ["Stopped by SIGTERM; "])
    }
}

@Suite("A machine that is short of resources", .timeLimit(.minutes(10)))
struct ShortageTests {
    private func run(
        _ scene: NightScene, within limit: String, _ flags: String...
    ) async throws -> JobProcess {
        try await RunningJob(
            scene.arguments(flags), environment: ["PGPASSWORD": NightScene.canary],
            launcher: "prlimit \(limit)"
        ).end()
    }

    @Test("The open-file limit is raised as far as it may be, and then lowers --in-flight")
    func descriptors() async throws {
        try await NightScene.with { scene in
            let lowered = try await run(scene, within: "--nofile=120:120", "--in-flight=1000")
            let warnings = lowered.ends().errors(with: "--in-flight")
            #expect(warnings.count == 1, "\(lowered.error)")
            #expect(
                warnings[0].contains("--in-flight is 28, not 1000: this process may open 120 files")
            )
            let raised = try await run(scene, within: "--nofile=120:4096", "--in-flight=1000")
            raised.ends(never: ["--in-flight is"])
        }
    }

    @Test(
        "With too few open files for any work the run ends with 71 before the first request",
        arguments: [
            ("--nofile=60:60", "This process may open 60 files"),
            ("--as=200000000:200000000", "This process may use 190 MiB of address space"),
        ])
    func tooShort(limit: String, words: String) async throws {
        try await NightScene.with { scene in
            try await run(scene, within: limit).ends(71, last: [words])
            #expect(scene.apple.asks.isEmpty)
            #expect(scene.published == [])
        }
    }
}

@Suite("The version")
struct VersionTests {
    @Test(
        "The version is the release and the commit, from the archive or linked in",
        arguments: [
            ("3f2a91c", nil, "+3f2a91c"), ("3f2a91c", "unknown", "+3f2a91c"),
            ("$Format:%h$", "3f2a91c0d7b4", "+3f2a91c0d7b4"), ("$Format:%h$", nil, "+unknown"),
            ("$Format:%h$", "3f2a91c0d7b4.modified", "+3f2a91c0d7b4.modified"),
        ] as [(String, String?, String)])
    func commit(archived: String, linked: String?, expected: String) {
        #expect(Version.text(archived: archived, linked: linked) == Version.release + expected)
    }
}
