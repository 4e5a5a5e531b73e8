/// A token of SQL. Comments are dropped, keywords are in lower case, a string is one token.
struct SQLToken: Equatable, Sendable {
    enum Kind: Sendable { case word, symbol, string }

    let kind: Kind
    let text: String
    let line: Int
}

/// Splits SQL into tokens. The body of a dollar-quoted string is read as code between two
/// semicolons: in our files it is the body of a `do` block or a function.
struct SQLScanner {
    private(set) var tokens: [SQLToken] = []
    private let source: [UInt8]
    private var position = 0
    private var line: Int

    init(_ source: String, line: Int = 1) {
        self.source = Array(source.utf8)
        self.line = line
        while let next = byte() { token(next) }
    }

    private func byte(_ offset: Int = 0) -> UInt8? {
        position + offset < source.count ? source[position + offset] : nil
    }

    private mutating func advance(_ count: Int = 1) {
        for _ in 0..<count where position < source.count {
            if source[position] == UInt8(ascii: "\n") { line += 1 }
            position += 1
        }
    }

    private mutating func token(_ next: UInt8) {
        switch (next, byte(1)) {
        case (UInt8(ascii: "-"), UInt8(ascii: "-")):
            while let next = byte(), next != UInt8(ascii: "\n") { advance() }
        case (UInt8(ascii: "/"), UInt8(ascii: "*")): blockComment()
        case (UInt8(ascii: "'"), _): quoted(by: next, as: .string)
        case (UInt8(ascii: "\""), _): quoted(by: next, as: .word)
        case (UInt8(ascii: "$"), _) where dollarTagLength != nil:
            append(.symbol, ";")
            advance(dollarTagLength ?? 0)
        case (0...32, _): advance()
        case _ where Self.isWord(next): word()
        default:
            append(.symbol, String(UnicodeScalar(next)))
            advance()
        }
    }

    private mutating func append(_ kind: SQLToken.Kind, _ text: String) {
        tokens.append(SQLToken(kind: kind, text: text, line: line))
    }

    private mutating func blockComment() {
        var depth = 0
        repeat {
            let opens = byte() == UInt8(ascii: "/") && byte(1) == UInt8(ascii: "*")
            let closes = byte() == UInt8(ascii: "*") && byte(1) == UInt8(ascii: "/")
            depth += opens ? 1 : closes ? -1 : 0
            advance(opens || closes ? 2 : 1)
        } while depth > 0 && byte() != nil
    }

    /// A string or a quoted name. A doubled quote is one quote; in `E'…'` a backslash escapes.
    private mutating func quoted(by quote: UInt8, as kind: SQLToken.Kind) {
        let escapes = kind == .string && tokens.last?.text == "e"
        let start = line
        var text: [UInt8] = []
        advance()
        while let next = byte() {
            if next == quote, byte(1) != quote { break }
            if next == quote || (escapes && next == UInt8(ascii: "\\")) { advance() }
            if let next = byte() { text.append(next) }
            advance()
        }
        advance()
        tokens.append(
            SQLToken(kind: kind, text: String(decoding: text, as: UTF8.self), line: start))
    }

    private mutating func word() {
        let start = position
        while let next = byte(), Self.isWord(next) { position += 1 }
        append(.word, String(decoding: source[start..<position], as: UTF8.self).lowercased())
    }

    /// The length of `$$` or `$tag$` at the position; nil for a parameter such as `$1`.
    private var dollarTagLength: Int? {
        let tag = source[(position + 1)...].prefix {
            Self.isWord($0) && $0 != UInt8(ascii: "$")
        }
        guard source.indices.contains(tag.endIndex), source[tag.endIndex] == UInt8(ascii: "$"),
            tag.first.map({ !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) ?? true
        else { return nil }
        return tag.count + 2
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || byte >= 0x80
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
