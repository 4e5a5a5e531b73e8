internal import SQL

package struct EvidenceStore: Sendable {
    let session: DatabaseSession

    /// The kept answers of `run` by request digest. If there are several for a request, the one
    /// about the receipt of `user`.
    package func answers(
        to requests: [[UInt8]], of user: UserID, in run: RunID
    ) async throws(DatabaseError) -> [KeptAnswer] {
        guard !requests.isEmpty else { return [] }
        let parameters = [run.text, PostgresArray.bytea(requests), user.text]
        return try await session.query(SQL.findEvidence, parameters) { row in
            try KeptAnswer(row)
        }
    }
}

extension KeptAnswer {
    fileprivate init(_ row: borrowing PostgresRow) throws {
        let request = try row.bytea("request_sha256")
        let conclusion: Conclusion
        switch try row.text("outcome") {
        case "verified": conclusion = .verified
        case "rejected": conclusion = .rejected(try row.word("cause"))
        default: conclusion = .unverified(try row.word("cause"))
        }
        var attempts = AttemptSummary()
        attempts.count = try row.int("attempts")
        attempts.lastStatus = try row.optionalInt("last_status")
        attempts.lastHTTPStatus = try row.optionalInt("last_http_status")
        attempts.detail = try row.optionalText("detail")
        attempts.answeredAt = try row.optionalInstant("answered_at")
        attempts.server = try row.optionalWord("server")
        var body: AnswerBody?
        if let bytes = try row.optionalBytea("body") {
            body = AnswerBody(bytes: bytes, server: try row.word("server"))
        }
        self.init(
            request: request, receipt: try row.optionalID("receipt_id"), conclusion: conclusion,
            attempts: attempts, body: body, bodyDigest: nil)
    }
}
