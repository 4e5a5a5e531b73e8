import FoundationEssentials
internal import Testing

@testable import AppStoreSimulator

/// The length of a fuzzing run. In the ordinary tests a fixed number of executions from a fixed
/// seed; under `scripts/fuzz`, which sets RECONCILE_FUZZ_SECONDS, until the time is over.
/// The number of a round of executions, which has a generator of its own, is written to a file
/// before it begins, so that a crash can be repeated alone: RECONCILE_FUZZ_ROUND.
struct FuzzPlan {
    let name: String
    let executions: UInt64

    private static let roundLength: UInt64 = 1_000

    init(_ name: String, executions: UInt64) {
        self.name = name
        self.executions = executions
    }

    /// Calls `execution` with a generator, again and again, and prints how often it had which
    /// outcome. Each of `frequent` must be frequent, or the executions prove nothing.
    func run<Outcome: Hashable>(
        atLeast percent: UInt64, of frequent: Outcome...,
        sourceLocation: SourceLocation = #_sourceLocation,
        execution: (inout SeededGenerator) throws -> Outcome
    ) throws {
        try run(
            atLeast: percent, of: frequent, sourceLocation: sourceLocation, execution: execution)
    }

    func run<Outcome: Hashable>(
        atLeast percent: UInt64, of frequent: [Outcome], sourceLocation: SourceLocation,
        execution: (inout SeededGenerator) throws -> Outcome
    ) throws {
        var counts: [Outcome: UInt64] = [:]
        let done = try repeated { counts[try execution(&$0), default: 0] += 1 }
        let all = counts.map { "\($0.key) \($0.value)" }.sorted().joined(separator: ", ")
        report(done, all)
        for outcome in frequent {
            let count = counts[outcome, default: 0]
            #expect(
                count * 100 >= percent * done, "\(outcome): \(all)",
                sourceLocation: sourceLocation)
        }
    }

    /// Calls `execution` with a generator, again and again.
    func run(execution: (inout SeededGenerator) throws -> Void) throws {
        report(try repeated(execution), "no outcomes")
    }

    private func report(_ executions: UInt64, _ outcomes: String) {
        let seed = Self.number("RECONCILE_FUZZ_SEED") ?? 1
        print("fuzz: \(name): \(executions) executions from seed \(seed): \(outcomes)")
    }

    /// - Returns: the number of executions.
    private func repeated(_ execution: (inout SeededGenerator) throws -> Void) throws -> UInt64 {
        let seed = Self.number("RECONCILE_FUZZ_SEED") ?? 1
        let only = Self.number("RECONCILE_FUZZ_ROUND")
        let limit = Self.number("RECONCILE_FUZZ_SECONDS").map { ContinuousClock.now + .seconds($0) }
        var round = only ?? 0
        let folder = ProcessInfo.processInfo.environment["RECONCILE_FUZZ_FOLDER"]
        let file = folder.map { URL(filePath: "\($0)/\(name).round") }
        repeat {
            if let file { try Data("\(round)\n".utf8).write(to: file) }
            // Mixed first: the seeds' own sequences are one, begun at different points.
            var seeds = SeededGenerator(seed)
            var generator = SeededGenerator(seeds.next() &+ round)
            for _ in 0..<Self.roundLength { try execution(&generator) }
            round += 1
        } while only == nil && limit.map { .now < $0 } ?? (round * Self.roundLength < executions)
        return (only == nil ? round : 1) * Self.roundLength
    }

    private static func number(_ variable: String) -> UInt64? {
        ProcessInfo.processInfo.environment[variable].flatMap { UInt64($0) }
    }
}

extension [UInt8] {
    /// Damages the bytes `count` times: flipped, replaced, lost, doubled, cut off, moved, or
    /// replaced by one of `words`, which have a meaning in the format.
    mutating func mutate(_ count: Int, with words: [[UInt8]], _ generator: inout SeededGenerator) {
        for _ in 0..<count {
            let index = generator.number(below: self.count + 1)
            let end = Swift.min(self.count, index + 1 + generator.number(below: 12))
            switch generator.number(below: 9) {
            case 0 where index < self.count: self[index] ^= 1 << (generator.byte() & 7)
            case 1 where index < self.count: self[index] = generator.byte()
            case 2: removeSubrange(index..<end)
            case 3: insert(contentsOf: self[index..<end], at: index)
            case 4 where generator.once(in: 4): removeSubrange(index...)
            case 5:
                let other = generator.number(below: self.count + 1)
                insert(contentsOf: Array(self[index..<end]), at: other)
            case 6: insert(generator.byte(), at: index)
            default: insert(contentsOf: generator.one(of: words), at: index)
            }
        }
    }
}

/// A reproducible random number generator.
struct SeededGenerator: RandomNumberGenerator {
    private var source: SplitMix64

    init(_ seed: UInt64) { source = SplitMix64(seed: seed) }

    mutating func next() -> UInt64 { source.next() }

    /// A number in `0..<bound`; slightly uneven, which does not matter here.
    mutating func number(below bound: Int) -> Int {
        Int(truncatingIfNeeded: (next() >> 1) % UInt64(max(1, bound)))
    }

    mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: next()) }

    mutating func once(in count: Int) -> Bool { number(below: count) == 0 }

    mutating func one<Element>(of choices: [Element]) -> Element {
        choices[number(below: choices.count)]
    }
}
