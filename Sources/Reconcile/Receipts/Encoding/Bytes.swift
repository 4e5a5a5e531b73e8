/// Whether `count` bytes are the same at both places, eight at a time: `elementsEqual` was a tenth
/// of the cost of reading an answer.
@inline(__always)
func hasSameBytes(_ one: UnsafeRawPointer, _ other: UnsafeRawPointer, count: Int) -> Bool {
    var place = 0
    let lastWord = count &- 8
    while place <= lastWord {
        guard
            one.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                == other.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        else { return false }
        place &+= 8
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
