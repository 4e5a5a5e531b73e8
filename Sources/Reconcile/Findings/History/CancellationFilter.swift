/// Which transactions earlier runs may have seen cancelled, whoever's they were: a Bloom filter.
///
/// Apple may take a refund back after the receipt has become another user's, so every transaction
/// of a night would have to be looked up in the history, of which one in a hundred stands there.
/// This says which to look up. It never misses one; 2 MiB name one in four hundred for nothing when
/// there are a million, and the more the more there are.
package struct CancellationFilter: Sendable {
    private static let bits: UInt64 = 1 << 24
    private static let probes: UInt64 = 4

    /// None until there is something to name.
    private var words: [UInt64] = []

    package init() {}

    package mutating func insert(_ transaction: TransactionID) {
        if words.isEmpty { words = Array(repeating: 0, count: Int(Self.bits / 64)) }
        for bit in Self.places(of: transaction) { words[Int(bit / 64)] |= 1 << (bit % 64) }
    }

    package func mayContain(_ transaction: TransactionID) -> Bool {
        guard !words.isEmpty else { return false }
        return Self.places(of: transaction).allSatisfy {
            words[Int($0 / 64)] & (1 << ($0 % 64)) != 0
        }
    }

    /// Both halves of a 64-bit FNV-1a, the second as the step: Kirsch and Mitzenmacher, "Less
    /// Hashing, Same Performance".
    private static func places(of transaction: TransactionID) -> some Sequence<UInt64> {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in transaction.text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        // FNV's low bits are its best; the multiplication carries them up.
        hash = (hash ^ (hash >> 32)) &* 0x9e37_79b9_7f4a_7c15
        let (start, step) = (hash & 0xffff_ffff, (hash >> 32) | 1)
        return (0..<probes).lazy.map { (start &+ $0 &* step) % bits }
    }
}
