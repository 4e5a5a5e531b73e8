/// Which faults to inject, and when: the value of `--faults`.
///
/// A rate such as `0.05` or `5%` gives that share of requests one of the faults that a retry
/// overcomes and that cost little. A script is a list of faults separated by commas, of which the
/// first that matches wins. Conditions follow after colons: `503:5%`, `21002:first=2` (each
/// receipt's first two attempts), `503:10s-70s` (since the start),
/// `21005:receipt=receipt-0000017-1`, `429:production:1%`. Faults of the App Store Server API have
/// names such as `api-503`; there, a receipt stands for its customer, and the attempts at a URL are
/// counted.
package struct FaultPlan: Sendable {
    let rules: [FaultRule]

    static let none = FaultPlan(rules: [])

    package static var faultNames: [String] {
        (SimulatedFault.all + SimulatedFault.ofServerAPI).map(\.name)
    }

    private init(rules: [FaultRule]) { self.rules = rules }

    package struct Unreadable: Error, Equatable {
        /// The part of the message after the flag's name.
        package let reason: String
    }

    package init(parsing text: String) throws(Unreadable) {
        if let rate = Self.millionths(text) {
            let drawn = (SimulatedFault.all + SimulatedFault.ofServerAPI).filter(\.isDrawn)
            rules = rate == 0 ? [] : [FaultRule(faults: drawn, conditions: [.rate(rate)])]
            return
        }
        var rules: [FaultRule] = []
        for item in text.split(separator: ",", omittingEmptySubsequences: false) {
            rules.append(try Self.rule(item))
        }
        self.rules = rules
    }

    func steps(for occasion: FaultRule.Occasion, reply: HTTPReply, seed: UInt64) -> [ReplyStep]? {
        for (index, rule) in rules.enumerated() {
            if let fault = rule.fault(for: occasion, index: index, seed: seed) {
                return fault.steps(PlannedReply(reply, from: occasion.environment))
            }
        }
        return nil
    }

    private static func rule(_ item: Substring) throws(Unreadable) -> FaultRule {
        var parts = item.split(separator: ":", omittingEmptySubsequences: false)[...]
        let name = String(parts.popFirst() ?? "")
        guard let fault = SimulatedFault.named(name) else {
            throw Unreadable(
                reason: "\"\(name)\" is neither a rate such as 5% nor a fault. The faults are: "
                    + faultNames.joined(separator: ", ") + ".")
        }
        var conditions: [FaultRule.Condition] = []
        for part in parts {
            guard let condition = condition(String(part)) else {
                throw Unreadable(
                    reason: "\"\(part)\" is not a condition. Write N%, first=N, receipt=ID, "
                        + "10s-70s, production or sandbox.")
            }
            conditions.append(condition)
        }
        return FaultRule(faults: [fault], conditions: conditions)
    }

    private static func condition(_ text: String) -> FaultRule.Condition? {
        if text == "production" { return .environment(.production) }
        if text == "sandbox" { return .environment(.sandbox) }
        if let rate = millionths(text) { return .rate(rate) }
        if text.hasPrefix("first=") {
            return Int(text.dropFirst(6)).flatMap { $0 > 0 ? .firstAttempts($0) : nil }
        }
        if text.hasPrefix("receipt=") { return receipt(text.dropFirst(8)) }
        let times = text.split(separator: "-").map { $0.hasSuffix("s") ? Int($0.dropLast()) : nil }
        guard times.count == 2, let from = times[0], let to = times[1],
            from < to, (0...1_000_000_000).contains(to), from >= 0
        else {
            return nil
        }
        return .during(from * 1_000..<to * 1_000)
    }

    /// Parses `receipt-0000017-1` or `receipt-0000017-second-2`.
    private static func receipt(_ id: Substring) -> FaultRule.Condition? {
        let parts = id.split(separator: "-")
        guard parts.count >= 3, parts[0] == "receipt", let customer = Int(parts[1]),
            let number = Int(parts[parts.count - 1])
        else { return nil }
        return .receipt(customer: customer - 1, number: number)
    }

    /// Parses `5%` or `0.05` as millionths, 0 to 1,000,000.
    private static func millionths(_ text: String) -> Int? {
        let isPercent = text.hasSuffix("%")
        let digits = isPercent ? text.dropLast() : text[...]
        let isNumber = digits.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
        guard isNumber, let number = Double(digits) else { return nil }
        let share = isPercent ? number / 100 : number
        return (0...1).contains(share) ? Int((share * 1_000_000).rounded()) : nil
    }
}
