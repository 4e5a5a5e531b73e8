/// A token of Swift source. Comments are dropped; a string literal is one token.
struct SwiftToken: Equatable, Sendable {
    enum Kind: Sendable { case word, number, symbol, literal }

    let kind: Kind
    /// A literal's text without its quotes; `\u{FFFC}` replaces an interpolation.
    var text: String
    let line: Int

    func isSymbol(_ symbol: String) -> Bool { kind == .symbol && text == symbol }
    func isWord(_ word: String) -> Bool { kind == .word && text == word }
}

/// Tokens with the questions that the rules ask about a token's neighbours.
struct SwiftTokens: Sendable {
    let all: [SwiftToken]
    /// The line of a literal or comment that does not end; the tokens after it are missing.
    let unreadableLine: Int?

    /// Names that qualify a name without making it a member.
    private static let modules: Set = [
        "Reconcile", "Swift", "Glibc", "Foundation", "FoundationEssentials",
    ]

    init(_ source: String) {
        var scanner = SwiftScanner(source)
        scanner.scan()
        all = scanner.tokens
        unreadableLine = scanner.unreadableLine
    }

    var indices: Range<Int> { all.indices }

    /// The token `distance` after the one at `index`; before it when negative.
    func neighbour(_ distance: Int, of index: Int) -> SwiftToken? {
        all.indices.contains(index + distance) ? all[index + distance] : nil
    }

    func symbol(_ symbol: String, at distance: Int, of index: Int) -> Bool {
        neighbour(distance, of: index)?.isSymbol(symbol) ?? false
    }

    func word(_ word: String, at distance: Int, of index: Int) -> Bool {
        neighbour(distance, of: index)?.isWord(word) ?? false
    }

    /// Whether the word at `index` is a member of something: `x.run`, `.run`, `Clock.Instant`.
    /// The end of a range (`0...Limit.most`) and a name after its module are not.
    func isMember(_ index: Int) -> Bool {
        guard symbol(".", at: -1, of: index), !symbol(".", at: -2, of: index) else { return false }
        guard let owner = neighbour(-2, of: index), owner.kind == .word else { return true }
        return !Self.modules.contains(owner.text) || symbol(".", at: -3, of: index)
    }

    /// The names in a generic parameter list that opens at `index`; empty without a list.
    func genericParameters(at index: Int) -> [String] {
        guard all.indices.contains(index), all[index].isSymbol("<") else { return [] }
        var (names, depth) = ([String](), 0)
        for position in index..<all.endIndex {
            if all[position].isSymbol("<") { depth += 1 }
            if all[position].isSymbol(">") { depth -= 1 }
            if depth == 0 { break }
            let opens = depth == 1 && (all[position].isSymbol("<") || all[position].isSymbol(","))
            guard opens, let name = neighbour(1, of: position), name.kind == .word else { continue }
            names.append(name.text == "each" ? neighbour(2, of: position)?.text ?? "" : name.text)
        }
        return names
    }
}
