/// Formats a run's events as log lines for stderr, one line each.
///
/// Values are escaped, so that text from a customer or a store can neither end a line nor control a
/// terminal. Pure: the caller passes the time and writes the line.
package struct Log: Sendable {
    /// Most severe first. A log level includes the levels before it.
    package enum Level: String, Sendable, CaseIterable {
        case error, warning, info, debug
    }

    package enum Format: String, Sendable, CaseIterable {
        /// For example `2026-11-21T02:00:00.123Z info    started run_id=…`.
        case text
        /// A JSON object with `ts`, `level`, `event`, `run_id` and the event's own keys.
        case json
    }

    let format: Format
    let level: Level
    private let isColoured: Bool
    private var run: RunID?

    package init(format: Format, level: Level = .info, isColoured: Bool = false) {
        self.format = format
        self.level = level
        self.isColoured = isColoured
    }

    /// The line of an event without a line feed; nil when its level is not logged. After `started`,
    /// every JSON line has the run id.
    package mutating func line(for event: RunEvent, at now: Instant) -> String? {
        if case .started(let run, _, _) = event { self.run = run.id }
        return line(for: LogEntry(event), at: now)
    }

    /// The process's last line: what happened and what to do. Independent of the log level.
    package func lastLine(_ message: String, exitStatus: Int32, at now: Instant) -> String {
        let isFailure = exitStatus != 0 && exitStatus != 1
        switch format {
        case .text:
            return "reconcile-job: " + message.escapingControls()
        case .json:
            let fields = [("code", LogValue.integer(Int(exitStatus))), ("message", .text(message))]
            return json(LogEntry(isFailure ? .error : .info, "exit", fields), at: now)
        }
    }

    private func line(for entry: LogEntry, at now: Instant) -> String? {
        guard entry.level.rank <= level.rank else { return nil }
        switch format {
        case .text: return text(entry, at: now)
        case .json: return json(entry, at: now)
        }
    }

    private func text(_ entry: LogEntry, at now: Instant) -> String {
        let fields = entry.fields.map { key, value in
            key == "message" ? value.asSentence : "\(key)=\(value.asText)"
        }
        let word = entry.level.rawValue.padding(to: 7)
        let level = isColoured ? "\u{1B}[\(entry.level.colour)m\(word)\u{1B}[0m" : word
        return ([now.withMilliseconds, level, entry.event] + fields).joined(separator: " ")
    }

    private func json(_ entry: LogEntry, at now: Instant) -> String {
        let head: [(String, LogValue)] = [
            ("ts", .text(now.withMilliseconds)), ("level", .text(entry.level.rawValue)),
            ("event", .text(entry.event)),
        ]
        let isNamed = entry.fields.contains { $0.key == "run_id" }
        let name = isNamed ? [] : run.map { [("run_id", LogValue.text($0.text))] } ?? []
        let members = (head + name + entry.fields).map { "\"\($0)\":\($1.asJSON)" }
        return "{" + members.joined(separator: ",") + "}"
    }
}

extension Log.Level {
    fileprivate var rank: Int {
        switch self {
        case .error: 0
        case .warning: 1
        case .info: 2
        case .debug: 3
        }
    }

    /// ANSI colour codes (select graphic rendition): red, yellow, green, grey.
    fileprivate var colour: String {
        switch self {
        case .error: "31"
        case .warning: "33"
        case .info: "32"
        case .debug: "90"
        }
    }
}

extension Instant {
    /// RFC 3339 with milliseconds, so that sorting keeps the order of lines.
    fileprivate var withMilliseconds: String {
        guard isFinite else { return description }
        let rest = String(1_000 + civil.millisecondOfDay % 1_000).dropFirst()
        return "\(description.dropLast()).\(rest)Z"
    }
}

extension String {
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - utf8.count))
    }
}
