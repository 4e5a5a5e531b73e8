internal import Synchronization

/// Compares Apple's clock, from the `Date` header, with this machine's. A considerable difference
/// is reported once, an excessive one ends the run.
final class ClockWatch: Sendable {
    private let isReported = Atomic(false)
    private let asker: ValidationSettings.Asker
    private let observe: @Sendable (PaceChange) -> Void

    init(
        _ asker: ValidationSettings.Asker, _ observe: @escaping @Sendable (PaceChange) -> Void
    ) {
        self.asker = asker
        self.observe = observe
    }

    /// - Parameter date: the raw `Date` header; ignored when it cannot be parsed.
    func compare(_ date: String, now: Instant) throws(ValidationFailure) {
        guard let time = HTTPDate.milliseconds(date, nowMilliseconds: now.milliseconds) else {
            return
        }
        let server = Instant(milliseconds: time)
        switch ClockDifference(between: server, and: now) {
        case .tolerable: return
        case .considerable:
            guard !isReported.exchange(true, ordering: .relaxed) else { return }
            observe(.clockDiffers(server: server, ours: now))
        case .excessive: throw ValidationFailure(clockOf: server, now: now, asker)
        }
    }
}
