import Foundation

@testable import TestSupport

/// The built program as a simulated App Store, until it is released.
final class SimulatorProcess {
    let production: String
    let sandbox: String
    private let process: ChildProcess

    init(_ arguments: [String]) throws {
        process = try ChildProcess(
            Bundle.main.bundleURL.appendingPathComponent("reconcile-job").path,
            ["simulate"] + arguments)
        let line = String(decoding: process.output.availableData, as: UTF8.self)
        let words = line.split { " \n=".contains($0) }
        guard words.count == 4 else { throw POSIXError(.ECONNREFUSED) }
        production = String(words[1])
        sandbox = String(words[3])
    }

    deinit { process.end() }
}
