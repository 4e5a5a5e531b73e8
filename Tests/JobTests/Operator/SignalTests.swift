import Foundation
import Testing

@testable import TestSupport

@Suite("A signal to the process", .timeLimit(.minutes(10)))
struct SignalTests {
    @Test(
        "A crash signal ends the process at once, without a core of its memory",
        arguments: [SIGABRT, SIGQUIT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP] as [Int32])
    func crash(signal: Int32) async throws {
        let job = try RunningJob(["simulate", "--customers=1"])
        await job.ready()
        job.send(signal)
        let end = await job.end()
        #expect(end.status == signal)
        #expect(end.error.isEmpty, "\(end.error)")
    }

    @Test("SIGHUP stops the job as SIGTERM does")
    func hangUp() async throws {
        let job = try RunningJob(["simulate", "--customers=1"])
        await job.ready()
        job.send(SIGHUP)
        let end = await job.end()
        #expect(end.status == 129)
        #expect(end.lastLine.contains("Stopped by SIGHUP; "), "\(end.error)")
    }

    @Test("SIGHUP has no effect on a job under nohup")
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
