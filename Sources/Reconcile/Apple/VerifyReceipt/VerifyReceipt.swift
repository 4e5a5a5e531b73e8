/// Asks Apple's verifyReceipt about each stored receipt.
///
/// Every receipt is one question; identical receipts of a user share one. No answer makes another
/// question needless, so that all are asked at once.
package final class VerifyReceipt: LiveSource {
    package let transport: AppleTransport
    private let settings: ValidationSettings
    private let secrets: SharedSecrets
    private let signatures: AnswerSignatureCheck

    /// - Parameter apple: proves Apple's signature on an answer.
    package init(
        _ settings: ValidationSettings, secrets: SharedSecrets, through transport: AppleTransport,
        provenBy apple: AppleSignature
    ) {
        self.transport = transport
        self.settings = settings
        self.secrets = secrets
        signatures = AnswerSignatureCheck(apple)
    }

    package func ask(about rows: [Int], in inquiry: inout Inquiry) {
        var known: [RequestKey: Int] = [:]
        for row in rows {
            let stored = inquiry.receipts[row]
            switch LocalReceipt(stored.data) {
            case .unusable(let why): inquiry.resolve(row, with: ValidationReport(.unusable(why)))
            case .signed: inquiry.resolve(row, with: ValidationReport(.unusable(.jws)))
            case .transaction:
                inquiry.resolve(row, with: ValidationReport(.unverified(.noAPIKey)))
            case .sendable(let receipt):
                let question = Question(receipt, storedFor: stored.bundle)
                guard rows.count > 1 else {
                    inquiry.ask(question, for: row)
                    continue
                }
                let key = RequestKey(receipt, secrets.secret(for: question.bundle))
                if let same = known[key] {
                    inquiry.share(same, with: row)
                } else {
                    known[key] = inquiry.ask(question, for: row)
                }
            }
        }
    }

    /// A receipt of the sandbox is answered 21007.
    package func firstServer(for question: Question) -> AppleServer { .production }

    package func exchange(about question: Question) -> any Exchange {
        VerifyReceiptExchange(question: question, source: self)
    }

    fileprivate func attempt(
        _ question: Question, at server: AppleServer
    ) async throws -> Attempt {
        guard let receipt = question.receipt else {
            preconditionFailure("verifyReceipt is asked about receipts only")
        }
        let secret = secrets.secret(for: question.bundle)
        // The message is made here, and not before: most of a request's time is a wait.
        let message = VerifyReceiptRequest(base64: receipt.base64, secret: secret)
        let request = HTTPRequest(url: settings.url(of: server), body: message.body)
        switch try await transport.send(request, to: .verifyReceipt) {
        case .failed(let error):
            return Attempt(ValidationReply(error), from: server, hasSecret: secret != nil)
        case .answered(let response, let retryAfter):
            var reply = ValidationReply.httpStatus(response.status)
            if response.status == 200 { reply = ValidationReply(response.body, from: server) }
            var attempt = Attempt(reply, from: server, hasSecret: secret != nil)
            attempt.httpStatus = response.status
            attempt.retryAfter = retryAfter
            attempt.requestID = response.requestID
            attempt.bodyBytes = response.body.count
            guard response.status == 200 else { return attempt }
            attempt.answeredAt = transport.now()
            attempt.body = AnswerBody(bytes: response.body, server: server)
            return attempt
        }
    }

    package func history(in body: AnswerBody) -> Receipt? { Self.history(in: body) }

    /// Needs nothing that a run was given.
    package static func history(in body: AnswerBody) -> Receipt? {
        try? VerifyReceiptAnswer.read(body.bytes, from: body.server.environment).receipt
    }

    package func signature(
        on body: AnswerBody, sayingThat answer: Receipt
    ) -> AnswerSignature? {
        signatures.signature(on: body.bytes, sayingThat: answer)
    }

    package func withoutSecret(_ body: AnswerBody, to question: Question) -> AnswerBody? {
        secrets.secret(for: question.bundle).flatMap(body.without)
    }

    package func status(behind cause: Unverified) -> Int {
        cause == .requestRefused ? 21000 : 21004
    }
}

/// Every answer is whole, so nothing is kept between requests.
private struct VerifyReceiptExchange: Exchange {
    let question: Question
    let source: VerifyReceipt

    func attempt(at server: AppleServer) async throws -> Attempt {
        try await source.attempt(question, at: server)
    }
}

/// Equal keys share one request; the app is not compared, because only its secret is sent.
private struct RequestKey: Hashable {
    let bytes: [UInt8]
    let secret: SharedSecret?

    init(_ receipt: SendableReceipt, _ secret: SharedSecret?) {
        bytes = receipt.bytes
        self.secret = secret
    }

    func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}
