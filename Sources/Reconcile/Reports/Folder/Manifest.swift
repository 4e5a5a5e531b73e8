/// `manifest.json`: every published file with its digest, so that a reader can check that a report
/// is the one that the run wrote (`sha256sum` prints the same digests).
struct Manifest: Equatable, Sendable {
    struct Entry: Equatable, Sendable {
        let name: String
        /// Nil for a file that is not a table.
        let rows: Int?
        let byteCount: Int
        let sha256: String
    }

    let run: Run
    let codeVersion: String
    let files: [Entry]

    var json: [UInt8] { json(rulesVersion: Run.rulesVersion) }

    func json(rulesVersion: Int) -> [UInt8] {
        let files = files.sorted { $0.name.bytesPrecede($1.name) }
        let head: [(String, PrintedJSON)] = [
            ("run_id", .string(run.id.text)), ("as_of", .string(run.asOf.description)),
        ]
        let dialect: [(String, PrintedJSON)] =
            run.csvDialect == .plain
            ? [] : [("csv_dialect", .string(run.csvDialect.rawValue))]
        let body: [(String, PrintedJSON)] = [
            ("rules_version", .integer(rulesVersion)),
            ("code_version", .string(codeVersion)),
            ("files", .array(files.map(\.json))),
        ]
        return PrintedJSON.object(head + run.offlineMark + dialect + body).bytes
    }
}

extension Manifest {
    static let sumsName = "SHA256SUMS"

    /// For `sha256sum -c`: every file except itself and the manifest, which lists it.
    static func sums(_ files: [Entry]) -> [UInt8] {
        let lines = files.sorted { $0.name.bytesPrecede($1.name) }
            .map { "\($0.sha256)  \($0.name)\n" }
        return Array(lines.joined().utf8)
    }
}

extension Manifest.Entry {
    var json: PrintedJSON {
        .object([
            ("name", .string(name)), ("rows", rows.map(PrintedJSON.integer) ?? .null),
            ("bytes", .integer(byteCount)), ("sha256", .string(sha256)),
        ])
    }
}

extension Manifest {
    static func entries(in manifest: PrintedPaths) -> [Entry] {
        var entries: [Entry] = []
        while let name = manifest["files[\(entries.count)].name"] {
            let path = "files[\(entries.count)]."
            entries.append(
                Entry(
                    name: name, rows: manifest.integer(path + "rows"),
                    byteCount: manifest.integer(path + "bytes") ?? -1,
                    sha256: manifest[path + "sha256"] ?? ""))
        }
        return entries
    }
}
