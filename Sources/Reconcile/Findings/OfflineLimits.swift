extension ReportedFinding {
    /// The same for a finding of an earlier night that this one clears.
    package func judgedOffline() -> ReportedFinding {
        guard !finding.explanation.contains(" (judged offline, ") else { return self }
        var row = self
        row.finding = finding.judgedOffline()
        return row
    }
}

extension Finding {
    /// The same, with the limits of its proof at the end of its sentence.
    /// - Parameter madeAt: when Apple made the receipt that it was found by; nil: several, or none.
    package func judgedOffline(madeAt: Instant? = nil) -> Finding {
        let proof =
            madeAt.map { "by the receipt that Apple made \($0): what came after it" }
            ?? "by stored receipts alone: what came after they were made"
        let limits =
            " (judged offline, \(proof), renewals, refunds and expiries among it, is not known)."
        var finding = self
        finding.explanation =
            explanation.hasSuffix(".")
            ? explanation.dropLast() + limits : explanation + limits
        return finding
    }
}
