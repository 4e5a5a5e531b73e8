/// How far our figure of all days may be from Apple's: a percentage of Apple's.
package struct Tolerance: Hashable, Sendable {
    /// As it was given: `0.5%`.
    package let text: String
    /// The percentage is `numerator / denominator`.
    private let numerator: UInt
    private let denominator: UInt

    package static let usual = Tolerance(text: "0.5%", numerator: 5, denominator: 10)

    private init(text: String, numerator: UInt, denominator: UInt) {
        self.text = text
        self.numerator = numerator
        self.denominator = denominator
    }

    private static let mostFractionDigits = 9

    /// Nil for a text that is no percentage up to 100 %, such as `0.5%`, or has more than nine
    /// digits behind the point.
    package init?(_ text: String) {
        guard text.utf8.last == UInt8(ascii: "%") else { return nil }
        let parts = text.dropLast().split(
            separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let isNumber = parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) }
        let fraction = parts.dropFirst().first ?? ""
        guard isNumber, fraction.utf8.count <= Self.mostFractionDigits,
            let whole = parts.first.flatMap({ UInt($0) }), whole <= 100,
            let part = fraction.isEmpty ? 0 : UInt(fraction)
        else { return nil }
        let denominator = fraction.utf8.reduce(1) { (power: UInt, _) in power * 10 }
        guard whole * denominator + part <= 100 * denominator else { return nil }
        self.init(text: text, numerator: whole * denominator + part, denominator: denominator)
    }

    /// The greatest difference from `apple` units that is tied: sales rounded up to a whole unit,
    /// refunds, of which there are few, down.
    func units(of apple: Int, _ measure: UnitMeasure) -> Int {
        // At most 10^18 × 10^11: of the width of two words.
        let product = apple.magnitude.multipliedFullWidth(by: numerator)
        let (quotient, rest) = (100 * denominator).dividingFullWidth(product)
        return Int(clamping: measure == .sold && rest > 0 ? quotient + 1 : quotient)
    }
}
