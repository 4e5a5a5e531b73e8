internal import SQL

/// Reads what runs have stored about one user. Read-only, and does not ask Apple.
package struct CustomerReader: Sendable {
    let session: DatabaseSession

    package enum Key: Sendable {
        case user(UserID)
        case receipt(ReceiptID)
        case transaction(TransactionID)
    }

    /// - Throws: `unknown` with the nearest known ids; `refused` when several users have the
    ///   transaction or receipt.
    package func user(
        of key: Key, in run: RunListing
    ) async throws(DatabaseError) -> UserID {
        let (user, receipt, transaction): (UserID?, ReceiptID?, TransactionID?) =
            switch key {
            case .user(let user): (user, nil, nil)
            case .receipt(let receipt): (nil, receipt, nil)
            case .transaction(let transaction): (nil, nil, transaction)
            }
        let parameters = [
            user?.text, receipt?.text, transaction?.text, run.run.id.text,
        ]
        let users = try await session.query(SQL.findCustomer, parameters) {
            row in UserID(try row.text("user_id"))
        }
        guard let first = users.first else { throw try await unknown(key, in: run) }
        guard users.count == 1 else {
            let names = users.map(\.text).joined(separator: ", ")
            throw refusal(
                .refused("Several users have this id: \(names). Name one with --user."))
        }
        return first
    }

    /// - Parameter history: reads a kept answer; nil when this release cannot.
    package func file(
        of user: UserID, in run: RunListing,
        reading history: @Sendable @escaping (AnswerBody) -> Receipt?
    ) async throws(DatabaseError) -> CustomerFile {
        var file = CustomerFile(run: run, user: user)
        file.isJudged = try await isJudged(user, in: run)
        file.rights = try await rights(of: user, in: run)
        file.receipts = try await receipts(of: user, in: run)
        // A judged user without rights still has receipts.
        if file.rights == nil, !file.receipts.isEmpty { file.rights = [] }
        let reported = try await findings(of: user, upTo: run)
        file.findings = reported.filter { $0.run == run.run.id }.map(\.finding)
        file.changes = try await changes(reported, of: user)
        file.mayReadAnswers = try await mayReadAnswers()
        if file.mayReadAnswers { file.answers = try await answers(of: user, upTo: run, history) }
        return file
    }

    /// - Throws: `unknown` when `run` does not have the finding.
    package func finding(
        _ id: String, in run: RunListing
    ) async throws(DatabaseError) -> ReportedFinding {
        let rows = try await session.retrying {
            try await session.pool.withConnection { connection in
                try await connection.query(FindingStatement.one, [run.run.id.text, id]) {
                    row in try ReportedFinding(row)
                }
            }
        }
        guard let row = rows.first else {
            throw refusal(
                .unknown("Run \(run.run.id) has no finding \(id). See explain --finding."))
        }
        return row
    }

    /// Those of `judged_rights` and of `customer_receipts`.
    private func parameters(of user: UserID, in run: RunListing) -> [String?] {
        [String(run.number), user.text, run.run.makesHistory ? "t" : "f"]
    }

    // MARK: Parts

    private func isJudged(_ user: UserID, in run: RunListing) async throws(DatabaseError) -> Bool {
        for statement in [SQL.wasJudged, SQL.wasJudgedAnywhere] {
            let found = try await session.query(statement, [run.run.id.text, user.text]) {
                row in try row.bool("was_judged")
            }
            if found == [true] { return true }
        }
        return false
    }

    private func rights(
        of user: UserID, in run: RunListing
    ) async throws(DatabaseError) -> [JudgedRight]? {
        let parameters = parameters(of: user, in: run)
        let rights = try await session.query(SQL.judgedRights, parameters) { row in
            try JudgedRight(row)
        }
        return rights.isEmpty ? nil : rights
    }

    private func receipts(
        of user: UserID, in run: RunListing
    ) async throws(DatabaseError) -> [CustomerFile.CheckedReceipt] {
        let parameters = parameters(of: user, in: run)
        return try await session.query(SQL.customerReceipts, parameters) { row in
            CustomerFile.CheckedReceipt(
                id: try row.id("receipt_id"), bundle: try row.optionalID("bundle_id"),
                outcome: try row.optionalText("outcome"), cause: try row.optionalText("cause"),
                server: try row.optionalWord("server"),
                namedSource: try row.optionalWord("source"),
                answeredAt: try row.optionalInstant("answered_at"),
                lastStatus: try row.optionalInt("last_status"),
                detail: try row.optionalText("detail"))
        }
    }

    struct Reported: Sendable {
        let run: RunID
        let asOf: Instant
        let counts: Bool
        let finding: ReportedFinding
    }

    private func findings(
        of user: UserID, upTo run: RunListing
    ) async throws(DatabaseError) -> [Reported] {
        try await session.retrying {
            try await session.pool.withConnection { connection in
                try await connection.query(
                    FindingStatement.ofCustomer, [user.text, String(run.number)]
                ) { row in
                    Reported(
                        run: RunID(text: try row.text("run_id")),
                        asOf: try row.instant("judged_at"), counts: try row.bool("counts"),
                        finding: try ReportedFinding(row))
                }
            }
        }
    }

    private func answers(
        of user: UserID, upTo run: RunListing,
        _ history: @Sendable @escaping (AnswerBody) -> Receipt?
    ) async throws(DatabaseError) -> [CustomerFile.ShownAnswer] {
        try await session.query(SQL.customerAnswers, [user.text, String(run.number)]) { row in
            let body = AnswerBody(
                bytes: try row.bytea("body"), server: try row.word("server"))
            return CustomerFile.ShownAnswer(
                run: RunID(text: try row.text("run_id")), receipt: try row.optionalID("receipt_id"),
                answeredAt: try row.optionalInstant("answered_at"),
                server: body.server,
                digest: try row.text("body_sha256"), shows: history(body))
        }
    }

    private func mayReadAnswers() async throws(DatabaseError) -> Bool {
        try await session.query(SQL.mayReadAnswers) { row in
            try row.bool("may_read")
        } == [true]
    }

    // MARK: Unknown ids

    private func unknown(
        _ key: Key, in run: RunListing
    ) async throws(DatabaseError) -> DatabaseError {
        let near: [(String?, String?)]
        let what: String
        switch key {
        case .user(let user):
            what = "No run has judged a user \(user)."
            near = try await nearest(SQL.nearestUsers, [user.text])
        case .receipt(let receipt):
            what = "Run \(run.run.id) had no receipt \(receipt)."
            near = try await nearest(SQL.nearestReceipts, [receipt.text, run.run.id.text])
        case .transaction(let transaction):
            what =
                "No verdict is based on transaction \(transaction): it is neither the latest"
                + " transaction of a purchase nor the first of a subscription."
            near = try await nearest(SQL.nearestTransactions, [transaction.text])
        }
        let ids = [near.first?.0, near.first?.1].compactMap { $0 ?? nil }
        let hint = ids.isEmpty ? "" : " The nearest: \(ids.joined(separator: ", "))."
        return refusal(.unknown(what + hint))
    }

    private func nearest(
        _ statement: Statement, _ parameters: [String?]
    ) async throws(DatabaseError) -> [(String?, String?)] {
        try await session.query(statement, parameters) { row in
            (try row.optionalText("before"), try row.optionalText("behind"))
        }
    }

    private func refusal(_ reason: DatabaseError.Reason) -> DatabaseError {
        DatabaseError(reason, statement: SQL.findCustomer.name)
    }
}
