/// Formats rows as JSON: an array with one object a line, keys in column order. The same values as
/// in CSV, but without a leading `'`: null for an empty cell, booleans and integers as such,
/// amounts and identifiers as strings. A table without rows is `[]`.
struct JSONReport<Row>: Sendable {
    private let fields: [(key: [UInt8], column: Column<Row>)]
    private var isEmpty = true

    init(columns: [Column<Row>]) {
        fields = columns.enumerated().map { index, column in
            (Array("\(index == 0 ? "{" : ",")\"\(column.name)\":".utf8), column)
        }
    }

    mutating func append(_ row: Row, of run: RowStamp, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: isEmpty ? [openBracket, lineFeed] : [comma, lineFeed])
        isEmpty = false
        for (key, column) in fields {
            bytes.append(contentsOf: key)
            bytes.append(json: column.cell(row, run))
        }
        bytes.append(UInt8(ascii: "}"))
    }

    func appendEnd(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: isEmpty ? [openBracket] : [lineFeed])
        bytes.append(contentsOf: [UInt8(ascii: "]"), lineFeed])
    }
}

private let openBracket = UInt8(ascii: "[")
private let comma = UInt8(ascii: ",")
private let lineFeed: UInt8 = 10

extension [UInt8] {
    fileprivate mutating func append(json cell: Cell) {
        switch cell {
        case .text(let text?): append(jsonString: text)
        case .instant(let instant?): append(jsonString: instant.description)
        case .day(let day?): append(jsonString: day.dayText)
        case .boolean(let truth?): append(contentsOf: (truth ? "true" : "false").utf8)
        case .integer(let number?): append(contentsOf: String(number).utf8)
        case .decimal(let digits?), .digest(let digits?): append(jsonString: digits)
        case .text(nil), .instant(nil), .day(nil), .boolean(nil), .integer(nil), .decimal(nil),
            .digest(nil):
            append(contentsOf: "null".utf8)
        }
    }
}
