internal import SQL

extension Database {
    /// What is recorded of `questions`, by their digests: of `batch`, or of any batch of the run.
    package func answers(
        to questions: [[UInt8]], of run: RunID, in batch: Batch, orAnyBatch: Bool
    ) async throws(DatabaseError) -> [RecordedAnswer] {
        guard !questions.isEmpty else { return [] }
        let digests = PostgresArray.bytea(questions)
        let parameters = [run.text, digests, String(batch.number), orAnyBatch ? "t" : "f"]
        return try await endure(touching: .tables) { () async throws(PostgresError) in
            try await pool.withConnection { connection async throws(PostgresError) in
                try await connection.queryRowByRow(
                    PostgresStatement(SQL.findAnswers), parameters
                ) { row throws(PostgresError) in try RecordedAnswer(row) }
            }
        }
    }

    /// Which of Apple's answers in `run` refused a receipt, as far as a worker that comes to it
    /// now must know them to tell a storm.
    package func refusalHistory(of run: RunID) async throws(DatabaseError) -> RefusalHistory {
        let causes =
            Rejection.refusals.map(\.rawValue) + [Unverified.rejectionUnconfirmed.rawValue]
        let rows = try await query(SQL.refusalHistory, [run.text, PostgresArray.text(causes)]) {
            row throws(PostgresError) in
            (question: try row.optionalBytea(0), number: try row.int(1))
        }
        return RefusalHistory(
            answers: rows.last?.number ?? 0,
            refusals: rows.compactMap { row in
                row.question.map {
                    RefusalHistory.Refusal(question: $0, number: row.number)
                }
            })
    }

    /// So many answers one statement goes through in a few hundred milliseconds.
    private static let fewAnswers = 20_000

    /// Ranges of names in hexadecimal, so that no statement takes long: sixteen of a large run,
    /// one of a small one, for which the statements themselves would take longer. The last is open.
    private static func parts(
        of receipts: Int, prefix: String, suffix: String
    ) -> [(first: String, end: String?)] {
        let digits = receipts > fewAnswers ? 1 : 16
        return stride(from: 0, to: 16, by: digits).map { digit in
            let end = digit + digits < 16 ? String(digit + digits, radix: 16) : nil
            return (
                prefix + String(digit, radix: 16) + suffix, end.map { prefix + $0 + suffix }
            )
        }
    }

    /// Removes what is not to be kept of the answers of all runs that have ended.
    package func settleEvidence() async throws(DatabaseError) {
        let runs = try await query(SQL.findUnsettledEvidence) { row throws(PostgresError) in
            (run: try row.text(0), evidence: try row.word(1) as Evidence, receipts: try row.int(2))
        }
        for (run, evidence, receipts) in runs {
            if evidence != .none {
                for part in Self.parts(of: receipts, prefix: "", suffix: "") {
                    _ = try await query(SQL.citeAnswers, [run, part.first, part.end]) { _ in }
                }
            }
            if evidence != .all {
                for part in Self.parts(of: receipts, prefix: "\\x", suffix: "0") {
                    let parameters = [run, evidence.rawValue, part.first, part.end]
                    _ = try await query(SQL.settleEvidence, parameters) { _ in }
                }
            }
            _ = try await query(SQL.markEvidenceSettled, [run]) { _ in }
        }
    }
}

extension PostgresConnection {
    /// Records the answers to questions of `batches`, each under its lease.
    func copy(_ answers: [Int: [RecordedAnswer]], of batches: [Batch], _ run: RunID)
        throws(PostgresError)
    {
        let rows = batches.lazy.flatMap { batch in
            (answers[batch.number] ?? []).lazy.map { (batch: batch, answer: $0) }
        }
        try copyIn(PostgresStatement(SQL.copyAnswers), rows) { row, buffer in
            buffer.append(row.answer, of: row.batch, run)
        }
    }

    /// The findings of a batch, each with the digest of the answer that it comes of. After `copy`:
    /// those answers are in the table.
    func evidenced(
        _ record: BatchRecord, of run: RunID
    ) throws(PostgresError) -> [ReportedFinding] {
        guard !record.citedQuestions.isEmpty else { return record.findings }
        let questions = Set(record.citedQuestions.values)
        let parameters = [
            (record.replayOf ?? run).text, PostgresArray.bytea(Array(questions)),
            String(record.batch.number), record.replayOf == nil ? "f" : "t",
        ]
        let rows = try query(PostgresStatement(SQL.answerDigests), parameters) {
            row throws(PostgresError) in
            (question: try row.optionalBytea(0), digest: try row.text(1))
        }
        let digests = Dictionary(
            rows.compactMap { row in row.question.map { ($0, row.digest) } },
            uniquingKeysWith: { first, _ in first })
        return record.findings.map { reported in
            var reported = reported
            reported.finding.evidenceSHA256 = reported.finding.receipt
                .flatMap { record.citedQuestions[$0] }.flatMap { digests[$0] }
            return reported
        }
    }

    /// Takes back that `questions` of `batch` were answered by refusals to be believed.
    func doubt(
        _ questions: [[UInt8]], of batch: Batch, _ run: RunID
    ) throws(PostgresError) {
        guard !questions.isEmpty else { return }
        let parameters = [run.text, String(batch.number), PostgresArray.bytea(questions)]
        _ = try query(PostgresStatement(SQL.doubtAnswers), parameters) { _ in }
    }
}

extension BinaryCopyBuffer {
    /// The columns of `copy_answers`.
    fileprivate mutating func append(_ answer: RecordedAnswer, of batch: Batch, _ run: RunID) {
        beginRow(columns: 20)
        append(run.text)
        append(bytes: answer.question)
        append(int: batch.number)
        append(bigint: batch.lease)
        append(answer.receipt?.text)
        append(answer.conclusion.outcome)
        append(answer.conclusion.cause)
        append(int: answer.attempts.count)
        append(bigint: answer.attempts.lastStatus)
        append(int: answer.attempts.lastHTTPStatus)
        append(answer.attempts.detail)
        append(timestamp: answer.attempts.answeredAt?.milliseconds)
        append(timestamp: answer.attempts.refusedAt?.milliseconds)
        append(answer.body?.server.rawValue)
        append(int: answer.requests.production)
        append(int: answer.requests.sandbox)
        append(int: answer.requests.retries)
        append(json: CountsText.json(answer.requests.byStatus))
        append(json: CountsText.json(answer.requests.byHTTPStatus))
        append(bytes: answer.body?.bytes)
    }
}

extension RecordedAnswer {
    /// The columns of `find_answers`.
    fileprivate init(_ row: borrowing PostgresRow) throws(PostgresError) {
        var attempts = AttemptSummary()
        attempts.count = try row.int(4)
        attempts.lastStatus = try row.optionalInt(5)
        attempts.lastHTTPStatus = try row.optionalInt(6)
        attempts.detail = row.optionalText(7)
        attempts.answeredAt = try row.optionalInstant(8)
        var requests = RequestTally()
        requests.production = try row.int(10)
        requests.sandbox = try row.int(11)
        requests.retries = try row.int(12)
        requests.sent = requests.production + requests.sandbox
        requests.byStatus = CountsText.counts(in: try row.text(13))
        requests.byHTTPStatus = CountsText.counts(in: try row.text(14))
        var body: AnswerBody?
        if let bytes = try row.optionalBytea(15) {
            body = AnswerBody(bytes: bytes, server: try row.word(9))
        }
        guard let question = try row.optionalBytea(0) else { throw row.undecodable(0) }
        let conclusion: Conclusion
        switch try row.text(2) {
        case "verified": conclusion = .verified
        case "rejected": conclusion = .rejected(try row.word(3))
        default: conclusion = .unverified(try row.word(3))
        }
        self.init(
            question: question, receipt: row.optionalID(1), conclusion: conclusion,
            attempts: attempts, requests: requests, body: body)
    }
}

extension RecordedAnswer.Conclusion {
    fileprivate var outcome: String {
        switch self {
        case .verified: "verified"
        case .rejected: "rejected"
        case .unverified: "unverified"
        }
    }

    fileprivate var cause: String? {
        switch self {
        case .verified: nil
        case .rejected(let cause): cause.rawValue
        case .unverified(let cause): cause.rawValue
        }
    }
}

/// Numbers of answers by status, `{"0": 3, "21007": 1}`: as JSON, without a JSON library.
private enum CountsText {
    static func json(_ counts: [Int: Int]) -> String {
        // What nearly every receipt takes: one answer of one status.
        if counts.count == 1, let (key, count) = counts.first { return "{\"\(key)\": \(count)}" }
        let members = counts.sorted { $0.key < $1.key }.map { "\"\($0)\": \($1)" }
        return "{" + members.joined(separator: ", ") + "}"
    }

    /// Reads what `jsonb` prints of it: every number in it, in pairs.
    static func counts(in text: String) -> [Int: Int] {
        let numbers = text.split { !($0.isNumber || $0 == "-") }.compactMap { Int($0) }
        let pairs = stride(from: 0, to: numbers.count - 1, by: 2).map {
            (numbers[$0], numbers[$0 + 1])
        }
        return Dictionary(pairs, uniquingKeysWith: +)
    }
}
