import CSpawn
import Foundation
import Synchronization

/// A program in a process of its own: with only the given environment, no blocked or ignored
/// signals, and no inherited files.
///
/// Not Foundation's `Process`: as of Swift 6.3 its `run` copies 256 bytes of each name in
/// /proc/self/fd, however short, and crashes if the next page is not mapped
/// (swift-corelibs-foundation, pull request 5472).
final class ChildProcess: Sendable {
    /// Where stdout or stderr leads.
    enum Stream: Sendable {
        /// To the tests, as `output` or `error`.
        case captured
        /// To a file, which is created or emptied, or to a device.
        case file(String)
        case descriptor(FileHandle)
        /// Of stderr: to where stdout leads.
        case output
        case closed
    }

    let id: pid_t
    /// The program's name and its words, for messages.
    let command: String
    let (output, error): (FileHandle, FileHandle)
    /// How it ended; nil while a process of that id may exist.
    private let status = Mutex<Int32?>(nil)

    init(
        _ program: String, _ arguments: [String], environment: [String: String] = [:],
        in folder: String? = nil, input: FileHandle? = nil, stdout: Stream = .captured,
        stderr: Stream = .captured
    ) throws {
        let name = program.split(separator: "/").last.map(String.init) ?? program
        command = ([name] + arguments).joined(separator: " ")
        let pipes = [Pipe(), Pipe()]
        // The program has ends of its own.
        defer { for pipe in pipes { try? pipe.fileHandleForWriting.close() } }
        output = pipes[0].fileHandleForReading
        error = pipes[1].fileHandleForReading
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let folder { posix_spawn_file_actions_addchdir_np(&actions, folder) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input.fileDescriptor, STDIN_FILENO)
        }
        for (index, stream) in [stdout, stderr].enumerated() {
            let number = STDOUT_FILENO + Int32(index)
            let pipe = pipes[index].fileHandleForWriting.fileDescriptor
            Self.redirect(number, to: stream, pipe: pipe, by: &actions)
        }
        posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        // A process group of its own: a terminal's signals to the tests must not reach it.
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(flags))
        let words = ([program] + arguments).map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + variables { free(text) } }
        var id = pid_t()
        let trouble = posix_spawn(&id, program, &actions, &attributes, words, variables)
        guard trouble == 0 else { throw POSIXError(POSIXErrorCode(rawValue: trouble) ?? .ENOENT) }
        self.id = id
    }

    private static func redirect(
        _ number: Int32, to stream: Stream, pipe: Int32,
        by actions: inout posix_spawn_file_actions_t
    ) {
        switch stream {
        case .captured: posix_spawn_file_actions_adddup2(&actions, pipe, number)
        case .file(let path):
            let flags = O_WRONLY | O_CREAT | O_TRUNC
            posix_spawn_file_actions_addopen(&actions, number, path, flags, 0o666)
        case .descriptor(let handle):
            posix_spawn_file_actions_adddup2(&actions, handle.fileDescriptor, number)
        case .output: posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, number)
        case .closed: posix_spawn_file_actions_addclose(&actions, number)
        }
    }

    /// It may still run; a process that is not awaited stays a zombie until the tests end.
    deinit { _ = status.withLock { $0 == nil ? waitpid(id, nil, WNOHANG) : 0 } }

    /// Does nothing once the process has been awaited.
    func send(_ signal: Int32) { status.withLock { if $0 == nil { kill(id, signal) } } }

    func end() {
        send(SIGKILL)
        wait()
    }

    /// - Returns: its exit status, or the number of the signal that ended it.
    @discardableResult
    func wait() -> Int32 {
        // Waits without the lock, so that a signal can be sent meanwhile.
        var information = siginfo_t()
        while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        return status.withLock { status in
            if let status { return status }
            var word = Int32()
            while waitpid(id, &word, 0) < 0, errno == EINTR {}
            let ended = word & 0x7F == 0 ? word >> 8 & 0xFF : word & 0x7F
            status = ended
            return ended
        }
    }
}
