import Foundation
import Testing

@testable import TestSupport
@testable import reconcile_job

@Suite("A stream that nobody reads", .timeLimit(.minutes(10)))
struct StreamTests {
    /// Begins a script whose `stream` is a pipe that is full and never read.
    private func full(_ stream: Int) -> String {
        "mkfifo full; exec \(stream)<>full; head -c 65536 /dev/zero >&\(stream);"
    }

    private func end(
        after signals: [Int32], _ script: String, in folder: TemporaryFolder
    ) async throws -> (status: Int32, took: Duration) {
        let job = try ChildProcess(script, in: folder.path)
        await job.ready()
        let began = ContinuousClock.now
        for signal in signals { job.send(signal) }
        let status = await job.finish().status
        return (status, began.duration(to: .now))
    }

    @Test("stderr: a run publishes and ends with its status")
    func runWithFullError() async throws {
        try await NightScene.with { scene in
            try await scene.steps("\(full(2)) run --log-level=debug | 0")
            try await scene.latestReports()
        }
    }

    @Test("stdout: a run publishes, ends with its status, and says that nobody read its summary")
    func runWithFullOutput() async throws {
        try await NightScene.with { scene in
            try await scene.steps(
                "\(full(1)) run --output=json | 0 | The summary could not be written to stdout")
            try await scene.latestReports()
        }
    }

    @Test("stderr: a signal ends the process within ten seconds")
    func signal() async throws {
        let folder = try TemporaryFolder()
        let (status, took) = try await end(
            after: [SIGTERM], "\(full(2)) exec \"$0\" simulate --customers=1", in: folder)
        #expect(status == 143)
        #expect(took < .seconds(10))
    }

    @Test("stderr: SIGUSR1 before it changes nothing, and a second signal ends the process at once")
    func secondSignal() async throws {
        let folder = try TemporaryFolder()
        let (status, took) = try await end(
            after: [SIGUSR1, SIGINT, SIGTERM],
            "\(full(2)) exec \"$0\" simulate --customers=1", in: folder)
        #expect(status == 143)
        // Requests in flight would get eight seconds.
        #expect(took < .seconds(8))
    }

    @Test("Lines beyond a limit are lost and counted; the rest is written when it is read")
    func counts() throws {
        let pipe = Pipe()
        let writer = StreamWriter(pipe.fileHandleForWriting.fileDescriptor)
        let line = [UInt8](repeating: 120, count: 1_023) + [10]
        for _ in 0..<2_048 { writer.write(line) }
        #expect(!writer.flush(within: .milliseconds(10)))
        let lost = writer.takeLost()
        #expect(lost > 0)
        #expect(writer.takeLost() == 0)
        let written = (2_048 - lost) * line.count
        var read = 0
        while read < written { read += pipe.fileHandleForReading.availableData.count }
        #expect(read == written)
        #expect(writer.flush(within: .seconds(60)))
    }

    @Test("A failed write is told to the one who asked for it")
    func failure() throws {
        let device = open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { close(device) }
        #expect(StreamWriter(device).write([120], within: .seconds(60)) == .failed(ENOSPC))
    }
}
