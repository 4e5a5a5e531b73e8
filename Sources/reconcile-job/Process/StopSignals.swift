internal import Glibc
internal import Synchronization

/// Handles SIGINT, SIGTERM and SIGHUP: the first cancels the work, which then ends cleanly; a
/// second ends the process at once. SIGUSR1 prints the progress.
final class StopSignals: Sendable {
    private let received = Mutex<Int32?>(nil)
    private let onQuestion = Mutex<(@Sendable () -> Void)?>(nil)
    private let meaning = Mutex(CommandName.run.meaningOfStop)
    private let patience = Mutex(StopSignals.shortPatience)
    private let signals: sigset_t

    /// Blocks the signals, so that `forward` can wait for them. Must be called before another
    /// thread exists, because threads inherit the signal mask.
    init() {
        var hangUp = sigaction()
        sigaction(SIGHUP, nil, &hangUp)
        // nohup(1) ignores SIGHUP; keep it ignored.
        let isDeaf = unsafeBitCast(hangUp.__sigaction_handler.sa_handler, to: Int.self) == 1
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGUSR1] + (isDeaf ? [] : [SIGHUP]) {
            sigaddset(&signals, signal)
        }
        self.signals = signals
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// - Parameter answer: called on the thread that waits for signals.
    func onQuestion(_ answer: @escaping @Sendable () -> Void) {
        onQuestion.withLock { $0 = answer }
    }

    /// Says what a stop means from now on, and how long it may take.
    func began(_ command: CommandName) {
        meaning.withLock { $0 = command.meaningOfStop }
        patience.withLock { $0 = command.hasWorkToSave ? Self.longPatience : Self.shortPatience }
    }

    /// How a stopped command ends; nil when no signal was received.
    var ending: Ending? { ending(meaning.withLock(\.self)) }

    func ending(_ message: String) -> Ending? {
        received.withLock(\.self).map { signal in
            let (exit, name): (ExitCode, String) =
                switch signal {
                case SIGINT: (.interrupted, "SIGINT")
                case SIGHUP: (.hungUp, "SIGHUP")
                default: (.terminated, "SIGTERM")
                }
            return Ending(exit, "Stopped by \(name); \(message)")
        }
    }

    /// How long requests in flight may continue after a stop.
    static let drain = Duration.seconds(8)

    /// How long a stop may take, ten seconds with the last line: draining requests and committing
    /// their answers. A database that does not answer must not delay it further.
    private static let longPatience = timespec(tv_sec: 9, tv_nsec: 500_000_000)

    /// For a command that loses nothing: time for a clean end, if nothing holds it up, such as a
    /// stream that the other side neither reads nor writes.
    private static let shortPatience = timespec(tv_sec: 0, tv_nsec: 500_000_000)

    /// Waits for signals on the calling thread until the process ends: by itself, at a second
    /// signal, or when a stop takes too long. The next run resumes what was cut short, as after a
    /// crash.
    func forward(to work: Task<Void, Never>) -> Never {
        var signals = self.signals
        var first: Int32 = 0
        while sigwait(&signals, &first) != 0 || first == SIGUSR1 {
            if first == SIGUSR1 { onQuestion.withLock(\.self)?() }
        }
        received.withLock { $0 = first }
        work.cancel()
        sigdelset(&signals, SIGUSR1)
        var patience = self.patience.withLock(\.self)
        let isShort = patience.tv_sec == Self.shortPatience.tv_sec
        var second = sigtimedwait(&signals, nil, &patience)
        while second < 0, errno == EINTR { second = sigtimedwait(&signals, nil, &patience) }
        if second > 0 { _exit(128 + second) }
        let reason = isShort ? "" : " It took too long and was killed."
        let message = ending.map { $0.message + reason } ?? ""
        StreamWriter.error.write(Array("reconcile-job: \(message)\n".utf8))
        _ = StreamWriter.error.flush(within: .milliseconds(300))
        _exit(128 + first)
    }
}

extension CommandName {
    /// What a stop that cut the command short means, and what to do.
    fileprivate var meaningOfStop: String {
        switch self {
        case .run: "the run was cut short: what it recorded is kept. Give the same command again."
        case .serve:
            "requests in progress may have got no answer. Their clients can send them again."
        case .validate: "the request may have got no answer. Send it again."
        case .report, .period, .tieOut:
            "the folder may not have been written. Give the same command again."
        case .retract, .release:
            // By `latest` it could be the next one.
            "the run may have been changed already, and its folder not yet. Look with"
                + " reconcile-job runs, then give the command again with the id of that run."
        case .accept: "it may have been recorded already. Give the same command again."
        case .signOff:
            "it may have been recorded already, and SIGNOFF.json not written. Give the same command"
                + " again, which adds nothing twice."
        case .prune: "a part may have been removed already. Give the same command again."
        case .migrate, .simulate: "a part may have been done already. Give the same command again."
        case .doctor, .check, .inspect, .openKey, .keys, .explain, .evidence, .exportReceipts,
            .runs, .diff, .verify, .generate:
            "its output is not complete. Give the same command again."
        }
    }
}
