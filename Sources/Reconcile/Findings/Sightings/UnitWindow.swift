/// The whole days in California whose units a run counts: finance compares them with Apple's
/// reports, which use these days.
package struct UnitWindow: Hashable, Sendable {
    /// Days, as midnights in UTC of the same dates.
    package let first: Instant
    package let last: Instant
    /// From when on sightings are recorded. A purchase counts on the earliest day that any user's
    /// answers show, which may be before the first one: of the two ids of one paid period Apple
    /// shows times that differ by up to a day.
    let recordedSince: Instant

    init(first: Instant, last: Instant) {
        self.first = first
        self.last = last
        recordedSince = first.pacificMidnight.advanced(
            byMilliseconds: -2 * Instant.millisecondsPerDay)
    }

    /// The `days` whole days before that of `asOf`.
    package init(days: Int, before asOf: Instant) {
        let today = asOf.pacificDay
        self.init(
            first: today.advanced(byMilliseconds: -Int64(days) * Instant.millisecondsPerDay),
            last: today.advanced(byMilliseconds: -Instant.millisecondsPerDay))
    }

    package var days: Int {
        Int((last.milliseconds - first.milliseconds) / Instant.millisecondsPerDay) + 1
    }
}
