/// The declarations of a file, which decide what its names can mean.
struct Declarations: Sendable {
    /// Top-level types that are not private to the file: other modules can name them.
    private(set) var topLevelTypes: Set<String> = []
    /// Top-level functions that are not private to the file.
    private(set) var topLevelFunctions: Set<String> = []
    /// Types at any depth; within the module these names are its own.
    private(set) var types: Set<String> = []
    private(set) var functions: Set<String> = []
    /// Generic parameters and associated types: in this file these names belong to no module.
    private(set) var placeholders: Set<String> = []
    /// The lines of top-level variables.
    private(set) var globalVariables: [Int] = []

    private static let typeKeywords: Set = [
        "struct", "enum", "class", "actor", "protocol", "typealias",
    ]
    private static let modifiers: Set = [
        "public", "package", "internal", "private", "fileprivate", "final", "indirect",
        "nonisolated", "static", "mutating", "borrowing", "consuming",
    ]

    init(_ tokens: SwiftTokens) {
        var depth = 0
        for index in tokens.indices {
            let token = tokens.all[index]
            if token.isSymbol("{") { depth += 1 }
            if token.isSymbol("}") { depth -= 1 }
            guard token.kind == .word, !tokens.isMember(index) else { continue }
            if token.text == "var", depth == 0 { globalVariables.append(token.line) }
            guard let name = tokens.neighbour(1, of: index), name.kind == .word else { continue }
            let isShared = depth == 0 && !Self.isPrivate(index, in: tokens)
            record(name.text, after: token.text, isShared: isShared)
            if Self.typeKeywords.contains(token.text) || token.text == "func" {
                placeholders.formUnion(tokens.genericParameters(at: index + 2))
            }
            if token.text == "associatedtype" { placeholders.insert(name.text) }
        }
        for index in tokens.indices where tokens.all[index].isWord("init") {
            placeholders.formUnion(tokens.genericParameters(at: index + 1))
        }
    }

    private mutating func record(_ name: String, after keyword: String, isShared: Bool) {
        if Self.typeKeywords.contains(keyword), name.first?.isUppercase == true {
            types.insert(name)
            if isShared { topLevelTypes.insert(name) }
        }
        if keyword == "func" {
            functions.insert(name)
            if isShared { topLevelFunctions.insert(name) }
        }
    }

    private static func isPrivate(_ index: Int, in tokens: SwiftTokens) -> Bool {
        var distance = -1
        while let word = tokens.neighbour(distance, of: index), modifiers.contains(word.text) {
            if word.text == "private" || word.text == "fileprivate" { return true }
            distance -= 1
        }
        return false
    }
}
