internal import Synchronization

/// Compares Apple's clock with ours, by the `Date` header of a few answers. With a wrong clock
/// every user is judged at the wrong instant.
final class ClockWatch: Sendable {
    /// How many milliseconds they may be apart. A greater difference is reported once.
    static let tolerance: Int64 = 5 * 60 * 1_000
    /// With a greater difference, in milliseconds, nothing may be judged.
    static let limit: Int64 = 86_400 * 1_000

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
