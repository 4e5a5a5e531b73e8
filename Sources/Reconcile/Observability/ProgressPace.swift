/// Selects the progress events to log without a terminal: the first, each ten per cent, and one
/// after a minute without a line.
package struct ProgressPace: Sendable {
    private var lastTenth: Int?
    private var lastElapsed = Duration.zero

    package init() {}

    package mutating func isDue(_ progress: RunEvent.Progress) -> Bool {
        let tenth = Progress(progress).percent / 10
        let isDue = tenth != lastTenth || progress.elapsed - lastElapsed >= .seconds(60)
        if isDue {
            lastTenth = tenth
            lastElapsed = progress.elapsed
        }
        return isDue
    }
}
