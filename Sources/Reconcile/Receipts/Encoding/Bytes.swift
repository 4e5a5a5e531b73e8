/// Whether `count` bytes are the same at both places, eight at a time: `elementsEqual` was a tenth
/// of the cost of reading an answer.
@inline(__always)
func hasSameBytes(_ one: UnsafeRawPointer, _ other: UnsafeRawPointer, count: Int) -> Bool {
    var place = 0
    while place + 8 <= count {
        guard
            one.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                == other.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        else { return false }
        place += 8
    }
    if place < count, count >= 8 {
        // The last eight bytes, some of them once more.
        return one.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
            == other.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
    }
    while place < count {
        guard
            one.load(fromByteOffset: place, as: UInt8.self)
                == other.load(fromByteOffset: place, as: UInt8.self)
        else { return false }
        place += 1
    }
    return true
}

extension UnsafeBufferPointer<UInt8> {
    func hasSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count == other.count else { return false }
        guard let own = UnsafeRawPointer(baseAddress),
            let others = UnsafeRawPointer(other.baseAddress)
        else { return true }
        return Reconcile.hasSameBytes(own, others, count: count)
    }
}

extension String {
    /// Whether the UTF-8 is the same, byte for byte. `==` also takes two Unicode spellings of one
    /// character for the same.
    func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        let isSame = utf8.withContiguousStorageIfAvailable { own in
            other.utf8.withContiguousStorageIfAvailable { own.hasSameBytes(as: $0) }
        }
        return isSame.flatMap(\.self) ?? utf8.elementsEqual(other.utf8)
    }
}

extension String {
    /// Whether the UTF-8 comes before `other`'s, byte by byte. Purchases are sorted by their ids,
    /// and `lexicographicallyPrecedes` took a tenth of the time of judging them.
    func bytesPrecede(_ other: String) -> Bool {
        let precedes = utf8.withContiguousStorageIfAvailable { own in
            other.utf8.withContiguousStorageIfAvailable { others in
                let count = min(own.count, others.count)
                var place = 0
                while place < count, own[place] == others[place] { place += 1 }
                return place < count ? own[place] < others[place] : own.count < others.count
            }
        }
        return precedes.flatMap(\.self) ?? utf8.lexicographicallyPrecedes(other.utf8)
    }
}

extension Array where Element == UInt8 {
    /// A number made of some sixty words that lie evenly among the bytes, and of their count: what
    /// differs in one place only may share it. Not for secrets: it can be foreseen.
    var sampled: UInt64 {
        withUnsafeBytes { bytes in
            var mixed = UInt64(bytes.count)
            let step = Swift.max(8, bytes.count / 60)
            for place in stride(from: 0, through: bytes.count - 8, by: step) {
                mixed =
                    (mixed ^ bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
                    &* 0x9E37_79B9_7F4A_7C15
                mixed ^= mixed >> 32
            }
            return mixed
        }
    }
}
