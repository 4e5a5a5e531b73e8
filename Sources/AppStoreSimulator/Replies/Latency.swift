/// How long an answer takes.
struct Latency: Sendable {
    private let milliseconds: Int
    private let seed: UInt64

    init(_ duration: Duration, seed: UInt64) {
        milliseconds = Int(duration / .milliseconds(1))
        self.seed = seed
    }

    /// Half to one and a half of the latency, at random by the number of the request.
    func steps(before number: Int) -> [ReplyStep] {
        guard milliseconds > 0 else { return [] }
        var random = SplitMix64(seed: seed, part: UInt64(number))
        let jitter = random.below(milliseconds + 1) - milliseconds / 2
        return [.wait(milliseconds: milliseconds + jitter)]
    }
}
