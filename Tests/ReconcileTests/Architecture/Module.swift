/// One module (a folder of the library, or another target) and its allowed dependencies.
struct Module: Sendable {
    let name: String
    /// Pure values and rules, without imports, clocks, concurrency and files.
    var isPure = false
    /// A target of its own: reached by an import, not by a name.
    var isTarget = false
    /// The modules whose types it may name.
    var mayName: [String] = []
    /// The only types that it may name, by module.
    var mayNameOnly: [String: Set<String>] = [:]
    /// Our modules that it may import. Modules that are not pure may also import the system's.
    var mayImport: Set<String> = []
}

extension Module {
    /// The table of `docs/architecture.md`, which a test compares with this one.
    static let table: [Module] = [
        Module(name: "Receipts", isPure: true),
        Module(name: "Entitlements", isPure: true, mayName: ["Receipts"]),
        Module(
            name: "Findings", isPure: true, mayName: ["Receipts", "Entitlements"],
            mayNameOnly: ["Crypto": ["Digest"]]),
        Module(name: "Runs", isPure: true, mayName: ["Receipts", "Entitlements", "Findings"]),
        Module(name: "HTTP", mayImport: ["CCurl"]),
        Module(name: "Postgres", mayImport: ["CPostgres"]),
        Module(name: "Crypto", mayImport: ["CCrypto"]),
        Module(name: "Zip", mayImport: ["CZlib"]),
        Module(name: "SCGI", mayImport: ["CEpoll"]),
        Module(name: "Pacing"),
        Module(
            name: "Validation", mayName: ["Receipts", "HTTP", "Crypto", "Pacing"],
            mayNameOnly: [
                "Runs": [
                    "AnswerBody", "AttemptSummary", "KeptAnswer", "PaceChange", "RequestLine",
                    "RequestRecord",
                ]
            ]),
        Module(
            name: "Storage",
            mayName: ["Receipts", "Entitlements", "Findings", "Runs", "Postgres"],
            mayNameOnly: ["Crypto": ["Digest"]],
            mayImport: ["SQL"]),
        Module(
            name: "Pipeline",
            mayName: [
                "Receipts", "Entitlements", "Findings", "Runs", "Pacing", "Validation", "Storage",
            ],
            mayNameOnly: ["Crypto": ["Digest", "DigestStream"]]),
        Module(
            name: "Service",
            mayName: ["Receipts", "Entitlements", "SCGI", "Validation", "Storage"],
            mayNameOnly: ["Crypto": ["AES256GCM", "Digest", "RandomBytes"]]),
        Module(
            name: "Doctor",
            mayName: ["Receipts", "Entitlements", "Findings", "Runs", "Validation", "Storage"]),
        Module(
            name: "Reports", mayName: ["Receipts", "Entitlements", "Findings", "Runs"],
            mayNameOnly: [
                "Crypto": ["Digest", "DigestStream"], "Zip": ["DeflateStream"],
                "Validation": ["Inspection", "InspectionStep", "ReceiptAttribute"],
                "Doctor": ["Diagnosis"],
            ]),
        Module(
            name: "Observability",
            mayName: ["Receipts", "Entitlements", "Findings", "Runs"]),
        Module(name: "SQL", isTarget: true),
        Module(name: "AppStoreSimulator", isTarget: true, mayImport: ["CCrypto"]),
        Module(
            name: "reconcile-job", isTarget: true,
            mayImport: ["Reconcile", "AppStoreSimulator", "CLinux"]),
    ]

    private static let byName = Dictionary(uniqueKeysWithValues: table.map { ($0.name, $0) })

    static func named(_ name: String) -> Module? { byName[name] }

    static let own: Set = [
        "CCurl", "CPostgres", "CCrypto", "CZlib", "CEpoll", "CLinux", "SQL", "Reconcile",
        "AppStoreSimulator", "reconcile_job",
    ]
    /// Folder names that say the kind of code instead of its subject.
    static let forbiddenFolders: Set = [
        "Utils", "Helpers", "Common", "Models", "Types", "Extensions", "Managers", "Core", "New",
    ]

    func mayName(_ type: String, of other: String) -> Bool {
        other == name || mayName.contains(other) || mayNameOnly[other]?.contains(type) ?? false
    }

    /// The module's line in the table of `docs/architecture.md`.
    var tableRow: String {
        let parts = mayNameOnly.sorted { $0.key < $1.key }.map { room, types in
            "\(room) (\(types.sorted().map { "`\($0)`" }.joined(separator: ", ")))"
        }
        let names = (mayName + parts).joined(separator: ", ")
        let imports = mayImport.sorted().map { "`\($0)`" }.joined(separator: ", ")
        return "| \(name) | \(names.isEmpty ? "–" : names) | \(imports.isEmpty ? "–" : imports) |"
    }
}
