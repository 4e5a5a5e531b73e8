/// The numbers of a run as JSON, for `summary.json` and `--output json`.
package enum SummaryReport {
    package static func json(_ summary: Summary, codeVersion: String) -> [UInt8] {
        PrintedJSON(SummaryOutline(summary, codeVersion: codeVersion).rows).bytes
    }
}

extension PrintedJSON {
    init(_ rows: [SummaryOutline.Row]) {
        self = .object(rows.map { ($0.name, PrintedJSON($0.value)) })
    }

    init(_ value: SummaryOutline.Value) {
        self =
            switch value {
            case .none: .null
            case .text(let text): PrintedJSON(text)
            case .texts(let texts): .array(texts.map(Self.string))
            case .truth(let truth): .boolean(truth)
            case .count(let count): .integer(count)
            case .instant(let instant): PrintedJSON(instant?.description)
            case .amount(let money): .string(money.text)
            case .rows, .sum: PrintedJSON(value.rows)
            case .list(let elements): .array(elements.map { PrintedJSON($0) })
            }
    }
}

extension Run {
    var offlineMark: [(String, PrintedJSON)] { isOffline ? [("offline", .boolean(true))] : [] }
}
