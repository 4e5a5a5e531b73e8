/// A simulated instant: milliseconds since 1970-01-01T00:00:00Z.
package struct Moment: Hashable, Comparable, Sendable {
    /// Never negative.
    package var milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    package static func < (left: Moment, right: Moment) -> Bool {
        left.milliseconds < right.milliseconds
    }

    static let hour: Int64 = 3_600_000
    static let day: Int64 = 24 * hour

    static func + (moment: Moment, milliseconds: Int64) -> Moment {
        Moment(milliseconds: moment.milliseconds + milliseconds)
    }

    static func - (moment: Moment, milliseconds: Int64) -> Moment { moment + -milliseconds }

    func days(_ count: Int) -> Moment { self + Int64(count) * Self.day }

    func hours(_ count: Int) -> Moment { self + Int64(count) * Self.hour }

    /// The same day and time `count` months later, or a shorter month's last day, as Apple renews.
    func months(_ count: Int) -> Moment {
        let civil = CivilTime(self)
        let index = civil.year * 12 + civil.month - 1 + count
        let year = index / 12
        let month = index % 12 + 1
        let day = min(civil.day, CivilTime.daysInMonth(year, month))
        let dayNumber = CivilTime.dayNumber(year, month, day)
        return Moment(milliseconds: dayNumber * Self.day + milliseconds % Self.day)
    }
}
