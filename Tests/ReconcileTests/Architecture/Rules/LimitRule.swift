enum LimitRule {
    static func violations(in file: SwiftFile) -> [Violation] {
        lengths(of: file) + columns(of: file.source) + hatches(in: file) + folder(of: file.source)
    }

    /// Lines that are too long, and forbidden folder names.
    static func violations(in file: SourceFile) -> [Violation] {
        columns(of: file) + folder(of: file)
    }

    private static func lengths(of file: SwiftFile) -> [Violation] {
        let count = file.lines.count - (file.source.text.hasSuffix("\n") ? 1 : 0)
        let functions = FunctionLength.all(in: file.tokens).filter {
            $0.lines > HouseLimit.mostLinesInFunction
        }
        let tooLong = functions.map {
            file.violation(
                .limit(.functionLength), line: $0.line,
                "`\($0.name)` has \($0.lines) lines, \(HouseLimit.mostLinesInFunction) at most")
        }
        guard count > HouseLimit.mostLinesInFile else { return tooLong }
        return tooLong + [
            file.violation(
                .limit(.fileLength), line: count,
                "The file has \(count) lines, \(HouseLimit.mostLinesInFile) at most")
        ]
    }

    private static func columns(of file: SourceFile) -> [Violation] {
        let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.indices.compactMap { index in
            // Bytes are at least as many as columns, and quicker to count.
            guard lines[index].utf8.count > HouseLimit.mostColumns,
                lines[index].count > HouseLimit.mostColumns
            else { return nil }
            return Violation(
                path: file.path, line: index + 1, rule: .limit(.lineLength),
                what: "\(lines[index].count) columns, \(HouseLimit.mostColumns) at most")
        }
    }

    private static func folder(of file: SourceFile) -> [Violation] {
        file.folders.filter(FloorPlan.forbiddenFolders.contains).map {
            Violation(
                path: file.path, line: 1, rule: .limit(.folderName),
                what: "A folder is named `\($0)`")
        }
    }

    /// Escapes from the compiler's checks, and global state.
    private static func hatches(in file: SwiftFile) -> [Violation] {
        let tokens = file.tokens
        let inText = tokens.indices.compactMap { index -> Violation? in
            guard let (limit, what) = hatch(at: index, in: file) else { return nil }
            return file.violation(.limit(limit), line: tokens.all[index].line, what)
        }
        let unreadable = tokens.unreadableLine.map {
            file.violation(.limit(.unreadable), line: $0, "A literal or comment does not end")
        }
        guard file.room != nil, !file.path.hasSuffix("/main.swift") else {
            return inText + [unreadable].compactMap(\.self)
        }
        return inText + [unreadable].compactMap(\.self)
            + file.declarations.globalVariables.map {
                file.violation(.limit(.globalVariable), line: $0, "A variable is global")
            }
    }

    private static func hatch(at index: Int, in file: SwiftFile) -> (HouseLimit, String)? {
        let tokens = file.tokens
        guard tokens.all[index].kind == .word else { return nil }
        switch tokens.all[index].text {
        case "unchecked" where tokens.symbol("@", at: -1, of: index):
            return (.uncheckedSendable, "`@unchecked`")
        case "try" where tokens.symbol("!", at: 1, of: index): return (.forcedTry, "`try!`")
        case let word where word.hasPrefix("SIMD") && word.dropFirst(4).allSatisfy(\.isNumber):
            return (.vector, "`\(word)`")
        case "fatalError" where tokens.symbol("(", at: 1, of: index) && !tokens.isMember(index):
            return (.fatalError, "`fatalError`")
        case "Process" where tokens.symbol("(", at: 1, of: index) && !tokens.isMember(index):
            return (.foundationProcess, "Foundation's `Process`")
        case "Task" where !tokens.isMember(index) && makesTask(index, in: tokens):
            let isLibrary = file.room != nil && file.room?.name != "reconcile-job"
            return isLibrary ? (.unstructuredTask, "An unstructured task") : nil
        default: return nil
        }
    }

    /// `Task { … }`, `Task(priority: …) { … }`, `Task<…> { … }`, `Task.detached`, `Task.init`.
    private static func makesTask(_ index: Int, in tokens: SwiftTokens) -> Bool {
        if tokens.symbol("{", at: 1, of: index) || tokens.symbol("(", at: 1, of: index) {
            return true
        }
        if tokens.symbol(".", at: 1, of: index) {
            let makers: Set = ["detached", "immediate", "immediateDetached", "init"]
            return makers.contains(tokens.neighbour(2, of: index)?.text ?? "")
        }
        guard tokens.symbol("<", at: 1, of: index) else { return false }
        let rest = tokens.all[index...].drop { !$0.isSymbol(">") }.dropFirst()
        return rest.first?.isSymbol("{") ?? false || rest.first?.isSymbol("(") ?? false
    }
}
