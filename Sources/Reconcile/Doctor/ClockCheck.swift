package enum ClockCheck {
    package static func diagnosis(
        _ name: String, _ other: Instant, now: Instant
    ) -> Diagnosis {
        let text =
            "\(other), but this machine's clock says \(now). Correct the clock that is wrong, for"
            + " example by NTP."
        switch ClockDifference(between: other, and: now) {
        case .tolerable: return .ok(name, "\(other), like this machine's clock")
        case .considerable: return .warning(name, text)
        case .excessive: return .problem(name, text)
        }
    }
}
