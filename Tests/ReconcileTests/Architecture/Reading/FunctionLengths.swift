/// A function, initializer, subscript or computed property, from its keyword to its last brace.
struct FunctionLength: Equatable, Sendable {
    let name: String
    let line: Int
    let lines: Int

    static func all(in tokens: SwiftTokens) -> [FunctionLength] {
        tokens.indices.compactMap { index in
            let token = tokens.all[index]
            guard keywords.contains(token.text), token.kind == .word, !tokens.isMember(index),
                let opening = body(after: index, in: tokens),
                let closing = end(of: opening, in: tokens)
            else { return nil }
            let next = tokens.neighbour(1, of: index)
            let name = next?.kind == .word ? next?.text : nil
            return FunctionLength(
                name: name ?? token.text, line: token.line,
                lines: tokens.all[closing].line - token.line + 1)
        }
    }

    private static let keywords: Set = ["func", "init", "deinit", "subscript", "var"]

    /// The index of the brace that opens the body of the declaration at `index`. Nil for a protocol
    /// requirement and for a stored property: its type ends with the line, or with `=`.
    private static func body(after index: Int, in tokens: SwiftTokens) -> Int? {
        var depth = 0
        for position in (index + 1)..<max(index + 1, tokens.all.endIndex) {
            let token = tokens.all[position]
            switch token.text {
            case "{" where depth == 0 && token.kind == .symbol: return position
            case "(" where token.kind == .symbol, "[" where token.kind == .symbol: depth += 1
            case ")" where token.kind == .symbol, "]" where token.kind == .symbol: depth -= 1
            case "}" where depth == 0 && token.kind == .symbol: return nil
            case "=" where depth == 0 && tokens.all[index].text == "var": return nil
            case _ where keywords.contains(token.text) && depth == 0: return nil
            default: break
            }
            if depth < 0 { return nil }
            let isNewLine = token.line > tokens.all[position - 1].line
            if tokens.all[index].text == "var", isNewLine, depth == 0 { return nil }
        }
        return nil
    }

    private static func end(of opening: Int, in tokens: SwiftTokens) -> Int? {
        var depth = 0
        for position in opening..<tokens.all.endIndex {
            if tokens.all[position].isSymbol("{") { depth += 1 }
            if tokens.all[position].isSymbol("}") { depth -= 1 }
            if depth == 0 { return position }
        }
        return nil
    }
}
