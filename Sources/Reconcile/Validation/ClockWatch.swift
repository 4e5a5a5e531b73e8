internal import Synchronization

/// Compares Apple's clock with ours, by the `Date` line of a few answers: a wrong clock judges
/// everybody at the wrong instant.
final class ClockWatch: Sendable {
    /// How far they may be apart; beyond it is said once.
    private static let tolerance: Int64 = 5 * 60 * 1_000
    /// Beyond it nothing may be judged.
    private static let limit: Int64 = 86_400 * 1_000

    private let hasTold = Atomic(false)
    private let observe: @Sendable (PaceChange) -> Void

    init(_ observe: @escaping @Sendable (PaceChange) -> Void) { self.observe = observe }

    /// - Parameter date: the raw line; what cannot be read says nothing.
    /// - Throws: `ValidationFailure` when they are over a day apart.
    func compare(_ date: String, now: Instant) throws(ValidationFailure) {
        guard let time = HTTPDate.milliseconds(date, nowMilliseconds: now.milliseconds) else {
            return
        }
        let difference = abs(time - now.milliseconds)
        let server = Instant(milliseconds: time)
        guard difference <= Self.limit else { throw ValidationFailure(clockOf: server, now: now) }
        guard difference > Self.tolerance, !hasTold.exchange(true, ordering: .relaxed) else {
            return
        }
        observe(.clockDiffers(server: server, ours: now))
    }
}
