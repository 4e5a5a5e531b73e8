internal import Glibc
internal import Synchronization

/// SIGINT and SIGTERM as the wish to stop: the first cancels the work, which then ends cleanly;
/// the second ends the process at once.
final class StopSignals: Sendable {
    private let received = Mutex<Int32?>(nil)

    /// Keeps the two signals for `forward`. To be called before another thread exists: threads
    /// inherit what is blocked.
    init() {
        var signals = Self.signals
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// How a command ends that was stopped; nil while nobody asked for it.
    var ending: Ending? { ending("nothing was published. Run the same command again.") }

    /// The same, with what a command has to say of its end.
    func ending(_ message: String) -> Ending? {
        received.withLock(\.self).map { signal in
            let (exit, name): (ExitCode, String) =
                signal == SIGINT ? (.interrupted, "SIGINT") : (.terminated, "SIGTERM")
            return Ending(exit, "Stopped by \(name); \(message)")
        }
    }

    /// Waits for signals on the calling thread, until the process ends.
    func forward(to work: Task<Void, Never>) -> Never {
        var signals = Self.signals
        while true {
            var signal: Int32 = 0
            guard sigwait(&signals, &signal) == 0 else { continue }
            let isSecond = received.withLock { received in
                defer { received = received ?? signal }
                return received != nil
            }
            if isSecond { _exit(128 + signal) }
            work.cancel()
        }
    }

    private static var signals: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        return signals
    }
}
