/// A reproducible random number generator: SplitMix64.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}

extension SeededGenerator {
    /// A number in `0..<bound`; slightly uneven, which does not matter here.
    mutating func number(below bound: Int) -> Int {
        Int(truncatingIfNeeded: (next() >> 1) % UInt64(Swift.max(1, bound)))
    }

    mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: next()) }

    mutating func once(in count: Int) -> Bool { number(below: count) == 0 }

    mutating func one<Element>(of choices: [Element]) -> Element {
        choices[number(below: choices.count)]
    }
}
