import FoundationEssentials

/// The length of a fuzzing run. In the ordinary tests a fixed number of executions from a fixed
/// seed; under `scripts/fuzz`, which sets RECONCILE_FUZZ_SECONDS, until the time is over.
///
/// Executions come in rounds, each with a generator of its own. The number of a round is written to
/// a file before it begins, so that a crash can be repeated alone: RECONCILE_FUZZ_ROUND.
struct FuzzPlan {
    let name: String
    let executions: Int

    static let roundLength = 1_000

    /// - Parameter executions: the number in the ordinary tests.
    init(_ name: String, executions: Int) { (self.name, self.executions) = (name, executions) }

    /// Calls `execution` with a generator, again and again. Prints what was done.
    func run(_ execution: (inout SeededGenerator) throws -> Void) throws {
        let seed = Self.number("RECONCILE_FUZZ_SEED") ?? 1
        if let round = Self.number("RECONCILE_FUZZ_ROUND") {
            return try run(round: round, of: seed, execution)
        }
        let seconds = Self.number("RECONCILE_FUZZ_SECONDS")
        let start = ContinuousClock.now
        var round: UInt64 = 0
        while true {
            try writeDown(round)
            try run(round: round, of: seed, execution)
            round += 1
            let isOver =
                if let seconds {
                    start.duration(to: .now) >= .seconds(Int64(clamping: seconds))
                } else {
                    Int(round) * Self.roundLength >= executions
                }
            if isOver { break }
        }
        print("fuzz: \(name): \(Int(round) * Self.roundLength) executions from seed \(seed)")
    }

    private func run(
        round: UInt64, of seed: UInt64, _ execution: (inout SeededGenerator) throws -> Void
    ) throws {
        // Mixed first: the seeds' own sequences are one, begun at different places.
        var seeds = SeededGenerator(seed)
        var generator = SeededGenerator(seeds.next() &+ round)
        for _ in 0..<Self.roundLength { try execution(&generator) }
    }

    /// Writes `<folder>/<name>.round`, where RECONCILE_FUZZ_FOLDER names the folder.
    private func writeDown(_ round: UInt64) throws {
        guard let folder = ProcessInfo.processInfo.environment["RECONCILE_FUZZ_FOLDER"] else {
            return
        }
        try Data("\(round)\n".utf8).write(to: URL(filePath: "\(folder)/\(name).round"))
    }

    private static func number(_ variable: String) -> UInt64? {
        ProcessInfo.processInfo.environment[variable].flatMap { UInt64($0) }
    }
}

extension [UInt8] {
    /// Damages the bytes in `count` places: flipped, replaced, lost, doubled, cut off, moved, or
    /// replaced by one of `words`, which have a meaning in the format.
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
