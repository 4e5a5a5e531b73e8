internal import SQL

/// Reads the answers that runs have kept, for `evidence`. Read-only.
package struct EvidenceReader: Sendable {
    let session: DatabaseSession

    /// One answer, as received.
    package struct Answer: Sendable {
        /// Of those that it stands for, the one that was asked about, or whose customer was.
        package let receipt: ReceiptID?
        package let body: AnswerBody
        /// SHA-256 of the body, in hexadecimal.
        package let digest: String

        package var bytes: [UInt8] { body.received }
        package var source: AnswerSource { body.server.source }
    }

    /// What stands for a receipt.
    package struct Answers: Sendable {
        /// One of verifyReceipt; of the App Store Server API one for each customer.
        package let all: [Answer]
        /// Whether some may be about customers of other receipts of the user in the same app.
        package let mayHaveOthers: Bool
    }

    /// The answer with this digest.
    /// - Throws: `unknown` when the run has kept none.
    package func answers(
        with digest: String, to receipt: ReceiptID, of user: UserID, in run: RunListing
    ) async throws(DatabaseError) -> Answers {
        let found = try await answers(to: receipt, of: user, in: run, digest: digest)
        guard let answer = found.first else { throw unknown(receipt, run) }
        return Answers(all: [answer], mayHaveOthers: false)
    }

    /// The notice that a finding about no stored receipt is based on: the string that Apple signed,
    /// and a line feed.
    /// - Throws: `unknown` for a finding that is based on none, or whose notice was pruned.
    package func notice(
        behind row: ReportedFinding, in run: RunListing
    ) async throws(DatabaseError) -> [UInt8] {
        let parameters = [run.run.id.text, row.finding.transaction?.text]
        let found = try await session.query(SQL.findNotice, parameters) { row in
            try row.bytea("line")
        }
        guard let notice = found.first else {
            throw DatabaseError(
                .unknown(
                    "Finding \(row.id) is not based on an answer that run \(run.run.id) has kept:"
                        + " its row names no receipt."),
                statement: SQL.findNotice.name)
        }
        return notice
    }

    /// The answers that stand for a receipt: the App Store Server API's if it was asked, else the
    /// one of verifyReceipt.
    /// - Parameters:
    ///   - source: whose answers are meant; nil: of both.
    ///   - named: the transactions that the stored receipt names; nil when it cannot be read.
    /// - Throws: `unknown` when the run has kept none.
    package func answers(
        to receipt: ReceiptID, of user: UserID, in run: RunListing, from source: AnswerSource?,
        naming named: [TransactionID]?, reading history: (AnswerBody) -> Receipt?
    ) async throws(DatabaseError) -> Answers {
        let found = try await answers(to: receipt, of: user, in: run, digest: nil)
        let own = found.filter { $0.receipt == receipt && $0.source == .verifyReceipt }
        var customers: [Answer] = []
        if source != .verifyReceipt, try await mayBeOfCustomers(receipt, in: run) {
            customers = found.filter { $0.source == .serverAPI }
        }
        if let named {
            customers = customers.filter { answer in
                history(answer.body)?.shownIDs.contains { named.contains($0) } ?? false
            }
        }
        guard customers.isEmpty else {
            let isSure = named != nil || customers.allSatisfy { $0.receipt == receipt }
            return Answers(all: customers, mayHaveOthers: !isSure)
        }
        guard source != .serverAPI, let answer = own.first else {
            throw unknown(receipt, run, from: source)
        }
        return Answers(all: [answer], mayHaveOthers: false)
    }

    private func answers(
        to receipt: ReceiptID, of user: UserID, in run: RunListing, digest: String?
    ) async throws(DatabaseError) -> [Answer] {
        let servers = AppleServer.allCases.filter { $0.source == .serverAPI }.map(\.rawValue)
        let parameters = [
            run.run.id.text, user.text, receipt.text, digest, PostgresArray.text(servers),
        ]
        return try await session.query(SQL.findAnswers, parameters) { row in
            Answer(
                receipt: try row.optionalID("receipt_id"),
                body: AnswerBody(bytes: try row.bytea("body"), server: try row.word("server")),
                digest: try row.text("body_sha256"))
        }
    }

    /// Whether answers about customers can stand for a receipt: they are not asked about for every
    /// row, and another row of the user may name the same.
    private func mayBeOfCustomers(
        _ receipt: ReceiptID, in run: RunListing
    ) async throws(DatabaseError) -> Bool {
        try await session.query(SQL.sourceOfReceipt, [run.run.id.text, receipt.text]) { row in
            let server: AppleServer? = try row.optionalWord("server")
            let named: AnswerSource? = try row.optionalWord("source")
            let source = server?.source ?? named
            return try row.text("choice") == SourceChoice.both.rawValue || source == .serverAPI
        } == [true]
    }

    private func unknown(
        _ receipt: ReceiptID, _ run: RunListing, from source: AnswerSource? = nil
    ) -> DatabaseError {
        let whose = source.map { " of \($0.name)" } ?? ""
        return DatabaseError(
            .unknown(
                "Run \(run.run.id) has kept no answer\(whose) to receipt \(receipt). --evidence"
                    + " findings keeps the answers that findings refer to, --evidence all"
                    + " keeps every answer, and prune removes them."),
            statement: SQL.findAnswers.name)
    }
}
