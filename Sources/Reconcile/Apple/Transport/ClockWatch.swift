internal import Synchronization

/// Compares Apple's clock, from the `Date` header, with this machine's: with a wrong clock, every
/// user is judged at the wrong instant.
final class ClockWatch: Sendable {
    /// Milliseconds. A greater difference is reported once.
    static let tolerance: Int64 = 5 * 60 * 1_000
    /// Milliseconds. A greater difference ends the run.
    static let limit: Int64 = 86_400 * 1_000

    private let hasTold = Atomic(false)
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
        let difference = abs(time - now.milliseconds)
        let server = Instant(milliseconds: time)
        guard difference <= Self.limit else {
            throw ValidationFailure(clockOf: server, now: now, asker)
        }
        guard difference > Self.tolerance, !hasTold.exchange(true, ordering: .relaxed) else {
            return
        }
        observe(.clockDiffers(server: server, ours: now))
    }
}
