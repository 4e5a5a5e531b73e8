/// A fault and its conditions: one item of `--faults`.
struct FaultRule: Sendable {
    struct Occasion: Sendable {
        let environment: SimulatedEnvironment
        /// Identifies the receipt that was sent, genuine or not.
        let receipt: UInt64
        /// Nil when the receipt was not issued by the simulator.
        let mark: ReceiptMark?
        /// The attempt for this receipt at this server, from 1.
        let attempt: Int
        let milliseconds: Int
        /// Otherwise of verifyReceipt.
        var isOfServerAPI = false
        /// Whom an answer of the API is about.
        var customer: Int?
    }

    enum Condition: Equatable, Sendable {
        /// In millionths.
        case rate(Int)
        case firstAttempts(Int)
        case receipt(customer: Int, number: Int)
        /// Milliseconds since the start of the simulator.
        case during(Range<Int>)
        case environment(SimulatedEnvironment)
    }

    let faults: [SimulatedFault]
    let conditions: [Condition]

    func fault(for occasion: Occasion, index: Int, seed: UInt64) -> SimulatedFault? {
        let part =
            UInt64(occasion.attempt & 0xFF) << 8 | UInt64(index & 0x7F) << 1
            | (occasion.environment == .sandbox ? 1 : 0)
        var random = SplitMix64(seed: seed ^ 0xfa17 ^ occasion.receipt, part: part)
        let faults = faults.filter { $0.isOfServerAPI == occasion.isOfServerAPI }
        guard !faults.isEmpty, conditions.allSatisfy({ $0.holds(for: occasion, &random) }) else {
            return nil
        }
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
            occasion.isOfServerAPI
                ? occasion.customer == customer
                : occasion.mark.map { $0.customer == customer && $0.number == number } ?? false
        case .during(let time): time.contains(occasion.milliseconds)
        case .environment(let environment): occasion.environment == environment
        }
    }
}
