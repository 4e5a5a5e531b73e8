/// The 16 opaque bytes (attribute 4) by which the simulator recognizes its own receipts.
struct ReceiptMark: Hashable, Sendable {
    let seed: UInt64
    let customer: Int
    /// Index in the customer's accounts.
    let account: Int
    let number: Int
}

extension ReceiptMark {
    /// Nil unless there are 16 bytes.
    init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        func number(_ count: Int, from start: Int) -> UInt64 {
            bytes.dropFirst(start).prefix(count).reduce(0) { $0 << 8 | UInt64($1) }
        }
        seed = number(8, from: 0)
        customer = Int(number(5, from: 8))
        account = Int(number(1, from: 13))
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
