internal import SQL

/// What runs and operators said of findings, night by night.
extension CustomerReader {
    /// The file of a finding without a user: its row, and what other runs said of it.
    /// - Throws: `unknown` when `run` does not have the finding.
    package func file(
        ofUserless finding: String, in run: RunListing
    ) async throws(DatabaseError) -> CustomerFile {
        var file = CustomerFile(run: run, user: nil)
        let row = try await self.finding(finding, in: run)
        file.finding = finding
        file.findings = [row]
        let kind = row.finding.kind
        var changes = try await session.query(
            SQL.findingNights, [finding, String(run.number)]
        ) { row in
            CustomerFile.Change(
                at: try row.instant("as_of"), run: RunID(text: try row.text("run_id")),
                finding: finding, kind: kind, what: try row.text("lifecycle"))
        }
        changes += try await decisions(on: nil, kinds: [finding: kind])
        file.changes = changes.sorted { $0.at < $1.at }
        return file
    }

    func changes(
        _ reported: [Reported], of user: UserID
    ) async throws(DatabaseError) -> [CustomerFile.Change] {
        let counting = reported.filter(\.counts)
        let kinds = Dictionary(
            counting.map { ($0.finding.id, $0.finding.finding.kind) }, uniquingKeysWith: { $1 })
        var changes = counting.map { row in
            CustomerFile.Change(
                at: row.asOf, run: row.run, finding: row.finding.id,
                kind: row.finding.finding.kind, what: row.finding.lifecycle.rawValue)
        }
        changes += try await decisions(on: user, kinds: kinds)
        return changes.sorted { ($0.at, $0.finding) < ($1.at, $1.finding) }
    }

    /// Which runs cleared the findings, and what operators decided about them, or about `user`.
    private func decisions(
        on user: UserID?, kinds: [String: FindingKind]
    ) async throws(DatabaseError) -> [CustomerFile.Change] {
        let ids = PostgresArray.text(kinds.keys.sorted())
        var changes = try await session.query(SQL.customerCleared, [ids]) { row in
            let id = try row.text("finding_id")
            return CustomerFile.Change(
                at: try row.instant("as_of"), run: RunID(text: try row.text("run_id")),
                finding: id, kind: kinds[id], what: "cleared")
        }
        let userless = user == nil ? kinds.keys.first : nil
        changes += try await session.query(
            SQL.customerAcceptances, [user?.text, userless]
        ) { row in
            let id = try row.text("finding_id")
            let by = try row.text("accepted_by")
            let why = try row.text("reason")
            let until = try row.optionalInstant("accepted_until").map { " until \($0)" } ?? ""
            let what = try row.bool("is_undone") ? "acceptance undone" : "accepted\(until)"
            return CustomerFile.Change(
                at: try row.instant("accepted_at"), run: nil, finding: id, kind: kinds[id],
                what: "\(what) by \(by): \(why)")
        }
        return changes
    }
}
