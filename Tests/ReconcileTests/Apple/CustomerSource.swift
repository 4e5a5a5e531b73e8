import Foundation

@testable import Reconcile
@testable import TestSupport

/// A made-up source that asks about customers, page by page, as the App Store Server API does.
///
/// A row's id is a transaction of its customer. An answer shows all transactions of the customer,
/// so that it may stand for further rows, about which nobody needs to be asked any more.
struct CustomerSource: LiveSource {
    /// Never used: `attempt` answers itself.
    let transport: AppleTransport

    /// Of each customer the transactions of each page.
    let customers: [[[TransactionID]]]
    /// A customer of the sandbox has this transaction.
    var sandboxed: TransactionID?
    /// The pages that were asked for, and where.
    let asked = Shared<[Asked]>([])

    struct Asked: Equatable {
        let page: Page
        let server: AppleServer
    }

    var firstServer = AppleServer.production

    init(customers: [[[TransactionID]]], sandboxed: TransactionID? = nil) throws {
        self.customers = customers
        self.sandboxed = sandboxed
        transport = try AppleTransport(ValidationSettings(), to: "an API", now: { .asOf })
    }

    func inquiry(about rows: [StoredReceipt], of user: UserID) async throws -> Inquiry {
        var inquiry = Inquiry(about: rows)
        askNext(&inquiry)
        return inquiry
    }

    func attempt(_ question: Question, at server: AppleServer) async throws -> Attempt {
        let page = Page(question)
        asked.update { $0.append(Asked(page: page, server: server)) }
        if server == .production, page.transaction == sandboxed {
            return Attempt(.elsewhere(.sandbox), .sound)
        }
        guard let pages = customers.first(where: { $0.joined().contains(page.transaction) }) else {
            return Attempt(.refused(.accountGone), .sound, .granted)
        }
        let answer = HistoryPage(
            transactions: pages[page.number - 1].map(\.text), hasMore: page.number < pages.count)
        let body = AnswerBody(bytes: Array(try JSONEncoder().encode(answer)), server: server)
        guard let history = Self.history(in: body) else {
            return Attempt(.ended(.malformedAnswer), .sound)
        }
        var attempt = Attempt(.verified(history), .sound, .granted)
        attempt.httpStatus = 200
        attempt.body = body
        return attempt
    }

    static func history(in body: AnswerBody) -> Receipt? {
        var receipt = Receipt.showing()
        receipt.environment = body.server.environment
        receipt.transactions = body.page.transactions.map { id in
            let id = TransactionID(id)
            return Transaction(id: id, originalID: id, product: "pro", purchasedAt: .asOf)
        }
        return receipt
    }

    func revise(_ inquiry: inout Inquiry, after question: Int) {
        guard let body = inquiry.report(answering: question)?.body else {
            return askNext(&inquiry)
        }
        addEarlierPage(to: question, of: &inquiry)
        let rows = inquiry.rows(answeredBy: question)
        let page = body.page
        if page.hasMore {
            let next = inquiry.ask(Page(inquiry.questions[question].question).next, for: rows[0])
            for row in rows.dropFirst() { inquiry.share(next, with: row) }
        } else {
            for row in inquiry.undecided
            where page.transactions.contains(inquiry.receipts[row].id.text) {
                inquiry.share(question, with: row)
            }
            askNext(&inquiry)
        }
    }

    /// An answer that stands for rows has the transactions of all pages before it, too.
    private func addEarlierPage(to question: Int, of inquiry: inout Inquiry) {
        let page = Page(inquiry.questions[question].question)
        let earlier = Page(transaction: page.transaction, number: page.number - 1)
        guard
            let index = inquiry.questions.firstIndex(where: {
                $0.question.detail == earlier.question.detail
            }), case .verified(let before)? = inquiry.report(answering: index)?.validation,
            var report = inquiry.report(answering: question),
            case .verified(var history) = report.validation
        else { return }
        history.transactions = before.transactions + history.transactions
        report.validation = .verified(history)
        inquiry.record(.concluded(report), of: question)
    }

    private func askNext(_ inquiry: inout Inquiry) {
        guard let row = inquiry.undecided.first else { return }
        let transaction = TransactionID(inquiry.receipts[row].id.text)
        inquiry.ask(Page(transaction: transaction, number: 1).question, for: row)
    }

    func withoutSecret(_ body: AnswerBody, to question: Question) -> AnswerBody? { nil }

    func status(behind cause: Unverified) -> Int { 401 }

    /// A page of the history of the customer who has the transaction, from 1.
    struct Page: Equatable {
        let transaction: TransactionID
        let number: Int

        /// Its detail names both.
        var question: Question { .about("\(transaction.text)/\(number)") }
        var next: Question { Page(transaction: transaction, number: number + 1).question }

        init(transaction: TransactionID, number: Int) {
            self.transaction = transaction
            self.number = number
        }

        init(_ question: Question) {
            let parts = question.detail.split(separator: "/").map(String.init)
            self.init(transaction: TransactionID(parts[0]), number: Int(parts[1]) ?? 0)
        }
    }
}

/// An answer: the transactions of a page, and whether there are further pages.
private struct HistoryPage: Codable {
    var transactions: [String] = []
    var hasMore = false
}

extension AnswerBody {
    fileprivate var page: HistoryPage {
        (try? JSONDecoder().decode(HistoryPage.self, from: Data(bytes))) ?? HistoryPage()
    }
}
