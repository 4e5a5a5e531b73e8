import Foundation
import Synchronization

@testable import TestSupport

/// The Swift and SQL files of the repository, and documents.
enum SourceTree {
    /// The folder that holds `Tests`, found from this file's path.
    static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        .dropLast(4).joined(separator: "/")

    static let files = ["Sources", "Tests", "sql", "Package.swift"]
        .flatMap { (try? paths(under: $0)) ?? [$0] }
        .filter { $0.hasSuffix(".swift") || $0.hasSuffix(".sql") }.compactMap { try? file(at: $0) }

    static func file(at path: String) throws -> SourceFile {
        SourceFile(path, try String(contentsOfFile: root + "/" + path, encoding: .utf8))
    }

    static func paths(under folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: root + "/" + folder).sorted()
            .map { folder + "/" + $0 }
    }
}

struct SourceFile: Sendable {
    let path, text: String
    /// The text without comments. Each literal is `""`, followed by the code of its interpolations.
    let code: String
    let literals: [String]

    init(_ path: String, _ text: String) {
        self.path = path
        self.text = text
        (code, literals) = Self.split(text, path.hasSuffix(".sql") ? Self.sql : Self.swift)
    }

    var isSQL: Bool { path.hasSuffix(".sql") }
    var isRule: Bool { path.hasPrefix("Sources/Reconcile/Findings/Rules/") }

    /// A folder of the library (of `Apple` the folder within it), or another target. Nil for tests
    /// and the manifest.
    var module: String? {
        path.hasPrefix("sql/")
            ? "SQL" : path.groups("^Sources/(?:Reconcile/)?(Apple/[^/]+|[^/]+)/").first
    }

    /// Its name without the ending.
    var name: String { path.groups(#"(\w+)\.\w+$"#).first ?? "" }

    var imports: [String] {
        matches(#"(?m)^(?:@testable )?(?:[a-z]+ )*import (?:[a-z]+ )?(\w+)"#)
    }

    func matches(_ pattern: String) -> [String] { code.groups(pattern) }

    /// A part of an interpolation, with brackets in it three deep.
    private static let part = (0..<3).reduce("[^()]") { inner, _ in #"(?:[^()]|\(\#(inner)*+\))"# }
    private static let sql = #"--[^\n]*+|/\*(?:/\*[\s\S]*?\*/|(?!\*/)[\s\S])*+\*/"#
    private static let swift = [
        sql.replacing("--", with: "//"), #"#/[\s\S]*?/#"#, #"(#+)("""|")[\s\S]*?\2\1"#,
        #""""(?:\\\(\#(part)*+\)|\\[\s\S]|(?!""")[\s\S])*+""""#,
        #""(?:\\\(\#(part)*+\)|\\.|[^"\\])*+""#,
    ].joined(separator: "|")

    /// Takes comments and literals out.
    private static func split(_ text: String, _ tokens: String) -> (String, literals: [String]) {
        let whole = text as NSString
        var code = ""
        var literals: [String] = []
        var end = 0
        for match in text.results(tokens) {
            code += whole.substring(with: NSRange(end..<match.range.location))
            end = match.range.upperBound
            let token = whole.substring(with: match.range)
            let hashes = token.prefix { $0 == "#" }
            let quotes = token.dropFirst(hashes.count).prefix { $0 == "\"" }.count
            guard quotes > 0 else { continue }
            let mark = hashes.count + (quotes > 2 ? 3 : 1)
            literals.append(String(token.dropFirst(mark).dropLast(mark)))
            // Literals within an interpolation are taken out in turn.
            let parts = token.groups(#"\\\#(hashes)\((\#(part)*+)\)"#)
            code += "\"\"" + parts.map { " \(split($0, tokens).0) " }.joined()
        }
        return (code + whole.substring(from: end), literals)
    }
}

extension String {
    /// The last group of each match of a pattern.
    func groups(_ pattern: String) -> [String] {
        results(pattern).map { match in
            let groups = (0..<match.numberOfRanges).reversed().map(match.range(at:))
            let range = groups.first { $0.location != NSNotFound } ?? match.range
            return (self as NSString).substring(with: range)
        }
    }

    func results(_ pattern: String) -> [NSTextCheckingResult] {
        let expression = Self.expressions.withLock { known in
            let expression = known[pattern] ?? (try? NSRegularExpression(pattern: pattern))
            known[pattern] = expression
            return expression
        }
        precondition(expression != nil, "unreadable pattern: \(pattern)")
        return expression?.matches(in: self, range: NSRange(0..<utf16.count)) ?? []
    }

    /// By pattern: reading one takes longer than most searches.
    private static let expressions = Mutex<[String: NSRegularExpression]>([:])
}
