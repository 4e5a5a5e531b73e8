/// A value of `original_application_version`. Parts are compared as numbers: 1.10 is later than
/// 1.9, and 2 equals 2.0. Nil when a part is not a number.
struct AppVersion: Comparable {
    /// The digits of each part without leading zeros; empty for zero. Without trailing zero parts.
    private let parts: [String]

    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) }) else {
            return nil
        }
        var numbers = parts.map { String($0.drop { $0 == "0" }) }
        while numbers.last?.isEmpty == true { numbers.removeLast() }
        self.parts = numbers
    }

    static func < (left: AppVersion, right: AppVersion) -> Bool {
        for (own, other) in zip(left.parts, right.parts) where own != other {
            return own.utf8.count == other.utf8.count
                ? own < other : own.utf8.count < other.utf8.count
        }
        return left.parts.count < right.parts.count
    }
}
