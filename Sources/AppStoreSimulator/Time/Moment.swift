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

/// Apple's text forms of an instant.
extension Moment {
    /// For example `2019-05-21 17:33:21 Etc/GMT`.
    var greenwichText: String { written(CivilTime(self), 0x20, " Etc/GMT") }

    /// For example `2019-05-21 10:33:21 America/Los_Angeles`, also in summer, although the key ends
    /// with `_pst`.
    var pacificText: String { written(CivilTime(inPacific), 0x20, " America/Los_Angeles") }

    /// For example `2019-05-21T17:33:21Z`, the form in receipt attributes.
    var internetText: String { written(CivilTime(self), UInt8(ascii: "T"), "Z") }

    /// Of California, as days since 1970-01-01: the day of Apple's sales reports.
    var pacificDay: Int64 { inPacific.milliseconds / Self.day }

    private var inPacific: Moment { self - (isPacificSummer ? 7 : 8) * Self.hour }

    /// From the second Sunday of March, 2:00 standard time, to the first Sunday of November, 2:00
    /// daylight saving time (US law since 2007).
    private var isPacificSummer: Bool {
        let year = CivilTime(self).year
        let begin = CivilTime.sunday(2, year, 3) * Self.day + 10 * Self.hour
        let end = CivilTime.sunday(1, year, 11) * Self.day + 9 * Self.hour
        return (begin..<end).contains(milliseconds)
    }

    /// Sets digits one by one: a run formats hundreds of thousands of instants.
    private func written(_ time: CivilTime, _ separator: UInt8, _ zone: String) -> String {
        String(unsafeUninitializedCapacity: 19 + zone.utf8.count) { text in
            var end = 0
            func put(_ byte: UInt8) {
                text[end] = byte
                end += 1
            }
            func put(twoDigits number: Int) {
                put(0x30 + UInt8(number / 10))
                put(0x30 + UInt8(number % 10))
            }
            put(twoDigits: time.year / 100)
            put(twoDigits: time.year % 100)
            for (mark, number) in [
                (UInt8(ascii: "-"), time.month), (UInt8(ascii: "-"), time.day),
                (separator, time.hour), (UInt8(ascii: ":"), time.minute),
                (UInt8(ascii: ":"), time.second),
            ] {
                put(mark)
                put(twoDigits: number)
            }
            for byte in zone.utf8 { put(byte) }
            return end
        }
    }
}
