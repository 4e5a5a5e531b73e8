/// One module (a folder of the library, or another target) and its allowed dependencies.
struct Room: Sendable {
    let name: String
    /// 0 is the lowest layer: pure values and rules.
    let floor: Int
    /// The modules whose types it may name.
    var mayName: [String] = []
    /// The only types that it may name, by module.
    var mayNameOnly: [String: Set<String>] = [:]
    /// Our modules that it may import; above layer 0 system modules are allowed too.
    var mayImport: Set<String> = []
}

/// The table of `docs/architecture.md`, which a test compares with this one.
enum FloorPlan {
    static let rooms: [Room] = [
        Room(name: "Receipts", floor: 0),
        Room(name: "Entitlements", floor: 0, mayName: ["Receipts"]),
        Room(
            name: "Findings", floor: 0, mayName: ["Receipts", "Entitlements"],
            mayNameOnly: ["Crypto": ["Digest"]]),
        Room(name: "Runs", floor: 0, mayName: ["Receipts", "Entitlements", "Findings"]),
        Room(name: "HTTP", floor: 1, mayImport: ["CCurl"]),
        Room(name: "Postgres", floor: 1, mayImport: ["CPostgres"]),
        Room(name: "Crypto", floor: 1, mayImport: ["CCrypto"]),
        Room(name: "Zip", floor: 1, mayImport: ["CZlib"]),
        Room(name: "SCGI", floor: 1, mayImport: ["CEpoll"]),
        Room(name: "Pacing", floor: 1),
        Room(
            name: "Validation", floor: 2, mayName: ["Receipts", "HTTP", "Crypto", "Pacing"],
            mayNameOnly: [
                "Runs": [
                    "AnswerBody", "AttemptSummary", "KeptAnswer", "PaceChange", "RequestLine",
                    "RequestRecord",
                ]
            ]),
        Room(
            name: "Storage", floor: 2,
            mayName: ["Receipts", "Entitlements", "Findings", "Runs", "Postgres"],
            mayNameOnly: ["Crypto": ["Digest"]],
            mayImport: ["SQL"]),
        Room(
            name: "Pipeline", floor: 3,
            mayName: [
                "Receipts", "Entitlements", "Findings", "Runs", "Pacing", "Validation", "Storage",
            ],
            mayNameOnly: ["Crypto": ["Digest", "DigestStream"]]),
        Room(
            name: "Service", floor: 3,
            mayName: ["Receipts", "Entitlements", "SCGI", "Validation", "Storage"],
            mayNameOnly: ["Crypto": ["AES256GCM", "Digest", "RandomBytes"]]),
        Room(
            name: "Doctor", floor: 3,
            mayName: ["Receipts", "Entitlements", "Findings", "Runs", "Validation", "Storage"]),
        Room(
            name: "Reports", floor: 3, mayName: ["Receipts", "Entitlements", "Findings", "Runs"],
            mayNameOnly: [
                "Crypto": ["Digest", "DigestStream"], "Zip": ["DeflateStream"],
                "Validation": ["Inspection", "InspectionStep", "ReceiptAttribute"],
                "Doctor": ["Diagnosis"],
            ]),
        Room(
            name: "Observability", floor: 3,
            mayName: ["Receipts", "Entitlements", "Findings", "Runs"]),
        Room(name: "SQL", floor: 1),
        Room(name: "AppStoreSimulator", floor: 4, mayImport: ["CCrypto"]),
        Room(
            name: "reconcile-job", floor: 4,
            mayImport: ["Reconcile", "AppStoreSimulator", "CLinux"]),
    ]

    private static let byName = Dictionary(uniqueKeysWithValues: rooms.map { ($0.name, $0) })

    static func room(named name: String) -> Room? { byName[name] }

    static let cLibraries: Set = ["CCurl", "CPostgres", "CCrypto", "CZlib", "CEpoll", "CLinux"]
    static let ownModules: Set = [
        "CCurl", "CPostgres", "CCrypto", "CZlib", "CEpoll", "CLinux", "SQL", "Reconcile",
        "AppStoreSimulator",
        "reconcile_job",
    ]
    /// Other targets of the package: reached by an import, not by a name.
    static let otherTargets: Set = ["SQL", "AppStoreSimulator", "reconcile-job"]
    /// Folder names that say the kind of code instead of its subject.
    static let forbiddenFolders: Set = [
        "Utils", "Helpers", "Common", "Models", "Types", "Extensions", "Managers", "Core", "New",
    ]
}

extension Room {
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
