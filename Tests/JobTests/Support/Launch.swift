import CSpawn
import Foundation

@testable import TestSupport

/// How the built program is started, apart from its words: what a shell would express by
/// redirections, assignments and `umask`.
///
///     try await session.run("--quiet", with: .umask(0o077)).exits()
struct Launch: Sendable {
    enum Input: Sendable {
        case nothing
        /// Of at most 64 KiB, a pipe's size.
        case text(String)
        /// A path from the session's folder.
        case file(String)
        case descriptor(FileHandle)
    }

    /// Variables in addition to PATH and those of the verb.
    var environment: [String: String] = [:]
    /// Variables that the verb would set.
    var unset: Set<String> = []
    var input = Input.nothing
    var output = ChildProcess.Stream.captured
    var error = ChildProcess.Stream.captured
    var umask: mode_t?
    /// A program in /usr/bin that starts the built one, with its words.
    var launcher: [String] = []
    /// A system call that fails in the process with EPERM.
    var refused: UInt32?

    static let normal = Launch()
    /// Its stderr is read with its stdout, as one text.
    static let joined = Launch(error: .output)

    static func environment(_ environment: [String: String]) -> Launch {
        Launch(environment: environment)
    }
    static func input(_ text: String) -> Launch { Launch(input: .text(text)) }
    static func input(file: String) -> Launch { Launch(input: .file(file)) }
    static func umask(_ mask: mode_t) -> Launch { Launch(umask: mask) }
    static func through(_ launcher: String...) -> Launch { Launch(launcher: launcher) }
    static func refusing(_ call: UInt32) -> Launch { Launch(refused: call) }

    /// Starts the built program.
    /// - Parameter variables: of the verb.
    func start(
        _ words: [String], _ variables: [String: String] = [:], in folder: String? = nil
    ) async throws -> ChildProcess {
        guard umask != nil || refused != nil else { return try spawn(words, variables, folder) }
        return try await withCheckedThrowingContinuation { continuation in
            // The mask and the filter are a thread's, and of the processes that it starts.
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        if let umask {
                            guard unshare(cspawn_own_umask) == 0 else { throw POSIXError(.EPERM) }
                            _ = Foundation.umask(umask)
                        }
                        if let refused, cspawn_refuse(refused, UInt32(EPERM)) != 0 {
                            throw POSIXError(.EPERM)
                        }
                        return try spawn(words, variables, folder)
                    })
            }
        }
    }

    private func spawn(
        _ words: [String], _ variables: [String: String], _ folder: String?
    ) throws -> ChildProcess {
        let programs = Bundle.main.bundleURL.path
        // What scripts/sanitize sets holds for the program, too.
        var all = ProcessInfo.processInfo.environment.filter { name, _ in
            ["ASAN_OPTIONS", "TSAN_OPTIONS"].contains(name)
        }
        all["PATH"] = programs + ":/usr/local/bin:/usr/bin:/bin"
        all.merge(variables.filter { !unset.contains($0.key) }) { $1 }
        all.merge(environment) { $1 }
        let program = programs + "/reconcile-job"
        let first = launcher.first.map { "/usr/bin/" + $0 } ?? program
        let rest = launcher.isEmpty ? words : launcher.dropFirst() + [program] + words
        return try ChildProcess(
            first, rest, environment: all, in: folder, input: try opened(in: folder),
            stdout: output, stderr: error)
    }

    private func opened(in folder: String?) throws -> FileHandle? {
        switch input {
        case .nothing: return nil
        case .text(let text):
            let pipe = Pipe()
            // The pipe has room for the text, and is read by nobody yet.
            try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
            try pipe.fileHandleForWriting.close()
            return pipe.fileHandleForReading
        case .file(let name):
            let path = name.hasPrefix("/") ? name : (folder ?? ".") + "/" + name
            return try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        case .descriptor(let handle): return handle
        }
    }
}
