import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport
@testable import reconcile_job

/// To add a case: copy a test, or add a command to one.
@Suite("A stream that nobody reads", .hangLimit)
struct StreamTests {
    /// A pipe that is full and never read. It must be kept while the program runs.
    private func fullPipe() throws -> Pipe {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data(count: 65_536))
        return pipe
    }

    /// What a command says that got the ten seconds of one with work to save.
    private static let longPatience = "It took too long and was killed."

    private func simulate(stoppedBy signals: [Int32]) async throws -> JobProcess {
        let pipe = try fullPipe()
        let launch = Launch(error: .descriptor(pipe.fileHandleForWriting))
        let job = try await launch.start(["simulate", "--customers=1"])
        await job.ready()
        for signal in signals { job.send(signal) }
        let ended = await job.finish()
        withExtendedLifetime(pipe) {}
        return ended
    }

    @Test("stderr: a run publishes and ends with its status")
    func runWithFullError() async throws {
        let pipe = try fullPipe()
        try await Session.with { session in
            let launch = Launch(error: .descriptor(pipe.fileHandleForWriting))
            try await session.run("--log-level=debug", with: launch).exits()
            try await session.latestReports()
        }
        withExtendedLifetime(pipe) {}
    }

    @Test("stdout: a run publishes, ends with its status, and says that nobody read its summary")
    func runWithFullOutput() async throws {
        let pipe = try fullPipe()
        try await Session.with { session in
            let launch = Launch(output: .descriptor(pipe.fileHandleForWriting))
            try await session.run("--output=json", with: launch).exits()
                .says("The summary could not be written to stdout")
            try await session.latestReports()
        }
        withExtendedLifetime(pipe) {}
    }

    @Test("stderr: a signal ends the process")
    func signal() async throws {
        try await simulate(stoppedBy: [SIGTERM]).exits(143)
    }

    @Test("stderr: SIGUSR1 before it changes nothing, and a second signal ends the process at once")
    func secondSignal() async throws {
        // The first one would end it with 130.
        try await simulate(stoppedBy: [SIGUSR1, SIGINT, SIGTERM]).exits(143)
    }

    @Test(
        "stdout: a command with nothing to save ends soon after a signal, also if stderr is full",
        arguments: [
            ["--help"], ["inspect", "--help"], ["--version"], ["keys", "new"],
            ["generate", "man"], ["inspect", "receipt"], ["inspect", "--output=json", "receipt"],
        ], [false, true])
    func short(words: [String], isErrorFull: Bool) async throws {
        let folder = try TemporaryFolder()
        try folder.write(TestDatabase.receipt("r"), to: "receipt")
        let pipe = try fullPipe()
        var launch = Launch(output: .descriptor(pipe.fileHandleForWriting))
        if isErrorFull { launch.error = .descriptor(pipe.fileHandleForWriting) }
        let job = try await launch.start(words, in: folder.path)
        #expect(await job.hasBegun())
        await job.finish(by: SIGTERM).exits(143).omits(Self.longPatience)
        withExtendedLifetime(pipe) {}
    }

    @Test(
        "stdin: a command that waits for it ends soon after a signal",
        arguments: [["inspect", "-"], ["open-key", "--database=postgresql:///nowhere"]])
    func unwritten(words: [String]) async throws {
        let folder = try TemporaryFolder()
        let keys = try folder.write(KeyRing.newLine(), to: "keys", mode: 0o400)
        let pipe = Pipe()
        let launch = Launch(
            environment: ["RECONCILE_DOWNLOAD_KEY_FILE": keys],
            input: .descriptor(pipe.fileHandleForReading), error: .output)
        let job = try await launch.start(words, in: folder.path)
        #expect(await job.hasBegun())
        await job.finish(by: SIGINT).exits(130).prints("Stopped by SIGINT")
            .omits(Self.longPatience)
        withExtendedLifetime(pipe) {}
    }

    @Test(
        "stdout: a command that reads the database ends soon after a signal",
        arguments: [["runs"], ["explain", "--user=ann"], ["doctor", "--reports=reports"]])
    func reading(words: [String]) async throws {
        let pipe = try fullPipe()
        try await Session.with { session in
            try await session.run().exits()
            let job = try await session.start(
                words: words, ["DATABASE_URL": session.test.url],
                with: Launch(output: .descriptor(pipe.fileHandleForWriting)))
            #expect(await job.hasBegun())
            await job.finish(by: SIGTERM).exits(143).omits(Self.longPatience)
        }
        withExtendedLifetime(pipe) {}
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

    @Test("A failed write is returned to the caller")
    func failure() throws {
        let device = open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { close(device) }
        #expect(StreamWriter(device).write([120], within: .seconds(60)) == .failed(ENOSPC))
    }
}

extension ChildProcess {
    /// Waits until the program waits for signals, or has ended. It blocks them first of all, before
    /// it has a second thread. /proc does not show them as blocked while a thread waits for them.
    /// - Returns: false when that takes longer than ten minutes.
    fileprivate func hasBegun() async -> Bool {
        await inThread { [id] in
            let patience = ContinuousClock.now + .seconds(600)
            repeat {
                let status = try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
                guard let status, !status.contains("State:\tZ") else { return true }
                if !status.contains("Threads:\t1\n") { return true }
                poll(nil, 0, 1)
            } while .now < patience
            return false
        }
    }
}
