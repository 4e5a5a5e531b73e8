// Numbers in messages, independent of the locale.

extension Int {
    /// `1,234,567`.
    package var grouped: String {
        var text = String(magnitude)
        var position = text.count - 3
        while position > 0 {
            text.insert(",", at: text.index(text.startIndex, offsetBy: position))
            position -= 3
        }
        return self < 0 ? "-" + text : text
    }
}

extension Duration {
    var inDays: Double { Double(components.seconds) / 86_400 }
}

extension Double {
    /// `50` or `0.5`: at most one digit after the point.
    var brief: String {
        let tenths = (self * 10).rounded()
        guard abs(tenths) < 1e15 else { return String(self) }
        let whole = Int(tenths) / 10
        let rest = abs(Int(tenths) % 10)
        return rest == 0 ? "\(whole)" : "\(whole).\(rest)"
    }
}

extension Double {
    /// `1,234` or `1,234.50`.
    var amount: String {
        guard abs(self) < 1e15 else { return String(self) }
        let cents = Int((self * 100).rounded())
        let rest = cents % 100
        return (cents / 100).grouped
            + (rest == 0 ? "" : "." + (rest < 10 ? "0" : "") + String(rest))
    }
}
