extension ExplainText {
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
