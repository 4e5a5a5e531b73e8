import Foundation

@testable import TestSupport

private let programs = Bundle.main.bundleURL.path

/// The built program, run to its end.
struct JobProcess: Sendable {
    let status: Int32
    let output: String
    let error: String

    var lastLine: String { error.split(separator: "\n").last.map(String.init) ?? "" }
}

extension JobProcess {
    /// Like `RunningJob`.
    init(
        _ script: String, environment: [String: String] = [:], in folder: String? = nil
    ) throws {
        self = try RunningJob(script, environment: environment, in: folder).waitUntilEnd()
    }
}

final class RunningJob: Sendable {
    private let process: ChildProcess

    /// - Parameters:
    ///   - script: of a shell, for which the built program is on the path, and `$0`. It gets
    ///     signals if `exec` is before its name.
    ///   - environment: in addition to the path.
    init(
        _ script: String, environment: [String: String] = [:], in folder: String? = nil
    ) throws {
        let path = ["PATH": programs + ":/usr/local/bin:/usr/bin:/bin"]
        process = try ChildProcess(
            "/bin/sh", ["-c", script, programs + "/reconcile-job"],
            environment: path.merging(environment) { $1 }, in: folder)
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
    /// The variables `PRODUCTION` and `SANDBOX`.
    let urls: [String: String]
    private let process: ChildProcess

    init(_ flags: String) throws {
        process = try ChildProcess(
            "/bin/sh", ["-c", "exec \(programs)/reconcile-job simulate \(flags)"])
        let line = String(decoding: process.output.availableData, as: UTF8.self)
        let words = line.split { " \n=".contains($0) }
        guard words.count == 4 else { throw POSIXError(.ECONNREFUSED) }
        urls = ["PRODUCTION": String(words[1]), "SANDBOX": String(words[3])]
    }

    deinit { process.end() }
}
