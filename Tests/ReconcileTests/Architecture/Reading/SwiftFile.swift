struct SwiftFile: Sendable {
    let source: SourceFile
    let tokens: SwiftTokens
    let declarations: Declarations
    /// Nil for tests and the manifest, and for a module that the table lacks.
    let room: Room?

    init(_ source: SourceFile) {
        self.source = source
        tokens = SwiftTokens(source.text)
        declarations = Declarations(tokens)
        room = source.roomName.flatMap(FloorPlan.room(named:))
    }

    var path: String { source.path }
    var lines: [Substring] { source.text.split(separator: "\n", omittingEmptySubsequences: false) }

    var imports: [(module: String, line: Int)] {
        let kinds: Set = [
            "struct", "enum", "class", "actor", "protocol", "typealias", "func", "var", "let",
        ]
        return tokens.indices.compactMap { index in
            guard tokens.all[index].isWord("import"), !tokens.isMember(index),
                let next = tokens.neighbour(1, of: index), next.kind == .word
            else { return nil }
            let module = kinds.contains(next.text) ? tokens.neighbour(2, of: index) : next
            return module.map { ($0.text, $0.line) }
        }
    }

    func violation(_ rule: HouseRule, line: Int, _ what: String) -> Violation {
        Violation(path: path, line: line, rule: rule, what: what)
    }
}
