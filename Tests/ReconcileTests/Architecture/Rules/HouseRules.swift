/// All source rules, applied to a list of files.
enum HouseRules {
    static func violations(in files: [SourceFile]) -> [Violation] {
        let swift = files.filter(\.isSwift).map(SwiftFile.init)
        let naming = NamingRule(swift)
        var found = unsafeStorage(in: swift) + SchemaRule.violations(in: files)
        for file in swift {
            found += noRoom(file)
            found += ImportRule.violations(in: file)
            found += naming.violations(in: file)
            found += EdgeRule.violations(in: file)
            found += StatementTextRule.violations(in: file)
            found += LimitRule.violations(in: file)
        }
        found += files.filter(\.isSQL).flatMap { LimitRule.violations(in: $0) }
        return found.sorted { ($0.path, $0.line) < ($1.path, $1.line) }
    }

    private static func noRoom(_ file: SwiftFile) -> [Violation] {
        guard file.path.hasPrefix("Sources/"), file.room == nil else { return [] }
        let what = file.source.roomName.map { "`\($0)` is not in the module table" }
        return [file.violation(.limit(.noRoom), line: 1, what ?? "The file is in no module")]
    }

    /// `nonisolated(unsafe)`: one in the whole package, in HTTP.
    private static func unsafeStorage(in files: [SwiftFile]) -> [Violation] {
        let uses = files.flatMap { file in
            file.tokens.indices.filter { index in
                file.tokens.all[index].isWord("nonisolated")
                    && file.tokens.symbol("(", at: 1, of: index)
                    && file.tokens.word("unsafe", at: 2, of: index)
            }.map { (file, file.tokens.all[$0].line) }
        }
        let allowed = uses.firstIndex { $0.0.room?.name == "HTTP" }
        return uses.indices.filter { $0 != allowed }.map { index in
            let (file, line) = uses[index]
            return file.violation(.limit(.nonisolatedUnsafe), line: line, "`nonisolated(unsafe)`")
        }
    }
}
