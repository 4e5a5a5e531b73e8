/// One line of a look at a set-up.
package struct Diagnosis: Hashable, Sendable {
    package enum Verdict: String, Hashable, Sendable { case ok, warning, problem }

    /// What was looked at: one or two words that scripts may rely on.
    package let name: String
    package let verdict: Verdict
    /// What was seen, and unless all is well what to do.
    package let detail: String

    package init(_ name: String, _ verdict: Verdict, _ detail: String) {
        self.name = name
        self.verdict = verdict
        self.detail = detail
    }

    static func ok(_ name: String, _ detail: String) -> Diagnosis { Diagnosis(name, .ok, detail) }

    static func warning(_ name: String, _ detail: String) -> Diagnosis {
        Diagnosis(name, .warning, detail)
    }

    static func problem(_ name: String, _ detail: String) -> Diagnosis {
        Diagnosis(name, .problem, detail)
    }

    /// `share` % of the rows, in words; nil where there are none.
    static func share(_ count: Int, of all: Int) -> String {
        let percent = all == 0 ? 0 : Double(count) * 100 / Double(all)
        return "\(count.grouped) of \(all.grouped) (\(percent.brief) %)"
    }
}

/// How far a clock may be from ours.
package enum ClockCheck {
    /// Beyond it dates are suspect; beyond a day everything is judged wrongly.
    static let tolerance = Duration.seconds(5 * 60)
    static let limit = Duration.seconds(86_400)

    package static func diagnosis(
        _ name: String, _ other: Instant, now: Instant
    ) -> Diagnosis {
        let difference = Duration.milliseconds(abs(other.milliseconds - now.milliseconds))
        let text = "\(other), and this machine's clock says \(now)"
        if difference <= tolerance { return .ok(name, "\(other), as this machine's clock says") }
        let remedy = "Set the clock of the machine that is wrong, by NTP for example."
        return difference <= limit
            ? .warning(name, "\(text). \(remedy)") : .problem(name, "\(text). \(remedy)")
    }
}
