/// Judges by the answers that an earlier run kept (`--replay`): it asks what the run's own source
/// would ask, and answers by evidence.
package struct KeptAnswers: AppleSource {
    package let live: (any LiveSource)? = nil
    /// As in the earlier run, which kept every answer.
    package let checksEverySignature = true
    private let source: any LiveSource
    private let proof: LocalProof
    private let answers: @Sendable (_ keys: [[UInt8]], UserID) async throws -> [KeptAnswer]

    /// - Parameters:
    ///   - source: whose answers were kept.
    ///   - apple: receipts that it proves can contradict Apple's answer.
    ///   - catalogued: products whose kind is not read from receipts; nil: read no kinds.
    ///   - answers: of the earlier run to the questions with these keys about a user.
    package init(
        of source: any LiveSource, provenBy apple: AppleSignature,
        catalogued: Set<ProductID>? = nil,
        answers: @escaping @Sendable ([[UInt8]], UserID) async throws -> [KeptAnswer]
    ) {
        self.source = source
        proof = LocalProof(apple, catalogued: catalogued)
        self.answers = answers
    }

    package func inquiry(
        about rows: [StoredReceipt], of user: UserID
    ) async throws -> Inquiry {
        try await source.inquiry(about: rows, of: user)
    }

    package func recall(_ inquiry: inout Inquiry, of user: UserID) async throws {
        while inquiry.hasOpenQuestions {
            var open: [Int] = []
            while let question = inquiry.take() { open.append(question) }
            let keys = open.map { inquiry.questions[$0].question.digest }
            let byKey = Dictionary(
                try await answers(keys, user).map { ($0.request, $0) },
                uniquingKeysWith: { first, _ in first })
            for (question, key) in zip(open, keys) {
                let asked = inquiry.questions[question].question
                inquiry.record(.concluded(report(on: byKey[key], about: asked)), of: question)
                revise(&inquiry, after: question)
            }
        }
    }

    private func report(on kept: KeptAnswer?, about question: Question) -> ValidationReport {
        guard let kept else { return ValidationReport(.unverified(.noEvidence)) }
        var report = source.report(on: kept)
        report.prove(question, by: proof)
        return report
    }

    package func revise(_ inquiry: inout Inquiry, after question: Int) {
        source.revise(&inquiry, after: question)
    }

    package func signature(
        on body: AnswerBody, sayingThat answer: Receipt
    ) -> AnswerSignature? { source.signature(on: body, sayingThat: answer) }
}
