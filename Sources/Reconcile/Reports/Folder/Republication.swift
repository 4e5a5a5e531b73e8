/// A published run's folder that is written again.
package struct Republication: Sendable {
    let known: RunListing
    let erasure: Erasure
    /// SHA-256 of the manifest of the folder that this one replaces; nil where there is none.
    let former: String?

    package init(_ known: RunListing, erasure: Erasure, replacing former: String? = nil) {
        self.known = known
        self.erasure = erasure
        self.former = former
    }

    /// - Returns: the file to add, or nil when no user was erased.
    /// - Throws: `otherBytes` when the folder is not the published one, or would not be it with
    ///   the erased users.
    func mark(
        _ summary: Summary, manifestSHA256: String, at path: String
    ) throws -> ErasedMark? {
        let published = known.account?.manifestSHA256 ?? ""
        guard !erasure.isEmpty else {
            guard published == manifestSHA256 else { throw otherBytes(at: path) }
            return nil
        }
        let difference = try erasure.difference(
            from: known, findings: summary.findings.total, money: summary.money)
        guard difference == nil else { throw otherBytes(at: path) }
        return ErasedMark(
            run: known.run.id, manifestSHA256: manifestSHA256, formerSHA256: former ?? published,
            publishedSHA256: published, erasure: erasure)
    }

    private func otherBytes(at path: String) -> ReportError {
        ReportError(.otherBytes(release: known.codeVersion), path: path)
    }
}
