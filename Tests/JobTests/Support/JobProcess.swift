import Foundation

@testable import TestSupport

/// The built program, run to its end as a user runs it, with nothing in its environment but what
/// is given.
struct JobProcess: Sendable {
    let status: Int32
    let output: String
    let error: String

    fileprivate init(status: Int32, output: String, error: String) {
        (self.status, self.output, self.error) = (status, output, error)
    }

    init(_ arguments: [String], environment: [String: String] = [:]) throws {
        self = try RunningJob(arguments, environment: environment).waitUntilEnd()
    }

    var lastLine: String { error.split(separator: "\n").last.map(String.init) ?? "" }
}

/// The built program at work.
final class RunningJob: Sendable {
    private let process = Process()
    private let output = Pipe()
    private let error = Pipe()

    /// - Parameters:
    ///   - umask: in octal; nil for that of the tests.
    ///   - fileBlocks: the most that a file may grow to, as on a full disk.
    ///   - launcher: a program with its arguments that becomes the job.
    ///   - redirection: of the shell's, for example `>/dev/full`.
    init(
        _ arguments: [String], environment: [String: String] = [:], umask: String? = nil,
        fileBlocks: Int? = nil, launcher: String = "", redirection: String = ""
    ) throws {
        let job = Bundle.main.bundleURL.appendingPathComponent("reconcile-job")
        if umask != nil || fileBlocks != nil || !(launcher + redirection).isEmpty {
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            let script = [
                umask.map { "umask \($0)" }, fileBlocks.map { "ulimit -f \($0)" },
                "exec \(launcher) \"$0\" \"$@\" \(redirection)",
            ].compactMap(\.self).joined(separator: "; ")
            process.arguments = ["-c", script, job.path] + arguments
        } else {
            process.executableURL = job
            process.arguments = arguments
        }
        process.environment = environment
        (process.standardOutput, process.standardError) = (output, error)
        process.standardInput = FileHandle.nullDevice
        try process.run()
    }

    var id: Int32 { process.processIdentifier }

    func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Returns when the first byte has come out on stdout.
    func ready() async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [output] in
                var descriptor = pollfd(
                    fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN),
                    revents: 0)
                while poll(&descriptor, 1, -1) < 0 {}
                continuation.resume()
            }
        }
    }

    /// The end, awaited on a thread of its own.
    func end() async -> JobProcess {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [self] in continuation.resume(returning: waitUntilEnd()) }
        }
    }

    fileprivate func waitUntilEnd() -> JobProcess {
        // Both at once: a process that waits for room in one of them would never end the other.
        let said = Shared("")
        let gate = Gate()
        Thread.detachNewThread { [error] in
            let data = error.fileHandleForReading.readDataToEndOfFile()
            said.update { $0 = String(decoding: data, as: UTF8.self) }
            gate.open()
        }
        let output = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        gate.wait()
        process.waitUntilExit()
        return JobProcess(status: process.terminationStatus, output: output, error: said.current)
    }
}
