import Foundation

/// The built program, run as a user runs it, with nothing in its environment but what is given.
struct JobProcess {
    let status: Int32
    let output: String
    let error: String

    init(_ arguments: [String], environment: [String: String] = [:]) throws {
        let process = Process()
        process.executableURL = Bundle.main.bundleURL.appendingPathComponent("reconcile-job")
        process.arguments = arguments
        process.environment = environment
        let (output, error) = (Pipe(), Pipe())
        (process.standardOutput, process.standardError) = (output, error)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        self.output = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        self.error = String(
            decoding: error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        status = process.terminationStatus
    }

    var lastLine: String { error.split(separator: "\n").last.map(String.init) ?? "" }
}
