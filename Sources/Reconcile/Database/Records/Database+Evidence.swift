internal import SQL

extension Database {
    /// The answers that `run` kept to `requests`, by their digests; of several the one about the
    /// receipt of `user`.
    package func evidence(
        for requests: [[UInt8]], of user: UserID, in run: RunID
    ) async throws(DatabaseError) -> [KeptAnswer] {
        guard !requests.isEmpty else { return [] }
        let parameters = [run.text, PostgresArray.bytea(requests), user.text]
        return try await query(SQL.findEvidence, parameters) { row throws(PostgresError) in
            try KeptAnswer(row)
        }
    }
}

extension KeptAnswer {
    /// The columns of `find_evidence`.
    fileprivate init(_ row: borrowing PostgresRow) throws(PostgresError) {
        guard let request = try row.optionalBytea(0) else { throw row.undecodable(0) }
        let conclusion: Conclusion
        switch try row.text(2) {
        case "verified": conclusion = .verified
        case "rejected": conclusion = .rejected(try row.word(3))
        default: conclusion = .unverified(try row.word(3))
        }
        var attempts = AttemptSummary()
        attempts.count = try row.int(4)
        attempts.lastStatus = try row.optionalInt(5)
        attempts.lastHTTPStatus = try row.optionalInt(6)
        attempts.detail = row.optionalText(7)
        attempts.answeredAt = try row.optionalInstant(8)
        attempts.server = try row.optionalWord(9)
        var requests = RequestRecord()
        requests.production = try row.int(10)
        requests.sandbox = try row.int(11)
        requests.retries = try row.int(12)
        requests.statuses = try row.integers(13)
        requests.httpStatuses = try row.integers(14)
        var body: AnswerBody?
        if let bytes = try row.optionalBytea(15) {
            body = AnswerBody(bytes: bytes, server: try row.word(9))
        }
        self.init(
            request: request, receipt: row.optionalID(1), conclusion: conclusion,
            attempts: attempts, requests: requests, body: body, bodyDigest: nil)
    }
}
