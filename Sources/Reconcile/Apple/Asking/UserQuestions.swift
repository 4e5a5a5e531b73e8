// The questions about a user's receipts.
extension Asking {
    /// What is to be asked about a user's receipts, after what is known already is recalled.
    /// - Parameter skipped: why no question is asked; nil: all are.
    func inquiry(
        about user: StoredUser, skippedFor skipped: Unverified? = nil
    ) async throws -> Inquiry {
        guard !user.isTooLarge else {
            return Inquiry(about: user.receipts, skippedFor: .userTooLarge)
        }
        var inquiry = try await source.inquiry(about: user.receipts, of: user.user)
        if let skipped { inquiry.skipQuestions(for: skipped) }
        if inquiry.hasOpenQuestions { try await source.recall(&inquiry, of: user.user) }
        return inquiry
    }

    /// What is to be asked about one receipt.
    func inquiry(about receipt: StoredReceipt) async throws -> Inquiry {
        try await source.inquiry(about: [receipt], of: receipt.user)
    }

    /// The first question about one receipt; nil when it needs none.
    /// - Parameters:
    ///   - rows: of the receipt's user, where the question depends on them; nil: the receipt alone.
    ///   - server: which may answer it; nil: any.
    func question(
        about receipt: StoredReceipt, among rows: [StoredReceipt]? = nil,
        for server: AppleServer? = nil
    ) async throws -> Inquiry.Asked? {
        let inquiry = try await source.inquiry(about: rows ?? [receipt], of: receipt.user)
        let customers = inquiry.customers.first { $0.holds(receipt.id) }
        return inquiry.questions.enumerated().first { number, asked in
            let isOfSource = server.map { $0.source == asked.question.source } ?? true
            return isOfSource
                && (rows == nil || asked.receipt == receipt.id
                    || customers?.asked.contains(number) ?? false)
        }?.element
    }

    /// Asks the questions of an inquiry, and those to which the answers lead.
    /// - Parameter limit: at most so many at once.
    func answer(
        _ inquiry: inout Inquiry, atMost limit: Int,
        by ask: @escaping @Sendable (Inquiry.Asked) async throws -> QuestionResult
    ) async throws {
        try await withThrowingTaskGroup(of: (Int, QuestionResult).self) { group in
            var asked = 0
            while true {
                while asked < limit, let index = inquiry.take() {
                    let question = inquiry.questions[index]
                    group.addTask { (index, try await ask(question)) }
                    asked += 1
                }
                guard let (index, result) = try await group.next() else { return }
                asked -= 1
                inquiry.record(result, of: index)
                source.revise(&inquiry, after: index)
            }
        }
    }
}
