/// Asks for the notices of one kind that Apple sent to an app's server in a time, page by page.
struct NoticeExchange: Exchange {
    typealias Send =
        @Sendable (_ path: String, _ body: [UInt8]) async throws -> AppleTransport.Reply
    typealias Take = @Sendable ([RefundNotice]) async throws -> Void

    private let window: NoticeWindow
    private let reader: SignedAnswerReader
    private let send: Send
    private let take: Take
    /// To ask for the next page with; nil at the first.
    private var token: String?

    /// - Parameters:
    ///   - send: one request of the window's app in production.
    ///   - take: gets the notices of each page.
    init(
        about window: NoticeWindow, reader: SignedAnswerReader, send: @escaping Send,
        take: @escaping Take
    ) {
        self.window = window
        self.reader = reader
        self.send = send
        self.take = take
    }

    mutating func attempt(at server: AppleServer) async throws -> Attempt {
        switch try await send(path, body) {
        case .failed(let error):
            let reply = APIReply(error)
            return Attempt(reply, APIStatus.of(reply) { _ in false })
        case .answered(let response, let retryAfter):
            var next: String?
            let (reply, notices) = read(response, next: &next)
            let row = APIStatus.of(reply) { _ in false }
            var attempt = Attempt(reply, row)
            attempt.httpStatus = response.status
            attempt.retryAfter = retryAfter
            attempt.requestID = response.requestID
            attempt.bodyBytes = response.body.count
            guard row.step == .take else { return attempt }
            try await take(notices)
            token = next
            return next == nil ? attempt.last(of: window.bundle) : attempt
        }
    }

    private var path: String {
        "/inApps/v1/notifications/history"
            + (token.map { "?paginationToken=\($0.percentEncoded)" } ?? "")
    }

    /// The same for each page.
    private var body: [UInt8] {
        Array(
            (#"{"startDate":\#(window.from.milliseconds),"endDate":\#(window.to.milliseconds),"#
                + #""notificationType":"\#(window.kind.rawValue)"}"#).utf8)
    }

    private func read(
        _ response: HTTPResponse, next: inout String?
    ) -> (APIReply, [RefundNotice]) {
        guard response.status == 200 else {
            return (.http(response.status, code: APIAnswer.errorCode(response.body)), [])
        }
        do {
            let root = try JSONNode(response.body)
            let page = try APIAnswer.notices(root)
            let notices = try page.notices.map(notice)
            next = page.next
            return (.whole, notices)
        } catch let error as SignedAnswerReader.NotAuthentic {
            return (.notAuthentic(why: error.why), [])
        } catch let error as JSONError {
            return (.unreadable(error), [])
        } catch {
            return (.incomplete, [])
        }
    }

    private func notice(_ item: APIAnswer.Notice) throws -> RefundNotice {
        let signed = try reader.verified(item.payload, of: window.bundle, from: .serverAPI)
        let notification = SignedNotification(signed.payload)
        guard
            let inside = notification.contents.first(where: { $0.name == "signedTransactionInfo" })
        else { throw APIAnswer.Incomplete() }
        let jws = try reader.verified(
            Array(inside.text.utf8)[...], of: window.bundle, from: .serverAPI)
        let transaction = SignedTransaction(jws.payload)
        guard let id = transaction.id, let signedAt = notification.signedAt.instant else {
            throw APIAnswer.Incomplete()
        }
        return RefundNotice(
            kind: window.kind, transaction: id, signedAt: signedAt,
            revokedAt: transaction.revokedAt.instant, isMissed: !item.isDelivered,
            payload: window.kind == .refund ? Array(item.payload) : nil)
    }
}

extension Attempt {
    /// The same request, as the one that made the answer whole. It shows no purchases of anybody.
    fileprivate func last(of bundle: BundleID) -> Attempt {
        var whole = Attempt(
            .verified(Receipt(bundle: bundle, environment: .production)), .sound, .granted)
        whole.httpStatus = httpStatus
        whole.requestID = requestID
        whole.bodyBytes = bodyBytes
        return whole
    }
}

extension CustomerAnswer {
    /// The transaction of a notice that was verified when it came.
    static func refund(in notice: [UInt8]) -> Receipt? {
        guard let jws = JWS(notice) else { return nil }
        let inside = SignedNotification(jws.payload).contents
            .first { $0.name == "signedTransactionInfo" }
        guard let inside, let transaction = JWS(Array(inside.text.utf8)),
            let bundle = transaction.payload.bundle
        else { return nil }
        var history = SignedHistory()
        history.add(transaction.payload, as: .transaction)
        return history.receipt(of: bundle, in: .production)
    }
}
