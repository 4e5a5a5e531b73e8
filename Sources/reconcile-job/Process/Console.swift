internal import Reconcile
internal import Synchronization

/// Prints log lines to stderr while a command runs, and on a terminal a progress bar below them.
/// Never waits for a reader of stderr: lines that are not read are lost.
final class Console: Sendable {
    private struct State {
        var log: Log
        var pace = ProgressPace()
        var isBarShown = false
        var barDrawnAt: ContinuousClock.Instant?
        var progress: RunEvent.Progress?
        var published: (summary: Summary, pace: RequestRate?)?
    }

    private let state: Mutex<State>
    private let display: ProgressDisplay
    private let showsBar: Bool
    private let isQuiet: Bool
    private let width: Int

    init(_ configuration: Configuration) {
        let stream = StandardStream.error
        display = configuration.progress
        isQuiet = configuration.isQuiet
        showsBar =
            display != .never && !configuration.isQuiet && configuration.logFormat == .text
            && stream.isTerminal
            && Environment.value(of: "TERM") != "dumb"
        // One column stays free: some terminals wrap a line that fills the last column.
        width = (Environment.value(of: "COLUMNS").flatMap { Int($0) } ?? 80) - 1
        state = Mutex(
            State(
                log: Log(
                    format: configuration.logFormat, level: configuration.logLevel,
                    isColoured: stream.isColoured)))
    }

    var published: (summary: Summary, pace: RequestRate?)? { state.withLock(\.published) }

    /// Records that another worker has published the run.
    func published(_ summary: Summary) {
        state.withLock { $0.published = (summary, nil) }
    }

    func published(_ summary: Summary, _ pace: RequestRate?, folder: String) {
        state.withLock { $0.published = (summary, pace) }
        observe(.published(summary, folder: folder))
    }

    /// Prints an event. Safe to call from any thread.
    func observe(_ event: RunEvent) {
        state.withLock { state in
            if case .progressed(let progress) = event { state.progress = progress }
            guard !isQuiet else { return }
            if case .progressed(let progress) = event {
                show(progress, &state)
            } else if let line = state.log.line(for: event, at: .now) {
                print(line, &state)
            }
        }
    }

    /// Prints the progress of the run, also with --quiet: the operator sent SIGUSR1.
    func printProgress() {
        state.withLock { state in
            let line = state.progress.map { Progress($0).line(width: max(20, width)) }
            print("reconcile-job: \(line ?? "no user is judged yet")", &state)
        }
    }

    func end(_ ending: Ending) {
        guard !isQuiet || ending.exit != .complete else { return }
        state.withLock { state in
            let status = ending.exit.rawValue
            print(state.log.lastLine(ending.message, exitStatus: status, at: .now), &state)
        }
        _ = StreamWriter.error.flush(within: Self.lastPatience)
    }

    /// How long the end waits for a reader of stderr.
    private static let lastPatience = Duration.seconds(1)

    private func show(_ progress: RunEvent.Progress, _ state: inout State) {
        if showsBar {
            // Draws at most ten times a second, which is fast enough for the eye.
            let now = ContinuousClock.now
            if let last = state.barDrawnAt, now - last < .milliseconds(100) { return }
            state.barDrawnAt = now
            state.isBarShown = true
            let line = Progress(progress).line(width: max(20, width))
            StreamWriter.error.write(Array("\r\(line)\u{1B}[K".utf8))
        } else if display != .never, state.pace.isDue(progress),
            let line = state.log.line(for: .progressed(progress), at: .now)
        {
            print(line, &state)
        }
    }

    private func print(_ line: String, _ state: inout State) {
        let eraser = state.isBarShown ? "\r\u{1B}[K" : ""
        state.isBarShown = false
        var lines = "\(eraser)\(line)\n"
        let lost = StreamWriter.error.takeLost()
        let gap = "\(lost) lines before this one were lost: stderr was not read. Send it to a file."
        if lost > 0, let gap = state.log.line(for: .warning(gap), at: .now) {
            lines = "\(eraser)\(gap)\n\(line)\n"
        }
        StreamWriter.error.write(Array(lines.utf8))
    }
}
