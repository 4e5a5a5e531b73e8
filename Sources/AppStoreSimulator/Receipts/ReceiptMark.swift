/// The 16 opaque bytes by which the simulated Apple knows a receipt again (attribute 4). So it
/// needs no list of the receipts that it gave away.
struct ReceiptMark: Hashable, Sendable {
    let seed: UInt64
    let customer: Int
    /// The index of the account in the customer's.
    let account: Int
    /// Which of the customer's receipts.
    let number: Int

    init(seed: UInt64, customer: Int, account: Int, number: Int) {
        (self.seed, self.customer, self.account, self.number) = (seed, customer, account, number)
    }

    /// Nil unless `bytes` are 16.
    init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        func number(_ count: Int, from start: Int) -> UInt64 {
            bytes.dropFirst(start).prefix(count).reduce(0) { $0 << 8 | UInt64($1) }
        }
        seed = number(8, from: 0)
        (customer, account) = (Int(number(5, from: 8)), Int(number(1, from: 13)))
        self.number = Int(number(2, from: 14))
    }

    var bytes: [UInt8] {
        Self.bytes(seed, 8) + Self.bytes(UInt64(customer), 5) + Self.bytes(UInt64(account), 1)
            + Self.bytes(UInt64(number), 2)
    }

    private static func bytes(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64($0 * 8)) }
    }
}
