import Foundation

/// What one file declares and names, each in its scope: of Swift's grammar what is needed to say
/// which declaration a name means.
struct SourceNames: Sendable {
    struct Declaration: Hashable, Sendable {
        let name: String
        /// The folder or target.
        let module: String
        let path: String
        /// The type whose member it is, with the types around it: `Run.Totals`. Nil at top level.
        let owner: String?
        let isPrivate: Bool

        /// The outermost of the types whose member it is, or itself.
        var root: String { (owner ?? name).prefix { $0 != "." }.description }
    }

    /// A name that is used: of a type, a function that is called, or a member after a dot.
    struct Use: Sendable {
        let name: String
        /// What is written before the dot: "" before an implicit member or another member.
        let qualifier: String?
        let scope: Int
        var isMember: Bool { qualifier != nil }
    }

    /// The text within two braces, and the head of the type or function before it.
    struct Scope: Sendable {
        let parent: Int?
        /// Of a type's or an extension's scope the type.
        var type: String?
        var isPrivate = false
        /// Generic parameters, and what is declared in a function.
        var names: Set<String> = []
    }

    private(set) var declarations: [Declaration] = []
    private(set) var uses: [Use] = []
    private(set) var scopes = [Scope(parent: nil)]
    /// Names after the colon of a type: its protocols.
    private(set) var protocols: [String: Set<String>] = [:]

    private let module: String
    private let path: String
    private let code: String
    /// Scopes that are open, each with the brackets and the head that are open around it.
    private var open: [(scope: Int, brackets: Int, head: Int?)] = [(0, 0, nil)]
    private var brackets = 0
    /// The scope of a head whose brace did not come yet.
    private var head: Int?
    /// The path that ends with the last name, and where that ended.
    private var last = (path: "", end: 0)
    private var scope: Int { head ?? open[open.count - 1].scope }

    init(_ file: SourceFile, _ module: String) {
        self.module = module
        path = file.path
        code = file.code
        let text = code as NSString
        for match in code.results(Self.token) {
            let ranges = (1...5).map(match.range(at:))
            if ranges[0].location != NSNotFound {
                declare(text.substring(with: ranges[0]), match.range, in: text)
            } else if ranges[1].location != NSNotFound {
                enter(text.substring(with: ranges[1]))
            } else if ranges[2].location != NSNotFound {
                leave(text.substring(with: ranges[2]))
            } else {
                let isMember = ranges[3].location != NSNotFound
                use(text.substring(with: ranges[4]), isMember, match.range, in: text)
            }
        }
    }

    /// A keyword; a bracket that opens; one that closes; a dot (not of a range) and a name.
    private static let token = #"""
        (?<![.`\w])(struct|enum|class|actor|protocol|extension|typealias|associatedtype|func|init|\#
        subscript|var|let|case)\b|([{(\[])|([})\]])|((?<!\.)\.\s*)?`?\b([A-Za-z_]\w*)`?
        """#

    private mutating func enter(_ bracket: String) {
        guard bracket == "{" else {
            brackets += 1
            return
        }
        if let head, brackets == 0 {
            open.append((head, brackets, nil))
        } else {
            scopes.append(Scope(parent: scope, isPrivate: scopes[scope].isPrivate))
            open.append((scopes.count - 1, brackets, head))
        }
        head = nil
        brackets = 0
    }

    private mutating func leave(_ bracket: String) {
        guard bracket == "}" else {
            brackets -= 1
            return
        }
        guard open.count > 1 else { return }
        let closed = open.removeLast()
        brackets = closed.brackets
        head = closed.head
    }

    private mutating func declare(_ keyword: String, _ range: NSRange, in text: NSString) {
        if brackets == 0 { head = nil }
        let end = min(text.length, range.upperBound + 600)
        let rest = text.substring(with: NSRange(range.upperBound..<end))
        let before = text.lineRange(for: NSRange(location: range.location, length: 0)).location
        let words = text.substring(with: NSRange(before..<range.location)).split(separator: " ")
        let isPrivate =
            scopes[scope].isPrivate || words.contains("private") || words.contains("fileprivate")
        let owner = scopes[scope].type
        for name in Self.names(keyword, rest) where keyword != "extension" {
            guard brackets == 0, owner != nil || scopes[scope].parent == nil else {
                scopes[scope].names.insert(name)
                continue
            }
            declarations.append(
                Declaration(
                    name: name, module: module, path: path, owner: owner, isPrivate: isPrivate))
        }
        guard !["var", "let", "case", "typealias", "associatedtype"].contains(keyword) else {
            return
        }
        let outer = keyword == "extension" ? "" : owner.map { $0 + "." } ?? ""
        let type = Self.heads.contains(keyword) ? Self.names(keyword, rest).first : nil
        let generic = rest.groups(#"\A\s*\w*\s*<((?:[^<>]|<[^<>]*>)*)>"#).first ?? ""
        scopes.append(
            Scope(
                parent: scope, type: type.map { outer + $0 }, isPrivate: isPrivate,
                names: Set(generic.groups(#"(?:\A|,)\s*(\w+)"#))))
        head = scopes.count - 1
    }

    private static let heads = ["struct", "enum", "class", "actor", "protocol", "extension"]

    private static func names(_ keyword: String, _ rest: String) -> [String] {
        switch keyword {
        case "init", "subscript": return []
        case "extension": return rest.groups(#"\A\s+([\w.]+)"#)
        case "case", "let", "var":
            // `a, b: Int`; `a(B), c = 1`
            let list = rest.groups(#"\A\s+((?:[^\n:={(]|\([^\n]*?\)|,\n)+)"#).first ?? ""
            return list.groups(#"(?:\A|,)\s*`?(\w+)"#)
        default: return rest.groups(#"\A\s+`?(\w+)"#)
        }
    }

    private mutating func use(_ name: String, _ dot: Bool, _ range: NSRange, in text: NSString) {
        defer { last.end = range.upperBound }
        let isQualified = dot && last.end == range.location && !last.path.isEmpty
        let qualifier = dot ? (isQualified ? last.path : "") : nil
        last.path = isQualified ? "\(last.path).\(name)" : dot ? "" : name
        if qualifier == "Reconcile" {
            last.path = name
            return uses.append(Use(name: name, qualifier: nil, scope: 0))
        }
        let next = text.length > range.upperBound ? text.character(at: range.upperBound) : 0
        let isType = name.first?.isUppercase == true
        guard dot || isType || next == 40 else { return }
        uses.append(Use(name: name, qualifier: qualifier, scope: scope))
        if isType, !dot, let head, let type = scopes[head].type {
            protocols[type, default: []].insert(name)
        }
    }
}
