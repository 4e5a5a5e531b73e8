/// What is asked about a user's stored receipts, and what was answered: a value without I/O.
///
/// A source fills it with rows that are resolved and with questions. After each answer it may point
/// further rows to that answer, or ask a further question. Questions that are open together may be
/// asked at the same time.
package struct Inquiry: Sendable {
    struct Asked: Sendable {
        let question: Question
        /// Of the rows that share the question, the first.
        let receipt: ReceiptID
    }

    private enum Row {
        /// The source has not decided yet what to ask.
        case undecided
        case resolved(ValidationReport)
        /// The index of a question.
        case answered(by: Int)
    }

    private(set) var receipts: [StoredReceipt]
    private var rows: [Row]
    private(set) var questions: [Asked] = []
    /// In the order of `questions`.
    private var results: [QuestionResult?] = []
    /// The questions before it were taken.
    private var next = 0
    private var answered = 0

    init(about receipts: [StoredReceipt]) {
        self.receipts = receipts
        rows = Array(repeating: .undecided, count: receipts.count)
    }

    /// No request is sent about any of the rows.
    init(about receipts: [StoredReceipt], skippedFor cause: Unverified) {
        self.init(about: receipts)
        for row in rows.indices { resolve(row, with: ValidationReport(.unverified(cause))) }
    }

    // MARK: What a source decides

    mutating func resolve(_ row: Int, with report: ValidationReport) {
        rows[row] = .resolved(report)
    }

    /// Returns the index of the question.
    @discardableResult
    mutating func ask(_ question: Question, for row: Int) -> Int {
        rows[row] = .answered(by: questions.count)
        questions.append(Asked(question: question, receipt: receipts[row].id))
        results.append(nil)
        return questions.count - 1
    }

    /// The answer to a question stands for this row, too.
    mutating func share(_ question: Int, with row: Int) { rows[row] = .answered(by: question) }

    /// The rows about which neither a question nor a result is known.
    var undecided: [Int] {
        rows.indices.filter { if case .undecided = rows[$0] { true } else { false } }
    }

    /// The rows for which the answer to a question stands.
    func rows(answeredBy question: Int) -> [Int] {
        rows.indices.filter { row in
            if case .answered(let other) = rows[row] { other == question } else { false }
        }
    }

    /// Nil before the answer, and when it is a refusal.
    func report(answering question: Int) -> ValidationReport? {
        guard case .concluded(let report)? = results[question] else { return nil }
        return report
    }

    // MARK: What the asker does

    var hasOpenQuestions: Bool { answered < questions.count }

    /// Takes the next question that is not taken; nil without one.
    mutating func take() -> Int? {
        guard next < questions.count else { return nil }
        next += 1
        return next - 1
    }

    /// Takes the next question if no other is open: then it is asked without a task of its own.
    mutating func takeOnly() -> Int? {
        guard next == answered, next + 1 == questions.count else { return nil }
        return take()
    }

    /// A source may record a question again, as what its answer and earlier ones say together.
    mutating func record(_ result: QuestionResult, of question: Int) {
        if results[question] == nil { answered += 1 }
        results[question] = result
    }

    /// Drops all questions: their rows are `unverified`. Only before the first was taken.
    mutating func skipQuestions(for cause: Unverified) {
        for row in rows.indices {
            if case .resolved = rows[row] { continue }
            rows[row] = .resolved(ValidationReport(.unverified(cause)))
        }
        questions = []
        results = []
    }

    /// Frees receipt data that no further question needs.
    mutating func forgetData() { receipts = receipts.map(\.withoutData) }
}

extension Inquiry {
    var requests: RequestRecord {
        var requests = RequestRecord()
        for result in results { if let result { requests += result.requests } }
        return requests
    }

    var refusals: [ReceiptID: AppleServer] {
        var refusals: [ReceiptID: AppleServer] = [:]
        for (asked, result) in zip(questions, results) {
            if case .refused(let refusal)? = result { refusals[asked.receipt] = refusal.server }
        }
        return refusals
    }

    var isRefused: Bool {
        results.contains { if case .refused? = $0 { true } else { false } }
    }

    var refusedQuestions: [Question] {
        zip(questions, results).compactMap { asked, result in
            if case .refused? = result { asked.question } else { nil }
        }
    }

    /// Whether a question was left, because its app is stopped.
    var hasLeftStoppedApp: Bool {
        results.contains { result in
            if case .concluded(let report)? = result { report.isOfStoppedApp } else { false }
        }
    }

    /// One report per row; `resolve` makes that of a refused question.
    func concluded(by resolve: (Refusal, Asked) -> ValidationReport) -> UserAnswers {
        func unanswered() -> ValidationReport { ValidationReport(.unverified(.incompleteAnswer)) }
        let reports = zip(questions, results).map { asked, result in
            switch result {
            case .concluded(let report): report
            case .refused(let refusal): resolve(refusal, asked)
            case nil: unanswered()
            }
        }
        return UserAnswers(
            perReceipt: rows.map { row in
                switch row {
                case .resolved(let report): report
                case .answered(let question): reports[question]
                case .undecided: unanswered()
                }
            },
            questionIndices: rows.map { row in
                if case .answered(let question) = row { question } else { nil }
            },
            asked: zip(questions, reports).map { ($0, $1) }, requests: requests)
    }
}
