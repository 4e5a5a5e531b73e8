/// One thing that a statement changes, creates or drops.
struct SQLWrite: Equatable, Sendable {
    enum Target: Hashable, Sendable {
        case relation(schema: String?, name: String)
        case schema(String)
        case role(String)
        /// Something that lies in no schema, for example a database or an extension.
        case other(String)
    }

    let verb: String
    let target: Target
    let line: Int
    /// Made by `create temporary table`: gone with the session.
    var isTemporary = false
}

extension SQLWrite {
    /// Words after which a statement may begin, besides brackets and semicolons. Elsewhere
    /// `update` is a right, a lock or an action: `grant update`, `for update`, `do update`.
    private static let openings: Set = [
        "begin", "atomic", "then", "else", "loop", "execute", "explain", "analyze", ";", "(", ")",
    ]

    /// Every write in some SQL: of its statements, of those in `with`, in a block's or function's
    /// body, and of those that stand in a string to be executed.
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
