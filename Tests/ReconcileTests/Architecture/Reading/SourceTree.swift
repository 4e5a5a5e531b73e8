import FoundationEssentials

enum SourceTree {
    /// The folder that holds `Tests`, found from this file's path.
    static let root: String = {
        let here = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return here.dropLast(5).joined(separator: "/")
    }()

    static func files() throws -> [SourceFile] {
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
