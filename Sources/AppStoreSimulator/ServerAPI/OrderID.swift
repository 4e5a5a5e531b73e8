/// The order id that Apple's mail to a customer names: `M` and nine letters or digits.
enum OrderID {
    private static let alphabet = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
    private static let digits = 9

    /// Nil for anything but a purchase with money: family members and testers have no orders.
    static func text(of purchase: Purchase) -> String? {
        let base = TransactionSeries.Space.production.rawValue
        guard !purchase.isShared, (base..<base * 2).contains(purchase.id) else { return nil }
        var rest = Int(purchase.id - base)
        var text = ""
        for _ in 0..<digits {
            text = String(alphabet[rest % alphabet.count]) + text
            rest /= alphabet.count
        }
        return "M" + text
    }

    /// The id of the transaction with this order.
    static func transaction(_ text: String) -> Int64? {
        guard text.first == "M", text.count == digits + 1 else { return nil }
        var number: Int64 = 0
        for character in text.dropFirst() {
            guard let digit = alphabet.firstIndex(of: character) else { return nil }
            number = number * Int64(alphabet.count) + Int64(digit)
        }
        return TransactionSeries.Space.production.rawValue + number
    }
}
