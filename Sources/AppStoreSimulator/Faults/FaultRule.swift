/// A fault, and when it strikes: one item of `--faults`.
struct FaultRule: Sendable {
    /// What is known of a request when a fault is chosen.
    struct Occasion: Sendable {
        let environment: SimulatedEnvironment
        /// Of what was sent as a receipt, whoever made it.
        let receipt: UInt64
        /// Nil for what is no receipt of ours.
        let mark: ReceiptMark?
        /// Counts the requests for this receipt at this server, from 1.
        let attempt: Int
        /// Since the start of the simulator.
        let milliseconds: Int
    }

    enum Condition: Equatable, Sendable {
        /// Of a million requests, so many.
        case rate(Int)
        /// Each receipt's first attempts.
        case firstAttempts(Int)
        case receipt(customer: Int, number: Int)
        /// Milliseconds since the start.
        case during(Range<Int>)
        case environment(SimulatedEnvironment)
    }

    /// One of these.
    let faults: [SimulatedFault]
    /// All must hold.
    let conditions: [Condition]

    /// The fault for this occasion, if one is due. The same occasion gives the same, on any thread.
    func fault(for occasion: Occasion, place: Int, seed: UInt64) -> SimulatedFault? {
        let part =
            UInt64(occasion.attempt & 0xFF) << 8 | UInt64(place & 0x7F) << 1
            | (occasion.environment == .sandbox ? 1 : 0)
        var random = SplitMix64(seed: seed ^ 0xfa17 ^ occasion.receipt, part: part)
        guard conditions.allSatisfy({ $0.holds(for: occasion, &random) }) else { return nil }
        return random.one(of: faults)
    }
}

extension FaultRule.Condition {
    fileprivate func holds(
        for occasion: FaultRule.Occasion, _ random: inout SplitMix64
    ) -> Bool {
        switch self {
        case .rate(let millionths): random.below(1_000_000) < millionths
        case .firstAttempts(let count): occasion.attempt <= count
        case .receipt(let customer, let number):
            occasion.mark.map { $0.customer == customer && $0.number == number } ?? false
        case .during(let time): time.contains(occasion.milliseconds)
        case .environment(let environment): occasion.environment == environment
        }
    }
}
