import Foundation
import Testing

/// The files of the repository.
enum SourceTree {
    /// The folder that holds `Tests`, found from this file's path.
    static let root: String = {
        let here = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return here.dropLast(4).joined(separator: "/")
    }()

    /// All Swift and SQL files, read once.
    static func files() throws -> [SourceFile] { try all.get() }

    private static let all = Result { try read() }

    private static func read() throws -> [SourceFile] {
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
        self.path = path
        self.text = text
        var splitter = SourceSplitter(text, isSwift: path.hasSuffix(".swift"))
        splitter.run()
        code = String(decoding: splitter.code, as: UTF8.self)
        literals = splitter.literals
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
        let text = code as NSString
        return expression.matches(in: code, range: NSRange(location: 0, length: text.length)).map {
            match in
            let groups = (0..<match.numberOfRanges).reversed().map(match.range(at:))
            let range = groups.first { $0.location != NSNotFound } ?? match.range
            return (range.location, text.substring(with: range))
        }
    }

    /// The path and line of a place in the code.
    func at(_ place: Int) -> String {
        "\(path):\((code as NSString).substring(to: place).utf8.count { $0 == 10 } + 1)"
    }
}

/// Takes comments and literals out of source text.
private struct SourceSplitter {
    private let bytes: [UInt8]
    private let isSwift: Bool
    private var place = 0
    private(set) var code: [UInt8] = []
    private(set) var literals: [String] = []

    init(_ text: String, isSwift: Bool) {
        bytes = Array(text.utf8)
        self.isSwift = isSwift
    }

    /// Reads code to the end, or to the bracket that closes an interpolation.
    mutating func run(inInterpolation: Bool = false) {
        var depth = 0
        while place < bytes.count {
            if starts(isSwift ? "//" : "--") {
                while place < bytes.count, bytes[place] != 10 { place += 1 }
            } else if starts("/*") {
                skipComment()
            } else if isSwift, starts("#/") {
                while place < bytes.count, !starts("/#") { place += 1 }
                place += 2
            } else if isSwift, let hashes = literalHashes() {
                readLiteral(hashes)
            } else {
                let byte = bytes[place]
                if byte == UInt8(ascii: "(") { depth += 1 }
                if byte == UInt8(ascii: ")") { depth -= 1 }
                if inInterpolation, depth < 0 { return }
                code.append(byte)
                place += 1
            }
        }
    }

    private func starts(_ text: String, at start: Int? = nil) -> Bool {
        let start = start ?? place
        return bytes[min(start, bytes.count)...].starts(with: text.utf8)
    }

    private mutating func skipComment() {
        var depth = 0
        repeat {
            if starts("/*") {
                depth += 1
                place += 2
            } else if starts("*/") {
                depth -= 1
                place += 2
            } else {
                if bytes[place] == 10 { code.append(10) }
                place += 1
            }
        } while depth > 0 && place < bytes.count
    }

    /// How many `#` come before the quote of a literal that begins here. Nil: none begins.
    private func literalHashes() -> Int? {
        let count = bytes[place...].prefix { $0 == UInt8(ascii: "#") }.count
        return starts("\"", at: place + count) ? count : nil
    }

    private mutating func readLiteral(_ hashes: Int) {
        let suffix = String(repeating: "#", count: hashes)
        let quotes = starts("\"\"\"", at: place + hashes) ? "\"\"\"" : "\""
        var literal: [UInt8] = []
        code += "\"\"".utf8
        place += hashes + quotes.utf8.count
        while place < bytes.count, !starts(quotes + suffix) {
            if starts("\\" + suffix + "(") {
                place += hashes + 2
                code += " ".utf8
                run(inInterpolation: true)
                code += " ".utf8
                place += 1
                continue
            }
            if bytes[place] == 10 { code.append(10) }
            let length = starts("\\" + suffix) ? hashes + 2 : 1
            literal += bytes[place..<min(place + length, bytes.count)]
            place += length
        }
        place += quotes.utf8.count + hashes
        literals.append(String(decoding: literal, as: UTF8.self))
    }
}
