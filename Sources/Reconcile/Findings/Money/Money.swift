struct Money: Hashable, Sendable {
    let minorUnits: Int128
    let currency: Currency

    init(minorUnits: Int128, in currency: Currency) {
        self.minorUnits = minorUnits
        self.currency = currency
    }

    /// Parses an amount. Nil for other text and for more decimals than the currency has.
    init?(_ text: String, in currency: Currency) {
        guard let decimal = DecimalNumber(text), decimal.decimals <= currency.decimals,
            let units = decimal.digits.times(Int128.ten(to: currency.decimals - decimal.decimals))
        else { return nil }
        self.init(minorUnits: units, in: currency)
    }

    /// Parses an amount that may be negative.
    init?(signed text: String, in currency: Currency) {
        guard text.hasPrefix("-") else {
            self.init(text, in: currency)
            return
        }
        guard let money = Money(String(text.dropFirst()), in: currency) else { return nil }
        self.init(minorUnits: -money.minorUnits, in: currency)
    }

    /// All decimals of the currency, without its code: `9.90`, or `990` for yen.
    var text: String {
        let digits = String(minorUnits.magnitude)
        let missing = max(0, currency.decimals + 1 - digits.utf8.count)
        var text = String(repeating: "0", count: missing) + digits
        if currency.decimals > 0 {
            text.insert(".", at: text.index(text.endIndex, offsetBy: -currency.decimals))
        }
        return (minorUnits < 0 ? "-" : "") + text
    }
}

/// A non-negative decimal number, as `numeric` prints it: `digits` ÷ 10^`decimals`.
struct DecimalNumber: Hashable {
    let digits: Int128
    let decimals: Int

    /// Nil below zero.
    init?(thousandths: Int) {
        guard thousandths >= 0 else { return nil }
        digits = Int128(thousandths)
        decimals = 3
    }

    /// Nil unless `text` is digits with an optional point, at most 27: sums must not overflow.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count),
            parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } })
        else { return nil }
        var decimals = parts.count == 2 ? parts[1] : ""
        while decimals.last == "0" { decimals.removeLast() }
        let whole = parts[0].drop { $0 == "0" }
        guard whole.utf8.count + decimals.utf8.count <= 27,
            let digits = Int128(whole.isEmpty && decimals.isEmpty ? "0" : whole + decimals)
        else { return nil }
        self.digits = digits
        self.decimals = decimals.utf8.count
    }
}

extension Int128 {
    /// Nil on overflow.
    func times(_ other: Int128) -> Int128? {
        let (product, overflows) = multipliedReportingOverflow(by: other)
        return overflows ? nil : product
    }

    static func ten(to exponent: Int) -> Int128 {
        (0..<exponent).reduce(1) { power, _ in power * 10 }
    }

    /// The quotient, rounded half-even. Requires a dividend of at least 0 and a positive divisor.
    func dividedHalfEven(by divisor: Int128) -> Int128 {
        let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
        let beyondHalf = rest - (divisor - rest)
        if beyondHalf == 0 { return quotient + (quotient & 1) }
        return beyondHalf > 0 ? quotient + 1 : quotient
    }
}
