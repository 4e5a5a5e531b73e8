/// A request rate that is reduced while the server fails and restored afterwards: additive
/// increase, multiplicative decrease, as in TCP congestion control. Times count from one origin.
struct AdaptiveRate: Sendable {
    enum Change: Hashable, Sendable {
        case halved(Double)
        case restored(Double)
    }

    /// The rate is halved when more of the last 100 answers than this are troubled.
    private static let mostTroubled = 20
    private static let pauseBetweenHalvings = Duration.seconds(5)
    private static let leastShare = 0.1
    /// The part of the whole rate that is restored per second.
    private static let restoredShare = 0.05

    /// The configured rate in requests per second, which is also the maximum.
    let whole: Double
    private var current: Double
    private var recent = RecentAnswers(capacity: 100)
    private var updatedAt = Duration.zero
    private var halvedAt: Duration?

    init(_ whole: Double) {
        self.whole = whole
        current = whole
    }

    func rate(at now: Duration) -> Double {
        // Usually the whole rate: the common case is answered without arithmetic.
        if current == whole || isTroubled { return current }
        let seconds = (now - updatedAt) / .seconds(1)
        return min(whole, current + whole * Self.restoredShare * max(0, seconds))
    }

    /// The part of the whole rate in use at `now`, from 0.1 to 1.
    func share(at now: Duration) -> Double {
        let rate = rate(at: now)
        return rate == whole ? 1 : max(Self.leastShare, rate / whole)
    }

    mutating func note(_ answer: AnswerClass, at now: Duration) -> Change? {
        let former = current
        current = rate(at: now)
        updatedAt = now
        recent.note(answer != .sound)
        if answer == .throttled || isTroubled, mayHalve(at: now) {
            let halved = max(whole * Self.leastShare, current / 2)
            if halved < current {
                current = halved
                halvedAt = now
                return .halved(halved)
            }
        }
        return former < whole && current == whole ? .restored(whole) : nil
    }

    private var isTroubled: Bool { recent.marked > Self.mostTroubled }

    private func mayHalve(at now: Duration) -> Bool {
        halvedAt.map { now - $0 >= Self.pauseBetweenHalvings } ?? true
    }
}
