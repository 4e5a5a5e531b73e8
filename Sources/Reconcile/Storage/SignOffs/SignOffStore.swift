internal import SQL

/// Who signed which folders. Lines are added, never changed.
package struct SignOffStore: Sendable {
    let session: DatabaseSession

    package struct Signing: Sendable {
        /// The line that counts: the new one, or that which the same person wrote before.
        package let signature: SignOff
        package let isNew: Bool
        /// Every line of the folder, in the order of signing.
        package let all: [SignOff]
    }

    /// Adds a line, unless the same person has signed the same bytes in the same role.
    /// - Throws: `refused` for a person who must not sign.
    package func sign(_ signOff: SignOff) async throws(DatabaseError) -> Signing {
        let folder = signOff.folder
        let outcome = try await session.transaction { connection in
            // Two people who sign at once are told apart: one of them waits.
            try await connection.execute(
                PostgresStatement(SQL.lockSignOffs), [folder.kind.rawValue + "/" + folder.name])
            let earlier = try await Self.signatures(of: folder, on: connection)
            switch signOff.verdict(after: earlier) {
            case .isRefused(let why): return Outcome.isRefused(why)
            case .isKnown(let known):
                return .isSigned(Signing(signature: known, isNew: false, all: earlier))
            case .isNew:
                _ = try await connection.query(
                    Self.table.statement, Self.table.parameters(of: signOff)
                ) { _ in }
                let all = try await Self.signatures(of: folder, on: connection)
                return .isSigned(
                    Signing(signature: all.last ?? signOff, isNew: true, all: all))
            }
        }
        switch outcome {
        case .isSigned(let signing): return signing
        case .isRefused(let why):
            throw DatabaseError(.refused(why), statement: SQL.addSignOff.name)
        }
    }

    private enum Outcome: Sendable {
        case isSigned(Signing)
        case isRefused(String)
    }

    /// Every line of a folder, whatever its bytes were, in the order of signing.
    package func signatures(of folder: SignedFolder) async throws(DatabaseError) -> [SignOff] {
        try await session.query(SQL.folderSignOffs, Self.parameters(of: folder)) { row in
            try SignOff(row, of: folder)
        }
    }

    /// The lines of runs, in the order of signing.
    func signatures(of runs: [RunID]) async throws(DatabaseError) -> [RunID: [SignOff]] {
        let ids = PostgresArray.text(runs.map(\.text))
        let rows = try await session.query(SQL.runSignOffs, [ids]) { row in
            let run = try row.text("run_id")
            return (
                run: RunID(text: run),
                signature: try SignOff(row, of: SignedFolder(.run, named: run))
            )
        }
        return Dictionary(grouping: rows, by: \.run).mapValues { $0.map(\.signature) }
    }

    private static func signatures(
        of folder: SignedFolder, on connection: isolated PostgresConnection
    ) throws -> [SignOff] {
        try connection.query(PostgresStatement(SQL.folderSignOffs), parameters(of: folder)) { row in
            try SignOff(row, of: folder)
        }
    }

    private static func parameters(of folder: SignedFolder) -> [String?] {
        [folder.kind.rawValue, folder.name]
    }

    private static let table = InsertTable<SignOff>(
        SQL.addSignOff,
        [
            TextColumn("folder_kind") { $0.folder.kind.rawValue },
            TextColumn("folder_name") { $0.folder.name },
            TextColumn("manifest_sha256") { "\\x" + $0.manifestSHA256 },
            TextColumn("role") { $0.role.rawValue },
            TextColumn("signed_by") { $0.by },
            TextColumn("note") { $0.note },
            TextColumn("signed_at") { $0.at.timestamptz },
        ])
}

extension SignOff {
    init(_ row: borrowing PostgresRow, of folder: SignedFolder) throws {
        self.init(
            folder, manifestSHA256: try row.text("manifest_sha256"), as: try row.word("role"),
            by: try row.text("signed_by"), note: try row.text("note"),
            at: try row.instant("signed_at"))
    }
}
