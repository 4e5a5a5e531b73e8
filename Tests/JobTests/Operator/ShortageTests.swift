import Testing

@testable import TestSupport

@Suite("A machine that is short of something", .timeLimit(.minutes(10)))
struct ShortageTests {
    private func run(
        _ scene: NightScene, within limit: String, _ flags: String...
    ) async throws -> JobProcess {
        try await RunningJob(
            scene.arguments(flags), environment: ["PGPASSWORD": NightScene.canary],
            launcher: "prlimit \(limit)"
        ).end()
    }

    @Test("lowers --in-flight to what the open files allow, says so once, and ends well")
    func descriptors() async throws {
        try await NightScene.with { scene in
            let job = try await run(scene, within: "--nofile=120:120", "--in-flight=1000")
            #expect(job.status == 0, "\(job.error)")
            let lines = job.error.split(separator: "\n").filter { $0.contains("--in-flight") }
            #expect(lines.count == 1, "\(job.error)")
            #expect(
                job.error.contains("--in-flight is 28, not 1000: this process may have 120 files"))
        }
    }

    @Test("raises its own limit as far as it may")
    func softLimit() async throws {
        try await NightScene.with { scene in
            let job = try await run(scene, within: "--nofile=120:4096", "--in-flight=1000")
            #expect(job.status == 0, "\(job.error)")
            #expect(!job.error.contains("--in-flight is"), "\(job.error)")
        }
    }

    @Test(
        "ends with 71 before anything is asked where it is too short to work",
        arguments: [
            ("--nofile=60:60", "This process may have 60 files open"),
            ("--as=200000000:200000000", "This process may have 190 MiB of address space"),
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
