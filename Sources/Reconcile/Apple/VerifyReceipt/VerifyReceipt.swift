/// Asks Apple's verifyReceipt about each stored receipt.
///
/// Every receipt is one question; identical receipts of a user share one. No answer makes another
/// question needless, so that all are asked at once.
package struct VerifyReceipt: LiveSource {
    /// Apple's name of it, in messages.
    package static let api = "verifyReceipt"

    package let transport: AppleTransport
    /// A receipt of the sandbox is answered 21007.
    package let firstServer = AppleServer.production
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

    package func inquiry(
        about rows: [StoredReceipt], of user: UserID
    ) async throws -> Inquiry {
        var inquiry = Inquiry(about: rows)
        var known: [RequestKey: Int] = [:]
        for row in rows.indices {
            switch LocalReceipt(rows[row].data) {
            case .unusable(let why): inquiry.resolve(row, with: ValidationReport(.unusable(why)))
            case .sendable(let receipt):
                let question = Question(receipt, storedFor: rows[row].bundle)
                guard rows.count > 1 else {
                    inquiry.ask(question, for: row)
                    continue
                }
                let key = RequestKey(question, secrets.secret(for: question.bundle))
                if let same = known[key] {
                    inquiry.share(same, with: row)
                } else {
                    known[key] = inquiry.ask(question, for: row)
                }
            }
        }
        return inquiry
    }

    package func attempt(
        _ question: Question, at server: AppleServer
    ) async throws -> Attempt {
        let secret = secrets.secret(for: question.bundle)
        // The message is made here, and not before: most of a request's time is a wait.
        let message = VerifyReceiptRequest(base64: question.receipt.base64, secret: secret)
        switch try await transport.post(message.body, to: settings.url(of: server)) {
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

/// Equal keys share one request; the app is not compared, because only its secret is sent.
private struct RequestKey: Hashable {
    let bytes: [UInt8]
    let secret: SharedSecret?

    init(_ question: Question, _ secret: SharedSecret?) {
        bytes = question.receipt.bytes
        self.secret = secret
    }

    func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}
