/// One object that a statement changes, creates or drops.
struct SQLWrite: Equatable, Sendable {
    enum Target: Hashable, Sendable {
        case relation(schema: String?, name: String)
        case schema(String)
        case role(String)
        /// An object outside any schema, for example a database or an extension.
        case other(String)
    }

    let verb: String
    let target: Target
    let line: Int
    /// A temporary table, which is dropped with the session.
    var isTemporary = false
}

extension SQLWrite {
    /// Words after which a statement may begin, besides brackets and semicolons. Elsewhere `update`
    /// is a privilege, a lock or an action: `grant update`, `for update`, `do update`.
    private static let openings: Set = [
        "begin", "atomic", "then", "else", "loop", "execute", "explain", "analyze", ";", "(", ")",
    ]

    /// Every write in some SQL: of its statements, of those in `with`, in the body of a block or a
    /// function, and of those in a string that is executed.
    static func all(in tokens: [SQLToken]) -> [SQLWrite] {
        tokens.indices.flatMap { index -> [SQLWrite] in
            let token = tokens[index]
            if token.kind == .string {
                return all(in: SQLScanner(token.text, line: token.line).tokens)
            }
            let opens = index == 0 || openings.contains(tokens[index - 1].text)
            guard token.kind == .word, opens else { return [] }
            var clause = SQLClause(tokens[(index + 1)...])
            return clause.targets(of: token.text).map { target, isTemporary in
                SQLWrite(
                    verb: token.text, target: target, line: token.line, isTemporary: isTemporary)
            }
        }
    }
}
