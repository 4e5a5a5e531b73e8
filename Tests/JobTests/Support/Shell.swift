import Foundation

@testable import TestSupport

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
