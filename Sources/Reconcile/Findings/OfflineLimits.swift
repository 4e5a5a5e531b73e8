extension ReportedFinding {
    /// Marks a finding of an earlier run that this offline run clears.
    package func judgedOffline() -> ReportedFinding {
        guard !finding.explanation.contains(" (judged offline, ") else { return self }
        var row = self
        row.finding = finding.judgedOffline()
        return row
    }
}

extension Finding {
    /// Appends the limits of the offline proof to the explanation.
    /// - Parameter madeAt: when Apple made the finding's receipt; nil for several receipts or none.
    func judgedOffline(madeAt: Instant? = nil) -> Finding {
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
