/// A share of units, such as ours of Apple's: from 0, above 1 where ours are more.
struct UnitShare: Equatable, Sendable {
    private let part: Int
    private let whole: Int

    /// Nil of nothing.
    init?(of part: Int, in whole: Int) {
        guard whole > 0 else { return nil }
        self.part = part
        self.whole = whole
    }

    /// `0.9742`: rounded half-even.
    var text: String {
        let (thousands, rest) = scaled(to: 10_000)
        let half = rest.magnitude * 2
        let isUp =
            half > whole.magnitude
            || half == whole.magnitude && !thousands.isMultiple(of: 2)
        return Self.text(thousands + (isUp ? 1 : 0), digits: 4)
    }

    /// `97.4`, for `97.4 %`: rounded down.
    var percent: String { Self.text(scaled(to: 1_000).quotient, digits: 1) }

    /// `part × scale ÷ whole`, in two steps, so that no product leaves 64 bits.
    private func scaled(to scale: Int) -> (quotient: Int, remainder: Int) {
        let (times, rest) = part.quotientAndRemainder(dividingBy: whole)
        let product = rest.magnitude.multipliedFullWidth(by: scale.magnitude)
        let (quotient, remainder) = whole.magnitude.dividingFullWidth(product)
        return (times * scale + Int(quotient), Int(remainder))
    }

    /// A whole number of the last of `digits` places behind the point.
    private static func text(_ number: Int, digits: Int) -> String {
        let text = String(number)
        let padded = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
        return padded.dropLast(digits) + "." + padded.suffix(digits)
    }
}
