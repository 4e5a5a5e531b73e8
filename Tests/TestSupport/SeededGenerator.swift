/// The same random numbers every time: SplitMix64.
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
    /// A number in `0..<bound`; a little uneven, which does not matter here.
    mutating func number(below bound: Int) -> Int {
        Int(truncatingIfNeeded: (next() >> 1) % UInt64(Swift.max(1, bound)))
    }

    mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: next()) }

    /// True once in `count` times.
    mutating func once(in count: Int) -> Bool { number(below: count) == 0 }

    mutating func one<Element>(of choices: [Element]) -> Element {
        choices[number(below: choices.count)]
    }
}

extension [UInt8] {
    /// Damages the bytes in `count` places, in the ways in which bytes are damaged: flipped,
    /// replaced, lost, doubled, cut off, moved, or by one of `words`, which mean something here.
    mutating func mutate(_ count: Int, with words: [[UInt8]], _ generator: inout SeededGenerator) {
        for _ in 0..<count {
            let place = generator.number(below: self.count + 1)
            let end = Swift.min(self.count, place + 1 + generator.number(below: 12))
            switch generator.number(below: 9) {
            case 0 where place < self.count: self[place] ^= 1 << (generator.byte() & 7)
            case 1 where place < self.count: self[place] = generator.byte()
            case 2: removeSubrange(place..<end)
            case 3: insert(contentsOf: self[place..<end], at: place)
            case 4 where generator.once(in: 4): removeSubrange(place...)
            case 5:
                let other = generator.number(below: self.count + 1)
                insert(contentsOf: Array(self[place..<end]), at: other)
            case 6: insert(generator.byte(), at: place)
            default: insert(contentsOf: generator.one(of: words), at: place)
            }
        }
    }
}
