/// The published folders whose files name a user: in the column `user_id`, among the accepted
/// findings of the summary, or in the sentence of another user who shares a purchase or a receipt.
package struct FoldersOfUser {
    package struct Folder: Equatable, Sendable {
        package let name: String
        package let run: RunID
        /// SHA-256 of its manifest, in hexadecimal.
        package let manifestSHA256: String
        package let group: ReportGroup?
        /// Why it cannot be written anew; nil when it can.
        package let reasonToKeep: String?
    }

    private let reports: ReportsDirectory

    package init(reports: ReportsDirectory) throws(ReportError) {
        try reports.locked { () throws(ReportError) in try reports.restoreFormer() }
        self.reports = reports
    }

    /// The oldest first.
    package func folders(of users: [UserID]) -> [Folder] {
        RunFolder.all(in: reports).compactMap { run in
            guard let folder = try? OpenFolder(run.name, in: reports.folder),
                users.contains(where: { names($0, in: folder) })
            else { return nil }
            let manifest =
                folder.contents(of: "manifest.json", atMost: Self.mostDocumentBytes) ?? []
            return Folder(
                name: run.name, run: RunID(text: PrintedPaths(manifest)["run_id"] ?? ""),
                manifestSHA256: Digest.sha256(manifest).hexadecimal,
                group: reports.group(of: run.name), reasonToKeep: run.reasonToKeep)
        }
    }

    /// The names of the folders of periods that hold one of `users`, sorted.
    package func periods(of users: [UserID]) -> [String] {
        (reports.folder.names ?? []).filter { name in
            guard RangeName.isRange(name), let folder = try? OpenFolder(name, in: reports.folder)
            else { return false }
            return users.contains { names($0, in: folder) }
        }.sorted()
    }

    private func names(_ user: UserID, in folder: OpenFolder) -> Bool {
        let files = (folder.names ?? []).filter { $0.hasSuffix(".csv") }
        return files.contains { names(user, inTable: FileReader($0, in: folder)) }
            || isAccepted(user, in: folder)
    }

    private func names(_ user: UserID, inTable file: FileReader?) -> Bool {
        guard let file else { return false }
        // The manifest may be missing or damaged, so the header decides. In these dialects any
        // leading `'` may have been added.
        let isEU = file.preview(64).contains(CSVDialect.excelEU.separator)
        let dialect = isEU ? CSVDialect.excelEU : .excel
        guard let head = CSVRecord(file, dialect) else { return false }
        let names = head.cells.map { $0?.replacing("\u{FEFF}", with: "") }
        let column = names.firstIndex { $0 == "user_id" }
        let sentences = names.firstIndex { $0 == "explanation" }
        let shared = " being \(user): it was paid"
        while let row = CSVRecord(file, dialect) {
            if let column, row.cells.indices.contains(column), let cell = row.cells[column] {
                let bare = row.guarded.contains(column) ? String(cell.dropFirst()) : cell
                if user.text.hasSameBytes(as: bare) || user.text.hasSameBytes(as: cell) {
                    return true
                }
            }
            if let sentences, row.cells.indices.contains(sentences),
                row.cells[sentences]?.contains(shared) == true
            {
                return true
            }
        }
        return false
    }

    private func isAccepted(_ user: UserID, in folder: OpenFolder) -> Bool {
        guard
            let summary = folder.contents(of: "summary.json", atMost: Self.mostDocumentBytes)
                .map(PrintedPaths.init)
        else { return false }
        let printed = String(decoding: PrintedJSON.string(user.text).compact, as: UTF8.self)
        return summary.values.contains { value in
            value.path.hasPrefix("accepted[") && value.path.hasSuffix("].user_id")
                && value.text == printed
        }
    }

    private static let mostDocumentBytes = 64 << 20
}
