/// The transaction ids of one chain. Each kind of purchase has its own number space, so ids of
/// different kinds are not in order of time.
struct TransactionSeries: Sendable {
    enum Space: Int64, Sendable {
        /// 15 digits.
        case production = 480_000_000_000_000
        /// 18 digits: purchases of a family member.
        case family = 501_000_000_000_000_000
        /// 16 digits.
        case sandbox = 1_000_000_000_000_000
    }

    private static let idsOfCustomer: Int64 = 100_000
    private static let idsOfChain: Int64 = 2_000

    private let first: Int64
    /// In one of eight chains ids descend from the second on, as in some real answers.
    private let descends: Bool

    init(space: Space, customer: Int, chain: Int) {
        first =
            space.rawValue + Int64(customer) * Self.idsOfCustomer + Int64(chain) * Self.idsOfChain
        descends = (customer &+ chain) % 8 == 3
    }

    func id(_ index: Int) -> Int64 { first + Int64(descends && index > 0 ? 1_999 - index : index) }

    /// The number of the customer whose id it would be.
    static func customer(of id: Int64) -> Int? {
        let spaces = [Space.family, .sandbox, .production].map(\.rawValue)
        guard let space = spaces.first(where: { $0 <= id }) else { return nil }
        return Int((id - space) / idsOfCustomer)
    }
}
