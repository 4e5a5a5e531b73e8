/// What `explain` prints for a person: the verdict first, then what it stood on.
package struct ExplainText {
    private let file: CustomerFile
    private var lines: [String] = []

    private static let width = 100

    package init(_ file: CustomerFile) { self.file = file }

    private var asOf: Instant { file.run.run.asOf }

    package var text: String {
        var copy = self
        copy.write()
        return copy.lines.flatMap { $0.escapingControls().broken(to: Self.width) }
            .map { $0 + "\n" }.joined()
    }

    private mutating func write() {
        let state = file.run.state == "published" ? "" : " (\(file.run.state))"
        lines.append("User \(file.user), in run \(file.run.run.id)\(state), judged as of \(asOf)")
        // What was asked about, or what there is to say, comes first.
        let rights = (file.rights ?? []).compactMap { finding(of: $0)?.id }
        let isAboutRight = file.finding.isEmpty ? !rights.isEmpty : rights.contains(file.finding)
        if isAboutRight { writeVerdicts() }
        writeOtherFindings(isAboutRight ? "Other findings of this run" : "Findings of this run")
        if !isAboutRight { writeVerdicts() }
        writeTimeline()
        writeReceipts()
        if let live = file.live { write(live) }
    }

    // MARK: Verdicts

    private mutating func writeVerdicts() {
        if !file.isJudged {
            let what = file.rights == nil ? "" : " What follows an earlier run has kept."
            add(
                "This run judged nothing of this user: nothing was stored of them, or they were not"
                    + " in its scope.\(what)")
        }
        guard let rights = file.rights else {
            add(
                "No record of the verdicts is kept (--evidence none, or it was pruned): only"
                    + " findings and kept answers are shown.")
            return
        }
        if rights.isEmpty { add("Nothing is stored, and no receipt gives a right.") }
        for right in rights.sorted(by: { rank($0) < rank($1) }) { write(right) }
    }

    /// What was asked about first, then findings, then what was put off.
    private func rank(_ right: JudgedRight) -> Int {
        if let finding = finding(of: right) { return finding.id == file.finding ? 0 : 1 }
        return right.outcome == .consistent ? 3 : 2
    }

    private func finding(of right: JudgedRight) -> ReportedFinding? {
        file.findings.first { $0.isAbout(right) }
    }

    private mutating func write(_ right: JudgedRight) {
        let finding = finding(of: right)
        lines.append(headline(right, finding))
        lines.append(Self.row("", "stored", "Apple"))
        write(right, finding?.finding.kind)
        let rule = right.kind?.ruleInWords
        if let rule { add("rule \(rule.number) of \(rule.of): \(rule.when)", indent: 4) }
        writeSource(right, finding)
        add(finding?.finding.explanation ?? right.sentence(asOf: asOf), indent: 2)
        if let finding {
            add("It goes away when \(finding.finding.remedy).", indent: 2)
        }
        if let rule, !rule.before.isEmpty {
            let kinds = rule.before.map(\.rawValue).joined(separator: ", ")
            add("Of the rules before it none matched: \(kinds).", indent: 2)
        }
        lines.append("")
    }

    private func headline(_ right: JudgedRight, _ finding: ReportedFinding?) -> String {
        guard let finding else {
            let would = right.kind.map { ", it would be \($0.rawValue)" } ?? ""
            return "\(right.outcome.rawValue.uppercased()): the right \(right.right)\(would)"
        }
        let since = finding.finding.eventAt.map { ", since \($0)" } ?? ""
        return "FINDING \(finding.finding.kind.rawValue) (\(finding.finding.severity.rawValue),"
            + " \(finding.finding.direction.rawValue), \(finding.lifecycle.rawValue))\(since)"
    }

    /// Both sides, field by field.
    private mutating func write(_ right: JudgedRight, _ kind: FindingKind?) {
        let row = right.row
        let apple = right.apple
        let isGranted = right.isGranted(asOf: asOf)
        let paid = right.paidApp == nil ? "none" : "paid app, see below"
        compare(
            "state", row == nil ? "no row" : isGranted ? "granted" : "not granted",
            apple?.state.rawValue ?? paid, differs: isGranted != right.isEntitled && kind != nil)
        compare("product", row?.product.text, apple?.product.text)
        compare(
            "expires", row.map { $0.expiresAt?.description ?? "no end" },
            apple.map { $0.endsAt?.description ?? "no end" })
        let chain = row?.originalTransaction?.text
        compare(
            "chain", chain, apple?.originalTransaction.text, differs: chain == nil ? false : nil)
        compare(
            "renews", row?.autoRenew.map { $0 ? "yes" : "no" },
            apple?.willRenew.map { $0 ? "yes" : "no" })
        compare("ownership", row?.ownership?.rawValue, apple?.ownership?.rawValue)
        if let row {
            lines.append(
                "    row \(row.id), source \(row.source.name), last changed \(row.updatedAt)")
        }
    }

    /// A line, unless neither side has a value. `≠` marks what disagrees.
    private mutating func compare(
        _ name: String, _ stored: String?, _ apple: String?, differs: Bool? = nil
    ) {
        guard stored != nil || apple != nil else { return }
        let isOther = differs ?? (stored != nil && apple != nil && stored != apple)
        let mark = isOther ? "≠" : ""
        let sides = (stored ?? "–", apple ?? "–")
        guard max(sides.0.count, sides.1.count) > Self.widestValue else {
            lines.append(Self.row(name, sides.0, sides.1, mark))
            return
        }
        lines.append(Self.row(name, "", "", mark))
        lines.append("      stored  " + sides.0)
        lines.append("      Apple   " + sides.1)
    }

    /// What has room beside the other side.
    private static let widestValue = 32

    private static func row(
        _ name: String, _ stored: String, _ apple: String, _ mark: String = ""
    ) -> String {
        var line = "    " + name.padded(to: 11) + stored.padded(to: 34) + apple
        if !mark.isEmpty { line = line.padded(to: 82) + mark }
        return line
    }

    /// Which receipt says it, and when Apple was asked.
    private mutating func writeSource(_ right: JudgedRight, _ finding: ReportedFinding?) {
        guard let apple = right.apple else { return }
        let receipt = file.receipts.first { $0.id == apple.receipt }
        let asked = receipt?.answeredAt.map { ", Apple was asked at \($0)" } ?? ""
        let digest = finding?.finding.evidenceSHA256 ?? answer(to: apple.receipt)?.digest
        add(
            "receipt \(apple.receipt) of \(apple.bundle), \(apple.environment.rawValue)\(asked)"
                + (digest.map { ", answer \($0)" } ?? ""), indent: 4)
    }

    private func answer(to receipt: ReceiptID) -> CustomerFile.ShownAnswer? {
        file.answers.first { $0.receipt == receipt }
    }

    // MARK: The rest

    /// Findings that are about no judged right: refunds, receipts, what is shared.
    private mutating func writeOtherFindings(_ heading: String) {
        let shown = Set((file.rights ?? []).compactMap { finding(of: $0)?.id })
        let others = file.findings.filter { !shown.contains($0.id) }
        guard !others.isEmpty else { return }
        lines.append(heading)
        for row in others.sorted(by: {
            ($0.id == file.finding ? 0 : 1) < ($1.id == file.finding ? 0 : 1)
        }) {
            let finding = row.finding
            lines.append(
                "  \(row.id) \(finding.kind.rawValue) (\(finding.severity.rawValue),"
                    + " \(finding.direction.rawValue), \(row.lifecycle.rawValue))")
            add(finding.explanation, indent: 4)
            if !finding.kind.isEvent {
                add("It goes away when \(finding.remedy).", indent: 4)
            }
        }
        lines.append("")
    }

    private mutating func writeTimeline() {
        let timeline = ExplainTimeline(file).lines
        lines.append("What happened")
        if !file.mayReadAnswers {
            add(
                "The database role may not read Apple's answers (grant reconcile_evidence): earlier"
                    + " purchases are not shown.", indent: 2)
        } else if file.answers.isEmpty {
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

    private mutating func writeReceipts() {
        guard !file.receipts.isEmpty else { return }
        lines.append("Receipts")
        write(file.receipts)
    }

    private mutating func write(_ live: CustomerFile.Live) {
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

    private mutating func write(_ receipts: [CustomerFile.CheckedReceipt]) {
        for receipt in receipts {
            let cause = receipt.cause.map { " (\($0))" } ?? ""
            let status = receipt.lastStatus.map { ", status \($0)" } ?? ""
            let asked = receipt.answeredAt.map { ", asked at \($0)" } ?? ""
            let server = receipt.environment.map { ", \($0.rawValue)" } ?? ""
            add(
                "\(receipt.id): \(receipt.outcome ?? "removed")\(cause)\(status)\(server)\(asked)"
                    + (answer(to: receipt.id).map { ", answer \($0.digest)" } ?? ""), indent: 2)
        }
    }

    /// Adds `text`, broken at spaces; all lines but the first stand further in.
    private mutating func add(_ text: String, indent: Int = 0, hanging: Int = 0) {
        let wrapped = text.wrapped(to: Self.width - indent)
        guard let first = wrapped.first else { return }
        lines.append(String(repeating: " ", count: indent) + first)
        let rest = wrapped.dropFirst().joined(separator: " ")
        for line in rest.wrapped(to: Self.width - indent - hanging) {
            lines.append(String(repeating: " ", count: indent + hanging) + line)
        }
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(1, width - count))
    }
}
