/// The forms in which Apple writes an instant.
extension Moment {
    /// `2019-05-21 17:33:21 Etc/GMT`
    var greenwichText: String { written(CivilTime(self), " ", " Etc/GMT") }

    /// `2019-05-21 10:33:21 America/Los_Angeles`. The key says `_pst`; the clock knows summer time.
    var pacificText: String { written(CivilTime(inPacific), " ", " America/Los_Angeles") }

    /// `2019-05-21T17:33:21Z`, as in a receipt's own attributes.
    var internetText: String { written(CivilTime(self), "T", "Z") }

    private var inPacific: Moment { self - (isPacificSummer ? 7 : 8) * Self.hour }

    /// From the second Sunday of March, 2:00 standard time, to the first Sunday of November, 2:00
    /// summer time (the law since 2007).
    private var isPacificSummer: Bool {
        let year = CivilTime(self).year
        let begin = CivilTime.sunday(2, year, 3) * Self.day + 10 * Self.hour
        let end = CivilTime.sunday(1, year, 11) * Self.day + 9 * Self.hour
        return (begin..<end).contains(milliseconds)
    }

    private func written(_ time: CivilTime, _ separator: String, _ zone: String) -> String {
        let parts = [time.month, time.day, time.hour, time.minute, time.second].map {
            $0 < 10 ? "0\($0)" : "\($0)"
        }
        return "\(time.year)-\(parts[0])-\(parts[1])\(separator)\(parts[2]):\(parts[3]):\(parts[4])"
            + zone
    }
}
