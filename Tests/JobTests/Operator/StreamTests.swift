import Foundation
import Testing

@testable import TestSupport

@Suite("Output to stdout")
struct StreamTests {
    @Test(
        "A full device behind stdout is an error of its own",
        arguments: [
            ["--help"], ["help"], ["--version"], ["run", "--help"], ["simulate", "--customers=1"],
        ])
    func full(arguments: [String]) async throws {
        for redirection in [">/dev/full", ">&-"] {
            let job = try await RunningJob(arguments, redirection: redirection).end()
            #expect(job.status == 74)
            #expect(job.lastLine.hasPrefix("reconcile-job: Cannot write to stdout: "))
            #expect(job.lastLine.hasSuffix("Check where it is redirected."), "\(job.lastLine)")
        }
    }

    @Test("If the summary cannot be written the reports stay, and the run keeps its exit status")
    func summary() async throws {
        try await NightScene.with { scene in
            for (flag, status) in [("--fail-on=none", 0), ("--fail-on=low", 1)] as [(String, Int32)]
            {
                let job = try await RunningJob(
                    scene.arguments([flag, "--new"]), redirection: ">/dev/full"
                ).end()
                #expect(job.status == status, "\(job.error)")
                #expect(job.lastLine.contains("The summary could not be written to stdout."))
                #expect(job.lastLine.contains("Read \(scene.reports)"))
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
            ])
        #expect(job.status == 69)
        let warnings = job.error.split(separator: "\n").filter { $0.contains("warning") }
        #expect(warnings.count == 2, "\(job.error)")
        #expect(warnings.contains { $0.contains("RECONCILE_RAET is not read.") })
        #expect(warnings.contains { $0.hasSuffix("Did you mean RECONCILE_RATE?") })
        #expect(warnings.contains { $0.hasSuffix("Did you mean RECONCILE_MAX_UNVERIFIED?") })
        #expect(!job.error.contains("hunter2"))
    }
}
