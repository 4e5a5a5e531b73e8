extension ExplainText {
    mutating func writeTimeline() {
        let timeline = ExplainTimeline(file).lines
        lines.append("What happened")
        if !file.mayReadAnswers {
            add(
                "The database role may not read Apple's answers (grant reconcile_evidence): earlier"
                    + " purchases are not shown.", indent: 2)
        } else if file.answers.isEmpty, file.receipts.contains(where: { $0.answeredAt != nil }) {
            add(
                "No answer of Apple's about this customer is kept (--evidence), so that earlier"
                    + " purchases are not shown.", indent: 2)
        }
        for line in timeline {
            let transaction = line.transaction.map { "  transaction \($0)" } ?? ""
            let digest = line.digest.map { "  [\($0.prefix(12))]" } ?? ""
            add("\(line.at)  \(line.what)\(transaction)\(digest)", indent: 2, hanging: 22)
        }
        lines.append("")
    }

    mutating func writeReceipts() {
        guard !file.receipts.isEmpty else { return }
        lines.append("Receipts")
        write(file.receipts)
    }

    mutating func write(_ live: CustomerFile.Live) {
        lines.append("")
        lines.append("Asked now, at \(live.at); nothing of it is kept")
        write(live.receipts)
        let changes = ExplainLive(live, since: file).changes
        if changes.isEmpty {
            add("Nothing has changed since run \(file.run.run.id).", indent: 2)
        }
        for change in changes {
            add(
                "\(change.subject): \(change.before ?? "nothing") → \(change.now ?? "nothing")",
                indent: 2, hanging: 2)
            if let sentence = change.sentence { add(sentence, indent: 4) }
        }
    }

    mutating func write(_ receipts: [CustomerFile.CheckedReceipt]) {
        for receipt in receipts {
            let cause = receipt.cause.map { " (\($0))" } ?? ""
            let status = receipt.lastStatus.map { ", status \($0)" } ?? ""
            let asked = receipt.answeredAt.map { ", asked at \($0)" } ?? ""
            let server = receipt.server.map { ", \($0.environment.rawValue)" } ?? ""
            let app = receipt.bundle.map { " of \($0)" } ?? ""
            add(
                "\(receipt.id)\(app): \(receipt.outcome ?? "removed")\(cause)\(status)\(server)"
                    + asked + (answer(to: receipt.id).map { ", answer \($0.digest)" } ?? ""),
                indent: 2)
        }
    }
}
