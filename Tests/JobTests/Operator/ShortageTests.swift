import Testing

@testable import TestSupport

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

    @Test("--in-flight is lowered to what the open-file limit allows, with one warning")
    func descriptors() async throws {
        try await NightScene.with { scene in
            let job = try await run(scene, within: "--nofile=120:120", "--in-flight=1000")
            #expect(job.status == 0, "\(job.error)")
            let lines = job.error.split(separator: "\n").filter { $0.contains("--in-flight") }
            #expect(lines.count == 1, "\(job.error)")
            #expect(
                job.error.contains("--in-flight is 28, not 1000: this process may open 120 files"))
        }
    }

    @Test("The job raises its own open-file limit as far as it may")
    func softLimit() async throws {
        try await NightScene.with { scene in
            let job = try await run(scene, within: "--nofile=120:4096", "--in-flight=1000")
            #expect(job.status == 0, "\(job.error)")
            #expect(!job.error.contains("--in-flight is"), "\(job.error)")
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
            let job = try await run(scene, within: limit)
            #expect(job.status == 71, "\(job.error)")
            #expect(job.lastLine.contains(words), "\(job.lastLine)")
            #expect(scene.apple.asks.isEmpty)
            #expect(scene.published == [])
        }
    }
}
