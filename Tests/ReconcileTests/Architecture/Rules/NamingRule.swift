/// A module names only what the table allows.
///
/// The rule looks for the names of top-level types and functions. It does not see a value whose
/// type is only inferred; the code that made the value had to name the type.
struct NamingRule: Sendable {
    /// The module that declares a type or function with this name, visible to other files.
    private var roomOfType: [String: String] = [:]
    private var roomOfFunction: [String: String] = [:]
    private var typesInRoom: [String: Set<String>] = [:]
    private var functionsInRoom: [String: Set<String>] = [:]

    init(_ files: [SwiftFile]) {
        for file in files {
            guard let room = file.room?.name else { continue }
            typesInRoom[room, default: []].formUnion(file.declarations.types)
            functionsInRoom[room, default: []].formUnion(file.declarations.functions)
            guard !FloorPlan.otherTargets.contains(room) else { continue }
            for type in file.declarations.topLevelTypes { roomOfType[type] = room }
            for function in file.declarations.topLevelFunctions { roomOfFunction[function] = room }
        }
    }

    func violations(in file: SwiftFile) -> [Violation] {
        guard let room = file.room, !FloorPlan.otherTargets.contains(room.name) else { return [] }
        return file.tokens.indices.compactMap { index in
            guard let other = roomNamed(at: index, in: file, from: room) else { return nil }
            let token = file.tokens.all[index]
            guard !room.mayName(token.text, of: other) else { return nil }
            return file.violation(
                HouseRule(from: room, to: other), line: token.line,
                "\(room.name) names `\(token.text)` of \(other)")
        }
    }

    /// The module whose type or function the token names, if any.
    private func roomNamed(at index: Int, in file: SwiftFile, from room: Room) -> String? {
        let (tokens, token) = (file.tokens, file.tokens.all[index])
        guard token.kind == .word, !tokens.isMember(index) else { return nil }
        if let other = roomOfType[token.text] {
            let isOwn = typesInRoom[room.name]?.contains(token.text) ?? false
            return isOwn || file.declarations.placeholders.contains(token.text) ? nil : other
        }
        if let other = roomOfFunction[token.text], tokens.symbol("(", at: 1, of: index) {
            return functionsInRoom[room.name]?.contains(token.text) ?? false ? nil : other
        }
        return nil
    }
}
