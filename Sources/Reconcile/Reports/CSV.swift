enum CSV {
    /// Rows in one file for Excel, which reads at most 1,048,576.
    static let rowsPerFile = 1_000_000

    static let lineEnd: [UInt8] = [13, 10]
    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Parts are counted from 1.
    static func name(of table: String, part: Int) -> String {
        guard part > 1 else { return table + ".csv" }
        let digits = String(part)
        let zeros = String(repeating: "0", count: max(0, 4 - digits.count))
        return "\(table)-part-\(zeros)\(digits).csv"
    }

    static func append(
        _ cell: Cell, _ dialect: CSVDialect, to bytes: inout [UInt8]
    ) {
        switch cell {
        case .text(let text?), .digest(let text?):
            append(text: text, dialect, to: &bytes)
        // Guarded like text: BC years and -infinity begin with a minus.
        case .instant(let instant?): append(text: instant.description, .plain, to: &bytes)
        case .day(let day?): append(text: day.dayText, .plain, to: &bytes)
        case .boolean(let truth?): bytes.append(contentsOf: (truth ? "true" : "false").utf8)
        case .integer(let number?): bytes.append(contentsOf: String(number).utf8)
        case .decimal(let digits?):
            let point = UInt8(ascii: ".")
            let separator = dialect.decimalSeparator
            bytes.append(contentsOf: digits.utf8.map { $0 == point ? separator : $0 })
        case .text(nil), .instant(nil), .day(nil), .boolean(nil), .integer(nil), .decimal(nil),
            .digest(nil):
            break
        }
    }

    private static func append(
        text: String, _ dialect: CSVDialect, to bytes: inout [UInt8]
    ) {
        var text = text
        text.withUTF8 { utf8 in
            let separator = dialect.separator
            let isPlain = utf8.allSatisfy {
                $0 > 59 || ($0 >= 32 && $0 != quote && $0 != comma && $0 != separator)
            }
            let isGuarded = isChanged(utf8, dialect)
            if isPlain && !utf8.isEmpty {
                if isGuarded { bytes.append(apostrophe) }
                bytes.append(contentsOf: utf8)
            } else {
                bytes.append(quote)
                if isGuarded { bytes.append(apostrophe) }
                appendQuoted(utf8, to: &bytes)
                bytes.append(quote)
            }
        }
    }

    private static func appendQuoted(
        _ utf8: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]
    ) {
        for byte in utf8 {
            switch byte {
            case quote: bytes.append(contentsOf: [quote, quote])
            case 0: bytes.append(contentsOf: replacementCharacter)
            default: bytes.append(byte)
            }
        }
    }

    /// Whether a spreadsheet would change the text on opening.
    static func isChanged(_ utf8: UnsafeBufferPointer<UInt8>, _ dialect: CSVDialect) -> Bool {
        startsFormula(utf8) || dialect.isForSpreadsheets && isNumber(utf8, dialect)
    }

    /// Whether a spreadsheet may read the text as a number, amount, date, time, boolean or error.
    private static func isNumber(
        _ utf8: UnsafeBufferPointer<UInt8>, _ dialect: CSVDialect
    ) -> Bool {
        guard utf8.count <= 40 else { return utf8.allSatisfy(isDigit) }
        if utf8.first == UInt8(ascii: "#") { return true }
        let text = String(decoding: utf8, as: UTF8.self).lowercased()
        if truthWords.contains(text) { return true }
        if dialect == .excelEU, germanWords.contains(text) { return true }
        guard utf8.contains(where: isDigit) else { return false }
        let words = text.split { !$0.isLetter }
        return text.allSatisfy { $0.isLetter || $0.isNumber || " ()%+,-./:$€£¥".contains($0) }
            && words.allSatisfy { word in
                numberWords.contains(String(word))
                    || dialect == .excelEU && germanMonths.contains(String(word))
            }
    }

    private static let truthWords: Set = ["true", "false"]

    private static let germanWords: Set = ["wahr", "falsch"]

    private static let germanMonths: Set = {
        let months = [
            "januar", "jänner", "februar", "märz", "april", "mai", "juni", "juli", "august",
            "september", "oktober", "november", "dezember",
        ]
        return Set(months + months.map { String($0.prefix(3)) } + ["uhr"])
    }()

    private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

    private static let numberWords: Set = {
        let months = [
            "january", "february", "march", "april", "may", "june", "july", "august", "september",
            "october", "november", "december",
        ]
        return Set(
            months + months.map { String($0.prefix(3)) } + ["e", "am", "pm", "a", "p", "sept"])
    }()

    /// The first character decides. Some spreadsheets treat the full-width `＝ ＋ － ＠` alike.
    static func startsFormula(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
        switch utf8.first {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 9, 10, 13:
            return true
        case 0xEF where utf8.count >= 3 && utf8[1] == 0xBC:
            return [0x9D, 0x8B, 0x8D, 0xA0].contains(utf8[2])
        default:
            return false
        }
    }

    private static let quote = UInt8(ascii: "\"")
    private static let comma = UInt8(ascii: ",")
    private static let apostrophe = UInt8(ascii: "'")
}
