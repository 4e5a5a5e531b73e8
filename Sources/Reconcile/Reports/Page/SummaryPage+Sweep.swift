extension SummaryPage {
    /// What the sweep of refund notices found; nothing without one.
    var refundNotices: HTML {
        let apps = summary.facts.sweptApps
        guard !apps.isEmpty else { return HTML("") }
        let failed = apps.filter { !$0.isComplete }.map { HTML.escaped($0.bundle.text) }
        var sentences: [String] = []
        if apps.sentence != nil {
            sentences.append(
                "\(figure("refund_sweep", "sentence").text) that Apple sent up to"
                    + " \(figure("refund_sweep", "to").text).")
        }
        if !failed.isEmpty {
            sentences.append(
                "The sweep is incomplete: \(failed.joined(separator: ", ")) could not be read, and"
                    + " nothing is concluded about it.")
        }
        return HTML(
            markup: """
                <h2>Refund notices</h2>
                <p>\(sentences.joined(separator: " "))</p>
                """)
    }
}
