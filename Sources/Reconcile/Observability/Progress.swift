/// A run's progress as one line for a terminal.
package struct Progress: Sendable {
    private let progress: RunEvent.Progress

    package init(_ progress: RunEvent.Progress) { self.progress = progress }

    /// For example `[########>           ] 12,345/80,000 15%  49.8/s  21 findings  22:43 left`.
    ///
    /// At most `width` columns: the least important parts are left out first, including the bar.
    package func line(width: Int) -> String {
        let count = "\(progress.receiptsDone)/\(progress.receiptsInScope) \(percent)%"
        var line = count
        for part in [timeLeft.map { "\($0) left" }, rate, "\(progress.findings) findings"] {
            guard let part, line.utf8.count + part.utf8.count + 2 <= width else { continue }
            line += "  " + part
        }
        let bar = bar(columns: 20) + " "
        return bar.utf8.count + line.utf8.count <= width ? bar + line : String(line.prefix(width))
    }

    /// Whole per cent, rounded down: 100 means done.
    var percent: Int {
        guard progress.receiptsInScope > 0 else { return 100 }
        return min(100, progress.receiptsDone * 100 / progress.receiptsInScope)
    }

    private func bar(columns: Int) -> String {
        let filled = percent * columns / 100
        let head = filled < columns ? ">" : ""
        let rest = String(repeating: " ", count: max(0, columns - filled - head.utf8.count))
        return "[" + String(repeating: "#", count: filled) + head + rest + "]"
    }

    private var receiptsPerSecond: Double? {
        let seconds = Double(progress.elapsed.inMilliseconds) / 1_000
        return seconds > 0 && progress.receiptsDone > 0
            ? Double(progress.receiptsDone) / seconds : nil
    }

    /// For example `49.8/s`, truncated to one decimal.
    private var rate: String? {
        receiptsPerSecond.map { perSecond in
            let tenths = Int(min(perSecond, 1e9) * 10)
            return "\(tenths / 10).\(tenths % 10)/s"
        }
    }

    /// For example `22:43` or `1:22:43`, estimated from the speed so far; nil before there is one.
    private var timeLeft: String? {
        receiptsPerSecond.map { perSecond in
            let rest = max(0, progress.receiptsInScope - progress.receiptsDone)
            let seconds = Int(min(Double(rest) / perSecond, 359_999))
            let two = { (number: Int) in String(String(100 + number).dropFirst()) }
            let hours = seconds / 3_600
            return hours > 0
                ? "\(hours):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
                : "\(seconds / 60):\(two(seconds % 60))"
        }
    }
}
