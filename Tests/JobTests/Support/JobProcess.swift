import Foundation

@testable import TestSupport

/// The built program, run to its end with only the given environment.
struct JobProcess: Sendable {
    let status: Int32
    let output: String
    let error: String

    fileprivate init(status: Int32, output: String, error: String) {
        self.status = status
        self.output = output
        self.error = error
    }

    init(_ arguments: [String], environment: [String: String] = [:]) throws {
        self = try RunningJob(arguments, environment: environment).waitUntilEnd()
    }

    var lastLine: String { error.split(separator: "\n").last.map(String.init) ?? "" }
}

final class RunningJob: Sendable {
    private let process: ChildProcess

    /// - Parameters:
    ///   - umask: in octal; nil for that of the tests.
    ///   - fileBlocks: the size limit of a file in blocks, as on a full disk.
    ///   - launcher: a program with its arguments that executes the job.
    ///   - redirection: of the shell, for example `>/dev/full`.
    init(
        _ arguments: [String], environment: [String: String] = [:], umask: String? = nil,
        fileBlocks: Int? = nil, launcher: String = "", redirection: String = ""
    ) throws {
        let job = Bundle.main.bundleURL.appendingPathComponent("reconcile-job").path
        if umask != nil || fileBlocks != nil || !(launcher + redirection).isEmpty {
            let script = [
                umask.map { "umask \($0)" }, fileBlocks.map { "ulimit -f \($0)" },
                "exec \(launcher) \"$0\" \"$@\" \(redirection)",
            ].compactMap(\.self).joined(separator: "; ")
            process = try ChildProcess(
                "/bin/sh", ["-c", script, job] + arguments, environment: environment)
        } else {
            process = try ChildProcess(job, arguments, environment: environment)
        }
    }

    var id: Int32 { process.id }

    func send(_ signal: Int32) { process.send(signal) }

    func ready() async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [process] in
                var descriptor = pollfd(
                    fd: process.output.fileDescriptor, events: Int16(POLLIN), revents: 0)
                while poll(&descriptor, 1, -1) < 0 {}
                continuation.resume()
            }
        }
    }

    func end() async -> JobProcess {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [self] in continuation.resume(returning: waitUntilEnd()) }
        }
    }

    fileprivate func waitUntilEnd() -> JobProcess {
        // Both pipes are read in parallel: a process that blocks on a full pipe would never end.
        let said = Shared("")
        let gate = Gate()
        Thread.detachNewThread { [process] in
            let data = process.error.readDataToEndOfFile()
            said.update { $0 = String(decoding: data, as: UTF8.self) }
            gate.open()
        }
        let output = String(decoding: process.output.readDataToEndOfFile(), as: UTF8.self)
        gate.wait()
        return JobProcess(status: process.wait(), output: output, error: said.current)
    }
}
