import Foundation
import Testing

/// The files of the repository.
enum SourceTree {
    /// The folder that holds `Tests`, found from this file's path.
    static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        .dropLast(4).joined(separator: "/")

    /// All Swift and SQL files, read once.
    static func files() throws -> [SourceFile] { try all.get() }

    private static let all = Result {
        let paths = try ["Sources", "Tests", "sql"].flatMap(paths(under:)) + ["Package.swift"]
        return try paths.filter { $0.hasSuffix(".swift") || $0.hasSuffix(".sql") }.sorted()
            .map(file(at:))
    }

    static func file(at path: String) throws -> SourceFile {
        let data = try Data(contentsOf: URL(filePath: root + "/" + path))
        return SourceFile(path, String(decoding: data, as: UTF8.self))
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root + "/" + path)
    }

    static func paths(under folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: root + "/" + folder)
            .map { folder + "/" + $0 }
    }
}

struct SourceFile: Sendable {
    let path: String
    let text: String
    /// The text without comments. Each literal is `""`, followed by the code of its interpolations;
    /// lines keep their numbers.
    let code: String
    let literals: [String]

    init(_ path: String, _ text: String) {
        (self.path, self.text) = (path, text)
        (code, literals) = SourceSplit.code(of: text, isSwift: path.hasSuffix(".swift"))
    }

    var isSQL: Bool { path.hasSuffix(".sql") }
    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

    /// A folder of the library, or another target. Nil for tests and the manifest.
    var module: String? {
        let parts = path.split(separator: "/").map(String.init)
        guard parts.count > 2, parts[0] == "Sources" else { return parts[0] == "sql" ? "SQL" : nil }
        return parts[1] == "Reconcile" ? parts[2] : parts[1]
    }

    /// Each match of a pattern in the code: its place, and the text of its group.
    func matches(_ pattern: String) -> [(place: Int, text: String)] {
        guard let expression = try? NSRegularExpression(pattern: pattern) else {
            Issue.record("unreadable pattern: \(pattern)")
            return []
        }
        return expression.groups(in: code)
    }

    /// The path and line of a place in the code.
    func at(_ place: Int) -> String {
        "\(path):\((code as NSString).substring(to: place).utf8.count { $0 == 10 } + 1)"
    }
}

extension NSRegularExpression {
    /// Each match: its place, and the text of its last group.
    fileprivate func groups(in text: String) -> [(place: Int, text: String)] {
        let whole = text as NSString
        return matches(in: text, range: NSRange(location: 0, length: whole.length)).map { match in
            let groups = (0..<match.numberOfRanges).reversed().map(match.range(at:))
            let range = groups.first { $0.location != NSNotFound } ?? match.range
            return (range.location, whole.substring(with: range))
        }
    }
}

/// Takes comments and literals out of source text.
private enum SourceSplit {
    /// A part of an interpolation, with brackets in it three deep.
    private static let part = (0..<3).reduce("[^()]") { inner, _ in
        #"(?:[^()]|\(\#(inner)*+\))"#
    }
    private static let comment = #"--[^\n]*+|/\*(?:/\*[\s\S]*?\*/|(?!\*/)[\s\S])*+\*/"#
    private static let sql = try? NSRegularExpression(pattern: comment)
    private static let swift = try? NSRegularExpression(
        pattern: [
            comment.replacing("--", with: "//"), #"#/[\s\S]*?/#"#, #"(#+)("""|")[\s\S]*?\2\1"#,
            #""""(?:\\\(\#(part)*+\)|\\[\s\S]|(?!""")[\s\S])*+""""#,
            #""(?:\\\(\#(part)*+\)|\\.|[^"\\])*+""#,
        ].joined(separator: "|"))

    static func code(of text: String, isSwift: Bool) -> (String, literals: [String]) {
        let whole = text as NSString
        var (code, literals, end) = ("", [String](), 0)
        let all = NSRange(location: 0, length: whole.length)
        for match in (isSwift ? swift : sql)?.matches(in: text, range: all) ?? [] {
            code += whole.substring(
                with: NSRange(location: end, length: match.range.location - end))
            end = match.range.location + match.range.length
            let token = whole.substring(with: match.range)
            let hashes = token.prefix { $0 == "#" }
            let quotes = token.dropFirst(hashes.count).prefix { $0 == "\"" }.count > 2 ? 3 : 1
            var piece = ""
            if token.dropFirst(hashes.count).first == "\"" {
                let mark = hashes.count + quotes
                literals.append(String(token.dropFirst(mark).dropLast(mark)))
                let interpolation = try? NSRegularExpression(
                    pattern: #"\\\#(hashes)\((\#(part)*+)\)"#)
                // Literals within an interpolation are taken out in turn.
                let codes = interpolation?.groups(in: token).map {
                    " " + Self.code(of: $0.text, isSwift: true).0 + " "
                }
                piece = "\"\"" + (codes ?? []).joined()
            }
            let breaks = token.utf8.count { $0 == 10 } - piece.utf8.count { $0 == 10 }
            code += piece + String(repeating: "\n", count: max(0, breaks))
        }
        return (code + whole.substring(from: end), literals)
    }
}
