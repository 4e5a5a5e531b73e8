/// A rate that gives way when the server is in trouble and comes back when it is not (SPEC §2.6).
///
/// It falls by halves and rises by steps, as TCP's window does: additive increase, multiplicative
/// decrease. Time is counted from the same origin every time.
struct AdaptiveRate: Sendable {
    enum Change: Hashable, Sendable {
        /// To so many a second.
        case halved(Double)
        /// Back to the whole rate.
        case restored(Double)
    }

    /// More troubled answers than this among the last hundred halve the rate.
    private static let mostTroubled = 20
    private static let pauseBetweenHalvings = Duration.seconds(5)
    private static let leastShare = 0.1
    /// What comes back in a second, of the whole rate.
    private static let restoredShare = 0.05

    /// Requests a second when all is well; it is never more.
    let whole: Double
    private var current: Double
    private var recent = RecentAnswers(capacity: 100)
    private var updatedAt = Duration.zero
    private var halvedAt: Duration?

    init(_ whole: Double) {
        self.whole = whole
        current = whole
    }

    /// Requests a second at `now`.
    func rate(at now: Duration) -> Double {
        // The first is every request's case in a calm night.
        if current == whole || isTroubled { return current }
        let seconds = (now - updatedAt) / .seconds(1)
        return min(whole, current + whole * Self.restoredShare * max(0, seconds))
    }

    /// The part of the whole rate that is used at `now`, from a tenth to 1.
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
