/// The text output of `explain`: the verdicts first, then their evidence.
package struct ExplainText {
    let file: CustomerFile
    var lines: [String] = []
    /// False for consistent rights, whose differences are allowed.
    private var marksDifferences = true

    static let width = 100

    package init(_ file: CustomerFile) { self.file = file }

    private var asOf: Instant { file.run.run.asOf }

    package var text: String {
        var copy = self
        copy.write()
        return copy.lines.flatMap { $0.escapingControls().broken(to: Self.width) }
            .map { $0 + "\n" }.joined()
    }

    private mutating func write() {
        let who = file.user.map { "User \($0)" } ?? "No user"
        lines.append("\(who), in run \(file.run), judged as of \(asOf)")
        guard file.user != nil else {
            writeOtherFindings("A finding about no single user")
            return writeTimeline()
        }
        // The finding asked about comes first; without one, rights that have a finding.
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
                "No record of the verdicts is kept (it was pruned): only"
                    + " findings and kept answers are shown.")
            return
        }
        if rights.isEmpty {
            add("No entitlement is stored, and no receipt gives a right.")
            lines.append("")
        }
        for right in rights.sorted(by: { rank($0) < rank($1) }) { write(right) }
    }

    /// Sort order: the finding asked about, other findings, rights without one, consistent rights.
    private func rank(_ right: JudgedRight) -> Int {
        if let finding = finding(of: right) { return finding.id == file.finding ? 0 : 1 }
        return right.outcome == .consistent ? 3 : 2
    }

    private func finding(of right: JudgedRight) -> ReportedFinding? {
        file.findings.first { $0.isAbout(right) }
    }

    private mutating func write(_ right: JudgedRight) {
        let finding = finding(of: right)
        add(headline(right, finding), hanging: 2)
        marksDifferences = right.outcome != .consistent
        lines.append(Self.row("", "stored", "Apple"))
        write(right, finding?.finding.kind)
        let rule = right.kind?.ruleInWords
        if let rule { add("rule \(rule.number) of \(rule.of): \(rule.when)", indent: 4) }
        if let apple = right.apple {
            writeSource(
                apple.receipt, of: apple.bundle, apple.environment, file.source(of: apple),
                finding?.finding.evidenceSHA256)
        }
        add(finding?.finding.explanation ?? right.sentence(asOf: asOf), indent: 2)
        if let finding {
            add("It is cleared when \(finding.finding.remedy).", indent: 2)
            add("Its finding_id is \(finding.id).", indent: 2)
        }
        if let rule, !rule.before.isEmpty {
            let kinds = rule.before.map(\.rawValue).joined(separator: ", ")
            add("Of the rules before it none matched: \(kinds).", indent: 2)
        }
        lines.append("")
    }

    private func headline(_ right: JudgedRight, _ finding: ReportedFinding?) -> String {
        if let finding { return headline(finding) }
        let would = right.kind.map { ", it would be \($0.rawValue)" } ?? ""
        return "\(right.outcome.rawValue.uppercased()): the right \(right.right)\(would)"
    }

    private func headline(_ row: ReportedFinding) -> String {
        let finding = row.finding
        let when = finding.eventAt.map { finding.kind.isEvent ? ", at \($0)" : ", since \($0)" }
        return "FINDING \(finding.kind.rawValue) (\(finding.severity.rawValue),"
            + " \(finding.direction.rawValue), \(row.lifecycle.rawValue))"
            + (when ?? ", first reported as of \(row.firstSeen)")
    }

    private mutating func write(_ right: JudgedRight, _ kind: FindingKind?) {
        let row = right.row
        let apple = right.apple
        let isGranted = right.isGranted(asOf: asOf)
        let stored =
            row.map { row in
                isGranted
                    ? "granted"
                    : row.isActive ? "not granted: ended" : "not granted: is_active false"
            } ?? "no row"
        compare(
            "state", stored, apple?.state.rawValue ?? nothing(right),
            differs: isGranted != right.isEntitled && kind != nil)
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

    /// Why Apple's side is empty: `nothing` only if every receipt was verified.
    private func nothing(_ right: JudgedRight) -> String {
        if right.paidApp != nil { return "see below" }
        if file.receipts.isEmpty { return "no receipt" }
        return file.receipts.allSatisfy { $0.outcome == "verified" } ? "nothing" : "not known"
    }

    /// Prints a line unless both sides are empty. `≠` marks a difference.
    private mutating func compare(
        _ name: String, _ stored: String?, _ apple: String?, differs: Bool? = nil
    ) {
        guard stored != nil || apple != nil else { return }
        let isOther = differs ?? (stored != nil && apple != nil && stored != apple)
        let mark = isOther && marksDifferences ? "≠" : ""
        let sides = (stored ?? "–", apple ?? "–")
        guard max(sides.0.count, sides.1.count) > Self.widestValue else {
            lines.append(Self.row(name, sides.0, sides.1, mark))
            return
        }
        lines.append(Self.row(name, "", "", mark))
        lines.append("      stored  " + sides.0)
        lines.append("      Apple   " + sides.1)
    }

    private static let widestValue = 32

    private static func row(
        _ name: String, _ stored: String, _ apple: String, _ mark: String = ""
    ) -> String {
        var line = "    " + name.padded(to: 11) + stored.padded(to: 34) + apple
        if !mark.isEmpty { line = line.padded(to: 82) + mark }
        return line
    }

    /// - Parameter source: whose answer it is.
    private mutating func writeSource(
        _ id: ReceiptID, of bundle: BundleID?, _ environment: StoreEnvironment?,
        _ source: AnswerSource?, _ digest: String?
    ) {
        let answer = answer(to: id, from: source, digest)
        let receipt = file.receipts.first { $0.id == id && $0.source == source }
        let app = bundle.map { " of \($0)" } ?? ""
        let server = environment.map { ", \($0.rawValue)" } ?? ""
        let asked = (answer?.answeredAt ?? receipt?.answeredAt).map {
            ", \(source?.name ?? "Apple") was asked at \($0)"
        }
        let named = (digest ?? answer?.digest).map { ", answer \($0)" } ?? ""
        add("receipt \(id)\(app)\(server)\(asked ?? "")\(named)", indent: 4)
    }

    /// A kept answer to a receipt, or about its customer.
    /// - Parameter digest: the one with it, if it is kept.
    func answer(
        to receipt: ReceiptID, from source: AnswerSource?, _ digest: String? = nil
    ) -> CustomerFile.ShownAnswer? {
        if let digest { return file.answers.first { $0.digest == digest } }
        return file.answers.first { $0.receipt == receipt && $0.server.source == source }
    }

    // MARK: Other findings

    private mutating func writeOtherFindings(_ heading: String) {
        let shown = Set((file.rights ?? []).compactMap { finding(of: $0)?.id })
        let others = file.findings.filter { !shown.contains($0.id) }
        guard !others.isEmpty else { return }
        lines.append(heading)
        for row in others.sorted(by: {
            ($0.id == file.finding ? 0 : 1) < ($1.id == file.finding ? 0 : 1)
        }) {
            let finding = row.finding
            add(headline(row), hanging: 2)
            if let receipt = finding.receipt {
                writeSource(
                    receipt, of: finding.bundle, finding.environment,
                    finding.source ?? file.receipts.first { $0.id == receipt }?.source,
                    finding.evidenceSHA256)
            }
            add(finding.explanation, indent: 2)
            add(
                finding.kind.isEvent
                    ? "It is an event, which is reported once: there is nothing to resolve."
                    : "It is cleared when \(finding.remedy).", indent: 2)
            add("Its finding_id is \(row.id).", indent: 2)
            lines.append("")
        }
    }

    /// Adds `text`, wrapped at spaces; lines after the first get a hanging indent.
    mutating func add(_ text: String, indent: Int = 0, hanging: Int = 0) {
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
