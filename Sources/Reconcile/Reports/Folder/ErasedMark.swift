/// `ERASED.json`, beside the manifest of a folder that was written anew without erased users.
package struct ErasedMark: Equatable, Sendable {
    package static let fileName = "ERASED.json"

    let run: RunID
    /// SHA-256 in hexadecimal: of this folder's manifest, of that of the folder that it replaces,
    /// and of that which the run published.
    let manifestSHA256: String
    let formerSHA256: String
    let publishedSHA256: String
    let erasure: Erasure

    package var json: [UInt8] {
        PrintedJSON.object([
            ("run_id", .string(run.text)),
            ("manifest_sha256", .string(manifestSHA256)),
            ("former_manifest_sha256", .string(formerSHA256)),
            ("published_manifest_sha256", .string(publishedSHA256)),
            (
                "erased",
                .array(
                    erasure.acts.map {
                        .object([("by", .string($0.by)), ("at", .string($0.at.description))])
                    })
            ),
            ("receipts", .integer(erasure.receipts)),
            ("entitlements", .integer(erasure.entitlements)),
            ("rows", .object(Erasure.tables.map { ($0, .integer(erasure.rows(of: $0))) })),
            ("money", PrintedJSON(.money(erasure.money))),
        ]).bytes
    }
}
