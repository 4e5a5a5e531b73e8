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

    private let first: Int64
    /// In one of eight chains ids descend from the second on, as in some real answers.
    private let descends: Bool

    init(space: Space, customer: Int, chain: Int) {
        first = space.rawValue + Int64(customer) * 100_000 + Int64(chain) * 2_000
        descends = (customer &+ chain) % 8 == 3
    }

    func id(_ index: Int) -> Int64 { first + Int64(descends && index > 0 ? 1_999 - index : index) }
}
