/// Splits Swift source into tokens.
///
/// It knows nested comments, every form of string literal with interpolated code, and regular
/// expressions between `#/` and `/#`. A regular expression between bare slashes is read as
/// operators; if it contains a quote, the file is reported as unreadable.
struct SwiftScanner {
    private(set) var tokens: [SwiftToken] = []
    private(set) var unreadableLine: Int?
    private let source: [UInt8]
    private var position = 0
    private var line = 1

    init(_ source: String) { self.source = Array(source.utf8) }

    mutating func scan() { code(endsAtParenthesis: false) }

    private func byte(_ offset: Int = 0) -> UInt8? {
        position + offset < source.count ? source[position + offset] : nil
    }

    private func follows(_ text: StaticString, at offset: Int = 0) -> Bool {
        text.withUTF8Buffer { wanted in
            source[min(position + offset, source.count)...].starts(with: wanted)
        }
    }

    private mutating func advance(_ count: Int = 1) {
        for _ in 0..<count where position < source.count {
            if source[position] == UInt8(ascii: "\n") { line += 1 }
            position += 1
        }
    }

    private mutating func append(_ kind: SwiftToken.Kind, _ text: String) {
        tokens.append(SwiftToken(kind: kind, text: text, line: line))
    }

    /// Reads code up to the end, or up to the parenthesis that ends an interpolation.
    private mutating func code(endsAtParenthesis: Bool) {
        var depth = 0
        while let next = byte() {
            switch next {
            case UInt8(ascii: "/") where follows("//"): lineComment()
            case UInt8(ascii: "/") where follows("/*"): blockComment()
            case UInt8(ascii: "\""): literal(hashes: 0)
            case UInt8(ascii: "#"): hash()
            case UInt8(ascii: "`"): escapedWord()
            case UInt8(ascii: "0")...UInt8(ascii: "9"): number()
            case _ where next.isWordByte: word()
            case 0...32: advance()
            default:
                if next == UInt8(ascii: "(") { depth += 1 }
                if next == UInt8(ascii: ")") { depth -= 1 }
                append(.symbol, String(UnicodeScalar(next)))
                advance()
                if depth < 0, endsAtParenthesis { return }
            }
        }
        if endsAtParenthesis { unreadableLine = unreadableLine ?? line }
    }

    private mutating func lineComment() {
        while let next = byte(), next != UInt8(ascii: "\n") { advance() }
    }

    private mutating func blockComment() {
        let (start, opening) = (line, "/*".utf8.count)
        var depth = 0
        repeat {
            if follows("/*") {
                depth += 1
                advance(opening)
            } else if follows("*/") {
                depth -= 1
                advance(opening)
            } else {
                advance()
            }
        } while depth > 0 && byte() != nil
        if depth > 0 { unreadableLine = unreadableLine ?? start }
    }

    private mutating func word() {
        let start = position
        while let next = byte(), next.isWordByte { position += 1 }
        append(.word, String(decoding: source[start..<position], as: UTF8.self))
    }

    private mutating func escapedWord() {
        advance()
        word()
        if byte() == UInt8(ascii: "`") { advance() }
    }

    private mutating func number() {
        let start = position
        while let next = byte() {
            let isPoint = next == UInt8(ascii: ".") && byte(1)?.isDigit ?? false
            guard next.isWordByte || isPoint else { break }
            position += 1
        }
        append(.number, String(decoding: source[start..<position], as: UTF8.self))
    }

    /// `#if`, `#filePath`, or the start of a raw string or an extended regular expression.
    private mutating func hash() {
        var hashes = 0
        while byte(hashes) == UInt8(ascii: "#") { hashes += 1 }
        switch byte(hashes) {
        case UInt8(ascii: "\""):
            advance(hashes)
            literal(hashes: hashes)
        case UInt8(ascii: "/"):
            let start = line
            advance(hashes + 1)
            while byte() != nil, !(byte() == UInt8(ascii: "/") && hasHashes(hashes, at: 1)) {
                advance()
            }
            if byte() == nil { unreadableLine = unreadableLine ?? start }
            advance(hashes + 1)
        default:
            append(.symbol, "#")
            advance()
        }
    }

    private func hasHashes(_ count: Int, at offset: Int) -> Bool {
        (0..<count).allSatisfy { byte(offset + $0) == UInt8(ascii: "#") }
    }

    /// Reads a literal whose first quote is next. Its token precedes those of the code interpolated
    /// in it.
    private mutating func literal(hashes: Int) {
        let (index, start, quotes) = (tokens.count, line, opensManyLines ? 3 : 1)
        append(.literal, "")
        advance(quotes)
        var text: [UInt8] = []
        while let next = byte() {
            if next == UInt8(ascii: "\""), quotes == 1 || follows("\"\"\""),
                hasHashes(hashes, at: quotes)
            {
                advance(quotes + hashes)
                tokens[index].text = String(decoding: text, as: UTF8.self)
                return
            }
            if next == UInt8(ascii: "\n"), quotes == 1 { break }
            if next == UInt8(ascii: "\\"), hasHashes(hashes, at: 1) {
                advance(1 + hashes)
                text += escape()
            } else {
                text.append(next)
                advance()
            }
        }
        unreadableLine = unreadableLine ?? start
    }

    /// Three quotes open a multi-line literal only when nothing else follows on their line.
    private var opensManyLines: Bool {
        guard follows("\"\"\"") else { return false }
        let rest = source[(position + 3)...].prefix { $0 != UInt8(ascii: "\n") }
        return rest.allSatisfy { $0 <= 32 }
    }

    /// The escaped character after a backslash, if a rule needs it.
    private mutating func escape() -> [UInt8] {
        guard byte() == UInt8(ascii: "(") else {
            defer { advance() }
            let isSpace = byte() == UInt8(ascii: "n") || byte() == UInt8(ascii: "t")
            return isSpace ? [32] : [byte()].compactMap(\.self)
        }
        append(.symbol, "(")
        advance()
        code(endsAtParenthesis: true)
        return Array("\u{FFFC}".utf8)
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    fileprivate var isWordByte: Bool {
        isDigit || self == UInt8(ascii: "_") || self == UInt8(ascii: "$") || self >= 0x80
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
    }
}
