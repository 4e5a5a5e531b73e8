extension ExplainText {
    mutating func writeReceipts() {
        guard !file.receipts.isEmpty else { return }
        lines.append("Receipts")
        write(file.receipts)
        writeAnswers()
    }

    /// The digests of the history, each with whose answer it is. Nothing where all are of
    /// verifyReceipt, whose answers the receipts name.
    private mutating func writeAnswers() {
        guard file.answers.contains(where: { $0.server.source == .serverAPI }) else { return }
        lines.append("")
        lines.append("Answers")
        for answer in file.answers {
            let about = answer.receipt.map { receipt in
                answer.server.source == .serverAPI
                    ? " about a customer in receipt \(receipt)" : " about receipt \(receipt)"
            }
            let asked = answer.answeredAt.map { ", asked at \($0)" } ?? ""
            add(
                "[\(answer.digest.prefix(12))]  \(answer.server.source.name)\(about ?? ""),"
                    + " \(answer.server.environment.rawValue)\(asked), run \(answer.run)",
                indent: 2, hanging: 16)
        }
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
            let source = receipt.source.map { ", \($0.name)" } ?? ""
            let server = receipt.server.map { ", \($0.environment.rawValue)" } ?? ""
            let app = receipt.bundle.map { " of \($0)" } ?? ""
            let answer = answer(to: receipt.id, from: receipt.source)
            add(
                "\(receipt.id)\(app): \(receipt.outcome ?? "removed")\(cause)\(status)\(source)"
                    + server + asked + (answer.map { ", answer \($0.digest)" } ?? ""),
                indent: 2)
        }
    }
}
