/// A failure of the whole run, not of one receipt.
package struct ValidationFailure: Error, Equatable, CustomStringConvertible {
    package let description: String
    package let cause: Cause

    package enum Cause: Sendable {
        case server
        case shortage
        /// This machine's clock and Apple's differ by more than a day.
        case clock
    }

    init(_ error: HTTPError) {
        description = error.description
        cause = error.reason == .shortage ? .shortage : .server
    }

    init(clockOf server: Instant, now: Instant, _ asker: ValidationSettings.Asker) {
        description =
            "Apple's clock says \(server), and this machine's \(now). Everything would be judged at"
            + " the wrong instant. Set the clock, by NTP for example\(asker.otherClock)."
        cause = .clock
    }
}
