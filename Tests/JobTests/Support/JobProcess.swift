import Foundation

@testable import TestSupport

private let program = Bundle.main.bundleURL.appendingPathComponent("reconcile-job").path

/// The built program, run to its end with only the given environment.
struct JobProcess: Sendable {
    let status: Int32
    let output: String
    let error: String

    var lastLine: String { error.split(separator: "\n").last.map(String.init) ?? "" }
}

extension JobProcess {
    init(_ arguments: [String], environment: [String: String] = [:]) throws {
        self = try RunningJob(arguments, environment: environment).waitUntilEnd()
    }

    /// A line as an operator types it, with variables first; ␣ is a blank within a word.
    init(line: String) throws {
        let script = line.replacing("␣", with: "\\ ")
            .replacing(#/^([A-Z_]+=\S* )*/#) { $0.0 + "\"$0\" " }
        self = try RunningJob(
            [], environment: ["LINE": script], launcher: "/bin/sh -c \"$LINE\""
        ).waitUntilEnd()
    }
}

final class RunningJob: Sendable {
    private let process: ChildProcess

    /// - Parameters:
    ///   - launcher: a program with its arguments that executes the job.
    ///   - redirection: of the shell, for example `>/dev/full`.
    init(
        _ arguments: [String], environment: [String: String] = [:], launcher: String = "",
        redirection: String = ""
    ) throws {
        let script = "exec \(launcher) \"$0\" \"$@\" \(redirection)"
        process = try ChildProcess(
            "/bin/sh", ["-c", script, program] + arguments, environment: environment)
    }

    var id: Int32 { process.id }

    func send(_ signal: Int32) { process.send(signal) }

    @discardableResult
    func end(by signal: Int32) async -> JobProcess {
        send(signal)
        return await end()
    }

    /// Waits until something is printed.
    func ready() async {
        await inThread { [process] in
            let output = process.output.fileDescriptor
            var descriptor = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            while poll(&descriptor, 1, -1) < 0 {}
        }
    }

    func end() async -> JobProcess { await inThread { [self] in waitUntilEnd() } }

    private func inThread<T: Sendable>(_ work: @escaping @Sendable () -> T) async -> T {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: work()) }
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

/// The built program as a simulated App Store, until it is released.
final class SimulatorProcess {
    let production: String
    let sandbox: String
    private let process: ChildProcess

    init(_ arguments: [String]) throws {
        process = try ChildProcess(program, ["simulate"] + arguments)
        let line = String(decoding: process.output.availableData, as: UTF8.self)
        let words = line.split { " \n=".contains($0) }
        guard words.count == 4 else { throw POSIXError(.ECONNREFUSED) }
        production = String(words[1])
        sandbox = String(words[3])
    }

    deinit { process.end() }
}

enum Shell {
    /// The stdout of `script` in `folder`, with the built program on the path.
    static func output(
        of script: String, _ environment: [String: String] = [:], in folder: String
    ) throws -> String {
        let path = Bundle.main.bundleURL.path + ":/usr/local/bin:/usr/bin:/bin"
        let shell = try ChildProcess(
            "/bin/sh", ["-c", "exec 2>/dev/null\n" + script],
            environment: environment.merging(["PATH": path]) { $1 }, in: folder)
        let output = try shell.output.readToEnd() ?? Data()
        shell.end()
        return String(decoding: output, as: UTF8.self)
    }
}
