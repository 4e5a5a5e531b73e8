/// Asks Apple's App Store Server API about the customers whom stored receipts name.
///
/// A question is about a customer, one Apple account in one app, by a transaction id. It takes
/// several requests (`CustomerExchange`), and its answer may stand for several rows and make the
/// next question needless.
package final class ServerAPI: LiveSource {
    package let transport: AppleTransport
    private let settings: ValidationSettings
    private let tokens: APITokens
    private let stored: StoredCustomers
    private let reader: SignedAnswerReader
    private let asksForApp: @Sendable (BundleID) -> Bool

    /// - Parameters:
    ///   - apps: whether there is a key for an app.
    ///   - asksForApp: whether it matters how customers came by the app itself.
    package init(
        _ settings: ValidationSettings, keys: APIKeys, apps: APIApps,
        through transport: AppleTransport, provenBy apple: AppleSignature,
        verifiedBy verifier: JWSVerifier, asksForApp: @escaping @Sendable (BundleID) -> Bool
    ) {
        self.transport = transport
        self.settings = settings
        self.asksForApp = asksForApp
        tokens = APITokens(keys, now: transport.now)
        stored = StoredCustomers(apps: apps, apple: apple, verifier: verifier, now: transport.now)
        reader = SignedAnswerReader(verifier: verifier, now: transport.now)
    }

    package func ask(about rows: [Int], in inquiry: inout Inquiry) {
        for row in rows {
            let stored = inquiry.receipts[row]
            switch self.stored.customers(in: stored) {
            case .none: break
            case .resolved(let report): inquiry.resolve(row, with: report)
            case .named(let ids, let bundle, let signed):
                let known = inquiry.customers.firstIndex {
                    $0.bundle == bundle && $0.storedBundle == stored.bundle
                }
                let group = known ?? inquiry.customers.endIndex
                if known == nil {
                    inquiry.customers.append(CustomerRows(of: bundle, storedFor: stored.bundle))
                }
                inquiry.customers[group].add(
                    row, of: stored.id, naming: ids, signed: signed)
            }
        }
        for group in inquiry.customers.indices { goOn(with: group, in: &inquiry) }
    }

    package func revise(_ inquiry: inout Inquiry, after question: Int) {
        guard
            let group = inquiry.customers.firstIndex(where: { $0.isAsked(by: question) })
        else { return }
        if case .verified(let history)? = inquiry.report(answering: question)?.validation {
            inquiry.customers[group].take(history, answering: question)
        }
        goOn(with: group, in: &inquiry)
    }

    /// Asks about the next customer of a group; settles its rows after the last.
    private func goOn(with group: Int, in inquiry: inout Inquiry) {
        let customers = inquiry.customers[group]
        guard let next = customers.next else {
            for (row, questions) in customers.answers { inquiry.answer(row, by: questions) }
            return
        }
        let question = inquiry.askForCustomer(
            Question(subject: .customer(next.id), bundle: customers.bundle), of: next.row)
        inquiry.customers[group].ask(about: next.id, by: question)
    }

    package func firstServer(for question: Question) -> AppleServer { .serverAPI }

    package func exchange(about question: Question) -> any Exchange {
        let send = sender(for: question.bundle)
        return CustomerExchange(
            about: question, asksForApp: asksForApp(question.bundle), reader: reader
        ) { path, server in try await send(path, nil, server) }
    }

    private func sender(
        for bundle: BundleID
    ) -> @Sendable (String, [UInt8]?, AppleServer) async throws -> AppleTransport.Reply {
        { [settings, tokens, transport] path, body, server in
            let request = HTTPRequest(
                url: settings.url(of: server) + path, body: body,
                authorization: tokens.token(for: bundle).map { "Bearer " + $0 })
            return try await transport.send(request, to: .serverAPI)
        }
    }

    package func history(in body: AnswerBody) -> Receipt? { Self.history(in: body) }

    /// Needs nothing that a run was given.
    package static func history(in body: AnswerBody) -> Receipt? {
        CustomerAnswer.history(in: body)
    }

    /// Apple signed every string of it, which was checked when it came.
    package func signature(
        on body: AnswerBody, sayingThat answer: Receipt
    ) -> AnswerSignature? { AnswerSignature(isSigned: true) }

    /// Keys are never sent, and no answer repeats a token.
    package func withoutSecret(_ body: AnswerBody, to question: Question) -> AnswerBody? { nil }

    package func status(behind cause: Unverified) -> Int { 401 }
}

extension ServerAPI: RefundNotices {
    package func exchange(
        about window: NoticeWindow,
        take: @escaping @Sendable ([RefundNotice]) async throws -> Void
    ) -> any Exchange {
        let send = sender(for: window.bundle)
        return NoticeExchange(
            about: window, reader: reader,
            send: { path, body in try await send(path, body, .serverAPI) }, take: take)
    }

    package static func refund(in payload: [UInt8]) -> Receipt? {
        CustomerAnswer.refund(in: payload)
    }
}
