/// Asks about each stored row by the source that `--source` chooses for it, or by both.
package struct CombinedSource: LiveSource {
    private let choice: SourceChoice
    /// Asks about receipts, and takes every row that nobody else does.
    private let receipts: any LiveSource
    /// Asks about the customers whom rows name, in apps with a key.
    private let customers: any LiveSource

    package init(
        _ choice: SourceChoice, receipts: any LiveSource, customers: any LiveSource
    ) {
        self.choice = choice
        self.receipts = receipts
        self.customers = customers
    }

    package var transport: AppleTransport { receipts.transport }

    package func ask(about rows: [Int], in inquiry: inout Inquiry) {
        let areReceipts = rows.map { row in
            if case .sendable = LocalReceipt(inquiry.receipts[row].data) { true } else { false }
        }
        let isOfReceipt = Dictionary(uniqueKeysWithValues: zip(rows, areReceipts))
        func asksReceipt(_ row: Int) -> Bool { isOfReceipt[row] ?? false }
        switch choice {
        case .verifyReceipt:
            customers.ask(about: rows.filter { !asksReceipt($0) }, in: &inquiry)
        case .serverAPI:
            customers.ask(about: rows, in: &inquiry)
        case .both:
            receipts.ask(about: rows.filter(asksReceipt), in: &inquiry)
            customers.ask(about: rows, in: &inquiry)
        }
        let named = inquiry.rowsOfCustomers
        let left = inquiry.undecided.filter { rows.contains($0) && !named.contains($0) }
        receipts.ask(about: left, in: &inquiry)
    }

    package func revise(_ inquiry: inout Inquiry, after question: Int) {
        source(of: inquiry.questions[question].question.source).revise(&inquiry, after: question)
    }

    private func source(of source: AnswerSource) -> any LiveSource {
        switch source {
        case .verifyReceipt: receipts
        case .serverAPI: customers
        }
    }

    package func signature(
        on body: AnswerBody, sayingThat answer: Receipt
    ) -> AnswerSignature? {
        source(of: body.server.source).signature(on: body, sayingThat: answer)
    }

    package func firstServer(for question: Question) -> AppleServer {
        source(of: question.source).firstServer(for: question)
    }

    package func exchange(about question: Question) -> any Exchange {
        source(of: question.source).exchange(about: question)
    }

    package func history(in body: AnswerBody) -> Receipt? {
        source(of: body.server.source).history(in: body)
    }

    package func withoutSecret(_ body: AnswerBody, to question: Question) -> AnswerBody? {
        source(of: question.source).withoutSecret(body, to: question)
    }

    package func status(behind cause: Unverified) -> Int {
        source(of: cause == .apiKeyRejected ? .serverAPI : .verifyReceipt).status(behind: cause)
    }
}
