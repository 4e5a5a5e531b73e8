/// A workbook cell (ECMA-376, SpreadsheetML). Texts are stored as texts, so that nothing written by
/// a customer or a store is taken for a formula, a number or a tag.
enum WorkbookCell: Equatable {
    case empty
    case text(String)
    case sentence(String)
    case heading(String)
    case numberHeading(String)
    case verdictHeading(String)
    case title(String)
    case instant(Instant)
    case day(Instant)
    case boolean(Bool)
    case integer(Int)
    /// Digits with a decimal point, from our own formatting.
    case decimal(String)
    /// A formula and its precomputed value.
    case formula(String, decimal: String)
    case verdict(formula: String, text: String)

    init(_ cell: Cell) {
        switch cell {
        case .text(let text?), .digest(let text?): self = .text(text)
        case .instant(let instant?): self = .instant(instant)
        case .day(let day?): self = .day(day)
        case .boolean(let truth?): self = .boolean(truth)
        case .integer(let number?): self = .integer(number)
        case .decimal(let digits?): self = .decimal(digits)
        case .text(nil), .digest(nil), .instant(nil), .day(nil), .boolean(nil), .integer(nil),
            .decimal(nil):
            self = .empty
        }
    }

    var width: Int {
        switch self {
        case .empty, .sentence, .title: 0
        case .text(let text), .heading(let text), .verdictHeading(let text), .verdict(_, let text):
            min(text.count, 80)
        case .numberHeading(let text): min(text.count + 2, 80)
        case .instant: 19
        case .day: 10
        case .boolean: 5
        case .integer(let number): number.grouped.count + 2
        case .decimal(let digits), .formula(_, let digits): digits.count * 4 / 3 + 2
        }
    }

    func append(to bytes: inout [UInt8], at column: String, _ row: Int) {
        let openTag = "<c r=\"\(column)\(row)\""
        switch self {
        case .empty: break
        case .text(let text):
            let isFormula = Array(text.utf8).withUnsafeBufferPointer(CSV.startsFormula)
            Self.append(text, isFormula ? .quotedText : .text, openTag, to: &bytes)
        case .sentence(let text): Self.append(text, .sentence, openTag, to: &bytes)
        case .heading(let text): Self.append(text, .heading, openTag, to: &bytes)
        case .numberHeading(let text): Self.append(text, .numberHeading, openTag, to: &bytes)
        case .verdictHeading(let text): Self.append(text, .verdictHeading, openTag, to: &bytes)
        case .title(let text): Self.append(text, .title, openTag, to: &bytes)
        case .instant(let instant):
            append(instant.spreadsheetDay, .instant, instant.description, openTag, to: &bytes)
        case .day(let day): append(day.spreadsheetDay, .day, day.dayText, openTag, to: &bytes)
        case .boolean(let truth):
            bytes += "\(openTag) s=\"\(WorkbookStyle.boolean.rawValue)\" t=\"b\">".utf8
            bytes += "<v>\(truth ? 1 : 0)</v></c>".utf8
        case .integer(let number):
            append(
                number.isExactInSpreadsheets ? "\(number)" : nil, .integer, "\(number)", openTag,
                to: &bytes)
        case .decimal(let digits):
            append(Self.number(digits), .decimal(digits), digits, openTag, to: &bytes)
        case .formula(let formula, let digits):
            bytes += "\(openTag) s=\"\(WorkbookStyle.decimal(digits).rawValue)\">".utf8
            Self.append(formula, value: digits, to: &bytes)
        case .verdict(let formula, let text):
            bytes += "\(openTag) s=\"\(WorkbookStyle.verdict.rawValue)\" t=\"str\">".utf8
            Self.append(formula, value: text, to: &bytes)
        }
    }

    /// A formula may compare by `<`, and a sheet's title may contain `&`.
    private static func append(_ formula: String, value: String, to bytes: inout [UInt8]) {
        bytes += "<f>".utf8
        bytes.append(spreadsheetText: formula)
        bytes += "</f><v>".utf8
        bytes.append(spreadsheetText: value)
        bytes += "</v></c>".utf8
    }

    private func append(
        _ number: String?, _ style: WorkbookStyle, _ text: String, _ openTag: String,
        to bytes: inout [UInt8]
    ) {
        guard let number else { return Self.append(text, .text, openTag, to: &bytes) }
        bytes += "\(openTag) s=\"\(style.rawValue)\"><v>\(number)</v></c>".utf8
    }

    private static func number(_ digits: String) -> String? { isNumber(digits) ? digits : nil }

    /// Whether a spreadsheet keeps all digits of the amount: at most 15.
    static func isNumber(_ digits: String) -> Bool {
        digits.utf8.count { (48...57).contains($0) } <= 15
    }

    private static func append(
        _ text: String, _ style: WorkbookStyle, _ openTag: String, to bytes: inout [UInt8]
    ) {
        bytes +=
            "\(openTag) s=\"\(style.rawValue)\" t=\"inlineStr\"><is><t xml:space=\"preserve\">".utf8
        bytes.append(spreadsheetText: text)
        bytes += "</t></is></c>".utf8
    }
}

extension Instant {
    /// Days since 1899-12-30 with a fraction, as spreadsheets store dates. Nil before March 1900,
    /// because Excel counts a 29 February 1900 (Lotus 1-2-3 did), and after 9999.
    var spreadsheetDay: String? {
        let seconds = civil.millisecondOfDay / 1_000
        let days = civil.date.daysSince1970 + 25_569
        guard isFinite, (61..<2_958_466).contains(days) else { return nil }
        return seconds == 0 ? "\(days)" : "\(Double(days) + Double(seconds) / 86_400)"
    }
}

extension Int {
    /// Spreadsheets store doubles and show 15 digits.
    fileprivate var isExactInSpreadsheets: Bool { magnitude < 1_000_000_000_000_000 }
}

extension [UInt8] {
    /// Appends text between tags, cut to the 32,767 UTF-16 units of a cell. Control characters
    /// become `_xHHHH_`, as SpreadsheetML requires.
    fileprivate mutating func append(spreadsheetText text: String) {
        if text.isPlainInSpreadsheets {
            self += text.utf8
            return
        }
        let whole = text.utf16.count <= 32_767
        var room = whole ? Int.max : 32_766
        var scalars = Substring(text).unicodeScalars
        while let scalar = scalars.first {
            room -= scalar.utf16.count
            if room < 0 { break }
            append(scalar, before: scalars.dropFirst())
            scalars.removeFirst()
        }
        if !whole { self += "…".utf8 }
    }

    private mutating func append(
        _ scalar: Unicode.Scalar, before rest: Substring.UnicodeScalarView
    ) {
        switch scalar {
        case "&": self += "&amp;".utf8
        case "<": self += "&lt;".utf8
        case ">": self += "&gt;".utf8
        case "\t", "\n": append(UInt8(scalar.value))
        case "_" where rest.looksEscaped: self += "_x005F_".utf8
        case "\u{0}"..."\u{1F}", "\u{7F}", "\u{FFFE}", "\u{FFFF}":
            let bytes = [UInt8(scalar.value >> 8), UInt8(scalar.value & 0xFF)]
            self += "_x\(bytes.hexadecimal.uppercased())_".utf8
        default: self += String(scalar).utf8
        }
    }
}

extension String {
    /// Whether every byte stands for itself, as in nearly all texts of ours: then none is looked at
    /// as a character, which took two hundred times as long.
    fileprivate var isPlainInSpreadsheets: Bool {
        var last: UInt8 = 0
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"): return false
            case UInt8(ascii: "x") where last == UInt8(ascii: "_"): return false
            case 0x20..<0x7F: last = byte
            default: return false
            }
        }
        return utf8.count <= 32_767
    }
}

extension Substring.UnicodeScalarView {
    /// Whether the text continues as `xHHHH_`, which after `_` would be read as an escape.
    fileprivate var looksEscaped: Bool {
        let next = prefix(6)
        return next.count == 6 && next.first == "x" && next.last == "_"
            && next.dropFirst().prefix(4).allSatisfy(\.properties.isASCIIHexDigit)
    }
}
