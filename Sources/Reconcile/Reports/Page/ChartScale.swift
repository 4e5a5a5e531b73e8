/// The marks of an axis that begins at zero: at most five steps of 1, 2, 2.5 or 5 times a power of
/// ten, up to the greatest value or a little above it.
struct ChartScale: Equatable {
    private let step: Double
    private let steps: Int

    /// - Parameter least: the least step, 1 where the values are whole.
    init(to greatest: Double, least smallest: Double = 0) {
        let least = max(greatest, 0.05) / 5
        var power = 1.0
        while power * 10 <= least { power *= 10 }
        while power > least { power /= 10 }
        let isWhole = smallest >= 1
        step =
            [1, 2, 2.5, 5, 10].map { max($0 * power, smallest) }.first {
                $0 * 1.000_001 >= least && (!isWhole || $0 == $0.rounded())
            } ?? power * 10
        steps = max(1, Int((greatest / step - 0.000_001).rounded(.up)))
    }

    var top: Double { step * Double(steps) }

    /// From zero to the top.
    var marks: [Double] { (0...steps).map { step * Double($0) } }

    /// `0.25`, `12,000`, from ten million on `12.5 M`.
    static func text(_ mark: Double) -> String {
        mark >= 10_000_000 ? Int((mark / 100_000).rounded()).grouped.inMillions : mark.amount
    }
}

extension String {
    /// A number of hundred thousands as millions.
    fileprivate var inMillions: String {
        let digits = filter { $0 != "," }
        let whole = (Int(digits.dropLast()) ?? 0).grouped
        return whole + (digits.hasSuffix("0") ? "" : "." + digits.suffix(1)) + " M"
    }
}
