package struct Currency: Hashable, Sendable {
    /// Three capital letters.
    let code: String
    /// 2 for a cent, 0 for the yen.
    let decimals: Int

    /// Accepts small letters. A code that is not in the table has two decimals.
    package init?(_ text: String) {
        let code = text.uppercased()
        guard code.utf8.count == 3, code.utf8.allSatisfy({ (65...90).contains($0) }) else {
            return nil
        }
        self.code = code
        decimals = Self.decimals[code] ?? 2
    }

    /// Every minor unit that is not a hundredth. Source: ISO 4217, list one.
    private static let decimals: [String: Int] = [
        "BIF": 0, "CLP": 0, "DJF": 0, "GNF": 0, "ISK": 0, "JPY": 0, "KMF": 0, "KRW": 0, "PYG": 0,
        "RWF": 0, "UGX": 0, "UYI": 0, "VND": 0, "VUV": 0, "XAF": 0, "XOF": 0, "XPF": 0,
        "BHD": 3, "IQD": 3, "JOD": 3, "KWD": 3, "LYD": 3, "OMR": 3, "TND": 3,
        "CLF": 4, "UYW": 4,
    ]
}

extension Currency: Comparable {
    package static func < (left: Self, right: Self) -> Bool { left.code < right.code }
}
