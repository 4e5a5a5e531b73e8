import Foundation

/// The built program as a stand-in for Apple, until it is released.
final class SimulatorProcess {
    let production: String
    let sandbox: String
    private let process = Process()

    /// Returns when it serves.
    init(_ arguments: [String]) throws {
        process.executableURL = Bundle.main.bundleURL.appendingPathComponent("reconcile-job")
        process.arguments = ["simulate"] + arguments
        process.environment = [:]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let words = line.split { " \n=".contains($0) }
        guard words.count == 4 else { throw POSIXError(.ECONNREFUSED) }
        (production, sandbox) = (String(words[1]), String(words[3]))
    }

    // Not SIGTERM: a child inherits the signal mask of the thread that started it, and Dispatch's
    // threads block most signals.
    deinit { kill(process.processIdentifier, SIGKILL) }
}
