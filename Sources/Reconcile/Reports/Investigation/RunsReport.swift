/// The output of `runs`, newest run first.
package enum RunsReport {
    package static func text(_ runs: [RunListing.Line]) -> String {
        guard !runs.isEmpty else { return "No run has been opened yet.\n" }
        return runs.map { run in
            ([head(run)] + body(run)).map { $0.escapingControls() + "\n" }.joined()
        }.joined()
    }

    package static func json(_ runs: [RunListing.Line]) -> [UInt8] {
        PrintedJSON.array(runs.map(\.json)).bytes
    }

    private static func head(_ run: RunListing.Line) -> String {
        var words = [run.result?.status == .incomplete ? run.state + ", incomplete" : run.state]
        if !run.scope.isEmpty { words.append(run.scope) }
        if run.isPruned { words.append("pruned") }
        return "\(run.run)  " + words.joined(separator: ", ")
    }

    private static func body(_ run: RunListing.Line) -> [String] {
        let took = run.seconds.map { ", took \(Duration.seconds($0).inWords)" } ?? ""
        let when = "    as of \(run.asOf), began \(run.startedAt)\(took)"
        let head = [when] + (run.planned.map { [views($0, run.atClose)] } ?? [])
        let signed = run.signatures.flatMap(signed)
        guard let result = run.result else { return head + signed }
        let findings = Severity.allCases.compactMap { severity in
            result.findings[severity].map { "\($0.grouped) \(severity.rawValue)" }
        }
        var lines =
            head + [
                "    \(result.receipts.grouped) receipts; findings: "
                    + (findings.isEmpty ? "none" : findings.joined(separator: ", "))
            ]
        let money = result.money.map { "\($0.bucket.rawValue) \($0.text) \($0.currency.code)" }
        if !money.isEmpty { lines.append("    " + money.joined(separator: ", ")) }
        return lines + signed
    }

    private static func signed(_ signature: SignOff) -> [String] {
        let text = "signed by \(signature.sentence)".escapingControls()
        let lines = text.wrapped(to: 92).flatMap { $0.broken(to: 92) }
        return lines.enumerated().map { ($0.offset == 0 ? "    " : "      ") + $0.element }
    }

    private static func views(_ planned: ViewCounts, _ atClose: ViewCounts?) -> String {
        let cut = "    views: \(planned.inWords) when cut"
        guard let atClose else { return cut }
        return cut
            + (atClose == planned ? ", and when closed" : "; \(atClose.inWords) when closed")
    }
}

extension RunListing.Line {
    fileprivate var json: PrintedJSON {
        let fields: [(key: String, value: PrintedJSON)] = [
            ("run_id", .string(run.text)), ("as_of", .string(asOf.description)),
            ("started_at", .string(startedAt.description)),
            ("finished_at", PrintedJSON(finishedAt?.description)),
            ("duration_seconds", seconds.map(PrintedJSON.integer) ?? .null),
            ("state", .string(state)), ("status", PrintedJSON(result?.status.rawValue)),
            ("scope", PrintedJSON(scope.isEmpty ? nil : scope)), ("pruned", .boolean(isPruned)),
            ("receipts", result.map { .integer($0.receipts) } ?? .null),
            ("findings", result?.findingsJSON ?? .null), ("money", result?.moneyJSON ?? .null),
            ("planned", planned.map { PrintedJSON($0.rows) } ?? .null),
            ("at_close", atClose.map { PrintedJSON($0.rows) } ?? .null),
            ("signatures", .array(signatures.map(\.printed))),
        ]
        return .object(fields)
    }
}

extension RunListing.Line.Result {
    fileprivate var findingsJSON: PrintedJSON {
        .object(Severity.allCases.map { ($0.rawValue, .integer(findings[$0] ?? 0)) })
    }

    fileprivate var moneyJSON: PrintedJSON {
        .object(
            MoneyTally.Bucket.allCases.map { bucket in
                let amounts = money.filter { $0.bucket == bucket }.map {
                    ($0.currency.code, PrintedJSON.string($0.text))
                }
                return (bucket.rawValue, .object(amounts))
            })
    }
}

extension Duration {
    /// For example `41 min 5 s`: the two largest units.
    fileprivate var inWords: String {
        let seconds = Int(components.seconds)
        let parts = [
            (seconds / 86_400, "d"), (seconds / 3_600 % 24, "h"), (seconds / 60 % 60, "min"),
            (seconds % 60, "s"),
        ]
        let shown = parts.drop { $0.0 == 0 }.prefix(2)
        return shown.isEmpty ? "0 s" : shown.map { "\($0.0) \($0.1)" }.joined(separator: " ")
    }
}
