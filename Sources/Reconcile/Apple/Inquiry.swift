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

    enum Row: Sendable {
        /// The source has not decided yet what to ask.
        case undecided
        case resolved(ValidationReport)
        /// The index of a question.
        case answered(by: Int)
        /// By several questions: it is verified when all of them are, else it has the result of the
        /// first that is not.
        case answeredTogether(by: [Int])

        var questions: [Int] {
            switch self {
            case .undecided, .resolved: []
            case .answered(let question): [question]
            case .answeredTogether(let questions): questions
            }
        }
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

    /// Asks about a customer, for rows that are settled by `answer(_:by:)` when all is known.
    /// - Parameter row: of those with the customer, the one with the smallest id.
    mutating func askForCustomer(_ question: Question, of row: Int) -> Int {
        questions.append(Asked(question: question, receipt: receipts[row].id))
        results.append(nil)
        return questions.count - 1
    }

    /// Questions whose answers stand for a row together, in this order, before those that do so
    /// already.
    mutating func answer(_ row: Int, by first: [Int]) {
        rows[row] = .answeredTogether(by: first + rows[row].questions)
    }

    /// What is asked about customers.
    var customers: [CustomerRows] = []

    var rowsOfCustomers: Set<Int> { Set(customers.flatMap(\.indices)) }

    /// The rows about which neither a question nor a result is known.
    var undecided: [Int] {
        rows.indices.filter { if case .undecided = rows[$0] { true } else { false } }
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
        customers = []
    }

    /// Keeps what is needed for long only: no receipt data, and the questions' receipts as they are
    /// held elsewhere. Later questions need none.
    mutating func compact(sharing held: SendableReceipt?) {
        forgetData()
        guard let held else { return }
        questions = questions.map {
            Asked(question: $0.question.compact(sharing: held), receipt: $0.receipt)
        }
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

    var refusals: Set<RefusedReceipt> {
        var refusals: Set<RefusedReceipt> = []
        for (asked, result) in zip(questions, results) {
            guard case .refused(let refusal)? = result else { continue }
            refusals.insert(RefusedReceipt(receipt: asked.receipt, server: refusal.server))
        }
        return refusals
    }

    /// Whether each of these receipts is refused again by the same source.
    func repeats(_ before: Set<RefusedReceipt>) -> Bool {
        let again = refusals
        return before.allSatisfy { former in
            again.contains {
                $0.receipt == former.receipt && $0.server.source == former.server.source
            }
        }
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

    /// What became of each row; `resolve` makes the report on a refused question.
    func concluded(by resolve: (Refusal, Asked) -> ValidationReport) -> UserAnswers {
        let answered = zip(questions, results).map { asked, result -> UserAnswers.Answered in
            var report =
                switch result {
                case .concluded(let report): report
                case .refused(let refusal): resolve(refusal, asked)
                case nil: ValidationReport(.unverified(.incompleteAnswer))
                }
            if asked.question.source == .serverAPI { report.proof = .serverAPI }
            return UserAnswers.Answered(
                question: asked.question, receipt: asked.receipt, report: report)
        }
        var answers = UserAnswers(rows: rows, asked: answered, requests: requests)
        for group in customers {
            let proofs = group.proofs { question in
                guard case .verified(let history) = answered[question].report.validation else {
                    return nil
                }
                return history
            }
            answers.proofs.merge(proofs) { first, _ in first }
        }
        return answers
    }
}
