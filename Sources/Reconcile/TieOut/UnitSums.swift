/// Units by day, app, product and measure, with the sums of all days, and what they say.
struct UnitSums {
    /// Those that are compared.
    let days: Set<Instant>
    private var units: [TieOutLine.Key: TieOutLine.Units] = [:]

    init(of days: Set<Instant>) { self.days = days }

    /// - Parameter key: of a day.
    mutating func add(_ new: TieOutLine.Units, to key: TieOutLine.Key) {
        units[key, default: TieOutLine.Units()] += new
        units[key.ofAllDays, default: TieOutLine.Units()] += new
    }

    /// A line where Apple or we have something, in order.
    func lines(within tolerance: Tolerance) -> [TieOutLine] {
        units.filter { $0.value.apple != 0 || $0.value.ours != 0 }
            .sorted { $0.key < $1.key }
            .map { key, units in
                let verdict =
                    key.day == nil
                    ? verdict(ofAllDays: units, tolerance.units(of: units.apple, key.measure))
                    : verdict(ofDay: key, units)
                return TieOutLine(key: key, units: units, verdict: verdict)
            }
    }

    private func verdict(
        ofAllDays units: TieOutLine.Units, _ allowed: Int
    ) -> TieOutLine.Verdict {
        units.difference.magnitude <= allowed.magnitude
            ? .tied : TieOutLine.Verdict(ofMore: units.difference)
    }

    /// Apple and a receipt may put what happened about midnight on two days.
    private func verdict(
        ofDay key: TieOutLine.Key, _ units: TieOutLine.Units
    ) -> TieOutLine.Verdict {
        guard units.difference != 0 else { return .tied }
        let before = difference(key.next(-1))
        let after = difference(key.next(1))
        var sums = [before, after].compactMap(\.self).map { units.difference + $0 }
        if let before, let after { sums.append(units.difference + before + after) }
        return sums.contains(0) ? .shifted : TieOutLine.Verdict(ofMore: units.difference)
    }

    /// Nil of a day that is not compared.
    private func difference(_ key: TieOutLine.Key?) -> Int? {
        guard let key, let day = key.day, days.contains(day) else { return nil }
        return units[key]?.difference ?? 0
    }
}
