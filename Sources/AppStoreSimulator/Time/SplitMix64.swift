/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers on every machine. Each customer has its
/// own generator, so neither order nor threads change the data.
struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    init(seed: UInt64, part: UInt64) {
        var root = SplitMix64(seed: seed)
        state = Self.mixed(root.next() ^ (part &* 0xd134_2543_de82_ef95))
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        return Self.mixed(state)
    }

    /// Not `Int.random`, whose algorithm may change with the standard library.
    mutating func below(_ limit: Int) -> Int {
        Int(next().multipliedFullWidth(by: UInt64(max(1, limit))).high)
    }

    mutating func within(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + below(range.upperBound - range.lowerBound + 1)
    }

    mutating func isTrue(percent: Int) -> Bool { below(100) < percent }

    mutating func one<Element>(of elements: [Element]) -> Element {
        elements[below(elements.count)]
    }

    mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
        var elements = elements
        for index in elements.indices.reversed().dropLast() {
            elements.swapAt(index, below(index + 1))
        }
        return elements
    }

    private static func mixed(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
