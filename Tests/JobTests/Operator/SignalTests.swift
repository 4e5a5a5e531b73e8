import Foundation
import Testing

@testable import TestSupport

@Suite("A signal", .timeLimit(.minutes(10)))
struct SignalTests {
    @Test(
        "that means a crash ends the process at once, and shows nothing of its memory",
        arguments: [SIGABRT, SIGQUIT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP] as [Int32])
    func crash(signal: Int32) async throws {
        let job = try RunningJob(["simulate", "--customers=1"])
        await job.ready()
        job.send(signal)
        let end = await job.end()
        #expect(end.status == signal)
        #expect(end.error.isEmpty, "\(end.error)")
    }

    @Test("of a terminal that goes away stops the job as SIGTERM does")
    func hangUp() async throws {
        let job = try RunningJob(["simulate", "--customers=1"])
        await job.ready()
        job.send(SIGHUP)
        let end = await job.end()
        #expect(end.status == 129)
        #expect(end.lastLine.contains("Stopped by SIGHUP; "), "\(end.error)")
    }

    @Test("of a terminal that goes away means nothing to a job under nohup")
    func nohup() async throws {
        let job = try RunningJob(["simulate", "--customers=1"], launcher: "nohup")
        await job.ready()
        job.send(SIGHUP)
        job.send(SIGTERM)
        let end = await job.end()
        #expect(end.status == 143)
        #expect(end.lastLine.contains("Stopped by SIGTERM; "), "\(end.error)")
    }
}
