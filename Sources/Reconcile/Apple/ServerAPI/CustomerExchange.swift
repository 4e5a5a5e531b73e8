/// Asks about one customer, request by request: the history of transactions page by page, then the
/// state of the subscriptions, then how the customer came by the app. What has come is kept until
/// all has: an answer is whole, or it is none.
struct CustomerExchange: Exchange {
    typealias Send =
        @Sendable (_ path: String, AppleServer) async throws -> AppleTransport.Reply

    /// Of 20 transactions each.
    static let mostPages = 1_000

    private enum Part: Equatable {
        /// - Parameter revision: of the page before; nil for the first.
        case history(revision: String?)
        case subscriptions
        case appTransaction
    }

    private let question: Question
    private let asksForApp: Bool
    private let reader: SignedAnswerReader
    private let send: Send

    private var server: AppleServer?
    private var part = Part.history(revision: nil)
    private var answer = CustomerAnswer()
    private var hasBegunAgain = false
    private var isWhole = false

    /// - Parameter send: one request of the question's app, by its path.
    init(
        about question: Question, asksForApp: Bool, reader: SignedAnswerReader,
        send: @escaping Send
    ) {
        self.question = question
        self.asksForApp = asksForApp
        self.reader = reader
        self.send = send
    }

    mutating func attempt(at server: AppleServer) async throws -> Attempt {
        if self.server != server {
            self.server = server
            begin()
        }
        switch try await send(path, server) {
        case .failed(let error): return attempt(APIReply(error))
        case .answered(let response, let retryAfter):
            var attempt = attempt(reply(response, from: server))
            attempt.httpStatus = response.status
            attempt.retryAfter = retryAfter
            attempt.requestID = response.requestID
            attempt.bodyBytes = response.body.count
            if case .partly = attempt.meaning, isWhole {
                let body = AnswerBody(bytes: answer.evidence.bytes, server: server)
                attempt = attempt.verified(
                    answer.history(of: question.bundle, in: server.environment), body,
                    at: reader.now())
            }
            return attempt
        }
    }

    private mutating func begin() {
        part = .history(revision: nil)
        answer = CustomerAnswer()
        next = nil
    }

    // MARK: Asking

    private var id: String {
        guard case .customer(let id) = question.subject else {
            preconditionFailure("the App Store Server API is asked about customers only")
        }
        return id.text
    }

    private var path: String {
        switch part {
        case .history(nil): "/inApps/v2/history/\(id)"
        case .history(let revision?):
            "/inApps/v2/history/\(id)?revision=\(revision.percentEncoded)"
        case .subscriptions: "/inApps/v1/subscriptions/\(id)"
        case .appTransaction: "/inApps/v1/transactions/appTransactions/\(id)"
        }
    }

    // MARK: Reading

    /// Takes what came with the reply's row of the table, and goes on to the next part.
    private mutating func attempt(_ reply: APIReply) -> Attempt {
        let row = APIStatus.of(reply) { holds($0) }
        switch row.step {
        case .take, .goWithout: goOn()
        case .beginAgain:
            hasBegunAgain = true
            begin()
        case .moveToSandbox, .refuse, .retry, .end: break
        }
        return Attempt(reply, row)
    }

    private func holds(_ condition: APIStatus.Condition) -> Bool {
        switch condition {
        case .always: true
        case .tooLong: answer.pages == Self.mostPages && next != nil
        case .firstInProduction: part == .history(revision: nil) && server == .serverAPI
        case .firstInSandbox: part == .history(revision: nil) && server == .serverAPISandbox
        case .firstTime: !hasBegunAgain
        case .appTransaction: part == .appTransaction
        }
    }

    /// The revision of the page that was just read, when another one follows.
    private var next: String?

    private mutating func goOn() {
        switch part {
        case .history where next != nil: part = .history(revision: next)
        case .history where answer.hasSubscription: part = .subscriptions
        case .history, .subscriptions:
            if asksForApp { part = .appTransaction } else { isWhole = true }
        case .appTransaction: isWhole = true
        }
    }

    private mutating func reply(_ response: HTTPResponse, from server: AppleServer) -> APIReply {
        guard response.status == 200 else {
            return .http(response.status, code: APIAnswer.errorCode(response.body))
        }
        let root: JSONNode
        do throws(JSONError) { root = try JSONNode(response.body) } catch {
            return .unreadable(error)
        }
        do {
            try take(root, from: server)
            return .whole
        } catch let error as SignedAnswerReader.NotAuthentic {
            return .notAuthentic(why: error.why)
        } catch {
            return .incomplete
        }
    }

    /// Adds what came; nothing, where it throws.
    private mutating func take(_ root: JSONNode, from server: AppleServer) throws {
        switch part {
        case .history:
            let page = try APIAnswer.page(root)
            let signed = try page.transactions.map {
                try reader.verified($0, of: question.bundle, from: server)
            }
            answer.add(page: signed)
            next = page.next
        case .subscriptions:
            let subscriptions = try APIAnswer.subscriptions(root)
            let signed = try subscriptions.map {
                try reader.verified($0.renewal, of: question.bundle, from: server)
            }
            for (jws, subscription) in zip(signed, subscriptions) {
                answer.add(jws, as: .renewalInfo, status: subscription.status)
            }
        case .appTransaction:
            let signed = try reader.verified(
                try APIAnswer.appTransaction(root), of: question.bundle, from: server)
            answer.add(signed, as: .appTransaction)
        }
    }
}

extension Attempt {
    /// The same request, as the one that made the answer whole.
    fileprivate func verified(
        _ history: Receipt, _ body: AnswerBody, at now: Instant
    ) -> Attempt {
        var whole = Attempt(.verified(history), .sound, .granted)
        whole.httpStatus = httpStatus
        whole.requestID = requestID
        whole.bodyBytes = bodyBytes
        whole.body = body
        whole.answeredAt = now
        return whole
    }
}
