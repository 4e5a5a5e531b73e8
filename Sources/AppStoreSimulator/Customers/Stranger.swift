/// Customers of whom the service has nothing on file: their purchases and refunds are Apple's
/// alone. They are the same in a small world and in a large one.
enum Stranger {
    static let numbers = first..<first + cards.count

    static func card(of number: Int) -> Card { cards[number - first] }

    /// The second Apple account of a user whose other one is on file.
    static let secondAccount = first + 1

    /// Above all numbers of customers.
    private static let first = 100_000_000

    private static let cards = [
        Story.refunded, .ownerRefunded, .refundedLastNight, .familyLeft, .refundReversed,
    ].map { Card(story: $0, flaw: .none) }
}
