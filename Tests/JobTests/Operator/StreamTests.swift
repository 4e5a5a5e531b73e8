import Foundation
import Testing

@testable import Reconcile
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
        try await Session.with { scene in
            try await scene.steps("\(full(2)) run --log-level=debug | 0")
            try await scene.latestReports()
        }
    }

    @Test("stdout: a run publishes, ends with its status, and says that nobody read its summary")
    func runWithFullOutput() async throws {
        try await Session.with { scene in
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

    @Test(
        "stdout: a command with nothing to save ends soon after a signal, also if stderr is full",
        arguments: [
            "--help", "inspect --help", "--version", "keys new", "generate man", "inspect receipt",
            "inspect --output=json receipt",
        ], [[1], [1, 2]])
    func short(command: String, streams: [Int]) async throws {
        let folder = try TemporaryFolder()
        try folder.write(TestDatabase.receipt("r"), to: "receipt")
        let script = full(streams[0]) + streams.dropFirst().map { "exec \($0)>full;" }.joined()
        let job = try ChildProcess("\(script) exec \"$0\" \(command)", in: folder.path)
        #expect(await job.hasBegun())
        let began = ContinuousClock.now
        #expect(await job.finish(by: SIGTERM).status == 143)
        // A run would get ten seconds.
        #expect(began.duration(to: .now) < .seconds(6))
    }

    @Test(
        "stdin: a command that waits for it ends soon after a signal",
        arguments: [
            "inspect -", "open-key --database=postgresql:///nowhere",
        ])
    func unwritten(command: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(KeyRing.newLine(), to: "keys", mode: 0o400)
        let job = try ChildProcess(
            "mkfifo empty; exec 0<>empty; exec \"$0\" \(command) 2>&1",
            environment: ["RECONCILE_DOWNLOAD_KEY_FILE": folder.path + "/keys"], in: folder.path)
        #expect(await job.hasBegun())
        let began = ContinuousClock.now
        let ended = await job.finish(by: SIGINT)
        #expect(ended.status == 130)
        #expect(ended.output.contains("Stopped by SIGINT"))
        #expect(began.duration(to: .now) < .seconds(6))
    }

    @Test(
        "stdout: a command that reads the database ends soon after a signal",
        arguments: ["runs", "explain --user=ann", "doctor --reports=reports"])
    func reading(command: String) async throws {
        try await Session.with { scene in
            try await scene.steps("run | 0")
            let words = try await scene.filled(command)
            let job = try ChildProcess(
                "\(full(1)) exec \"$0\" \(words)",
                environment: ["DATABASE_URL": scene.test.url], in: scene.folder.path)
            #expect(await job.hasBegun())
            let began = ContinuousClock.now
            #expect(await job.finish(by: SIGTERM).status == 143)
            #expect(began.duration(to: .now) < .seconds(6))
        }
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

extension ChildProcess {
    /// Waits until the program waits for signals, or has ended. It blocks them first of all, before
    /// it has a second thread. /proc does not show them as blocked while a thread waits for them.
    /// - Returns: false when that takes longer than half a minute.
    fileprivate func hasBegun() async -> Bool {
        await inThread { [id] in
            let patience = ContinuousClock.now + .seconds(30)
            repeat {
                let status = try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
                guard let status, !status.contains("State:\tZ") else { return true }
                // Before, it is the shell.
                let isProgram = status.hasPrefix("Name:\treconcile-job\n")
                if isProgram, !status.contains("Threads:\t1\n") { return true }
                poll(nil, 0, 1)
            } while .now < patience
            return false
        }
    }
}
