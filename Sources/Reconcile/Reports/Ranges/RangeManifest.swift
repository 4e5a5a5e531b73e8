/// `manifest.json` of a folder that is about days and not of a run.
struct RangeManifest: Equatable, Sendable {
    let kind: RangeName.Kind
    let days: PacificDays
    var rulesVersion = Run.rulesVersion
    let codeVersion: String
    let files: [Manifest.Entry]

    var json: [UInt8] {
        PrintedJSON.object([
            ("folder", .string(kind.rawValue)),
            ("from", .string(days.firstText)), ("to", .string(days.lastText)),
            ("rules_version", .integer(rulesVersion)),
            ("code_version", .string(codeVersion)),
            (
                "files",
                .array(files.sorted { $0.name.bytesPrecede($1.name) }.map(\.json))
            ),
        ]).bytes
    }

    static let fileName = "manifest.json"
}

extension RangeManifest {
    /// Nil for the manifest of a run, and for what is none.
    init?(_ bytes: [UInt8]) {
        let stated = PrintedPaths(bytes)
        guard let kind = stated["folder"].flatMap(RangeName.Kind.init),
            let first = stated["from"].flatMap(Instant.init(day:)),
            let last = stated["to"].flatMap(Instant.init(day:)),
            let days = PacificDays(first: first, last: last)
        else { return nil }
        self.init(
            kind: kind, days: days, rulesVersion: stated.integer("rules_version") ?? -1,
            codeVersion: stated["code_version"] ?? "", files: Manifest.entries(in: stated))
    }
}
