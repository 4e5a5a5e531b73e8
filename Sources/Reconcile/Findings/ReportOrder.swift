extension ReportedFinding {
    /// The order of reports: by severity, then by `names` as UTF-8 bytes, empty cells first.
    func comesBefore(_ other: ReportedFinding) -> Bool {
        guard finding.severity == other.finding.severity else {
            return finding.severity.rank < other.finding.severity.rank
        }
        for (own, others) in zip(names, other.names) where !own.hasSameBytes(as: others) {
            return own.utf8.lexicographicallyPrecedes(others.utf8)
        }
        return false
    }

    private var names: [String] {
        [
            finding.kind.rawValue, finding.user?.text ?? "", finding.entitlement?.text ?? "",
            finding.originalTransaction?.text ?? "", finding.transaction?.text ?? "",
            finding.receipt?.text ?? "", id,
        ]
    }
}

extension FindingTotal {
    /// The order of `totals`: by column, texts as UTF-8 bytes, empty cells first.
    func comesBefore(_ other: FindingTotal) -> Bool {
        let own = group
        let others = other.group
        if own.eventDay != others.eventDay { return own.eventDay.isBefore(others.eventDay) }
        if own.eventDayPacific != others.eventDayPacific {
            return own.eventDayPacific.isBefore(others.eventDayPacific)
        }
        for (own, others) in zip(own.names, others.names) where own != others {
            guard let own else { return true }
            guard let others else { return false }
            if !own.hasSameBytes(as: others) { return own.bytesPrecede(others) }
        }
        return false
    }
}

extension FindingTotal.Group {
    fileprivate var names: [String?] {
        [
            bundle?.text, product?.text, kind.rawValue, direction.rawValue, lifecycle.rawValue,
            currency, amountBasis?.rawValue, age?.rawValue,
        ]
    }
}

extension Instant? {
    fileprivate func isBefore(_ other: Instant?) -> Bool {
        guard let self else { return other != nil }
        guard let other else { return false }
        return self < other
    }
}
