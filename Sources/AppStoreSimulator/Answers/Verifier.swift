/// The simulated verifyReceipt, without faults: maps a request body to an answer body.
struct Verifier: Sendable {
    struct Answer: Sendable {
        var body: [UInt8]
        var mark: ReceiptMark?
    }

    let store: SimulatedStore

    func answer(to body: [UInt8], at environment: SimulatedEnvironment) -> Answer {
        guard let request = RequestBody(body) else { return Self.status(21_000) }
        // Apple refuses line breaks in the base64 of an app receipt.
        guard let bytes = Base64Text.decoded(strictly: request.receiptData) else {
            return Self.malformed
        }
        // Apple does not document the order of its checks.
        if let password = request.password,
            !SimulatedApp.all.contains(where: { password.elementsEqual($0.secret.utf8) })
        {
            return Self.mismatch(at: environment)
        }
        switch PresentedReceipt(bytes) {
        case .malformed: return Self.malformed
        case .forged: return Self.status(21_003)
        case .genuine(let mark):
            guard mark.seed == store.seed, mark.customer < store.customers else {
                return Self.status(21_003)
            }
            var answer = answer(about: mark, request, at: environment)
            answer.mark = mark
            return answer
        }
    }

    private func answer(
        about mark: ReceiptMark, _ request: RequestBody, at environment: SimulatedEnvironment
    ) -> Answer {
        let customer = store.customer(mark.customer)
        guard let file = customer.receipts.first(where: { $0.number == mark.number }),
            customer.accounts.indices.contains(mark.account)
        else { return Self.status(21_003) }
        guard file.form == .genuine else { return Self.malformed }
        let account = customer.accounts[mark.account]
        switch (account.isSandbox, environment) {
        case (true, .production): return Self.status(21_007)
        case (false, .sandbox): return Self.status(21_008)
        default: break
        }
        switch account.recognition {
        case .notAuthentic: return Self.status(21_003)
        case .accountGone:
            return Self.object([
                ("environment", .text(environment.rawValue)), ("status", .number(21_010)),
                ("is_retryable", .bool(false)),
            ])
        case .genuine: break
        }
        guard request.password.map({ $0.elementsEqual(account.app.secret.utf8) }) ?? false else {
            return Self.mismatch(at: environment)
        }
        return full(account, file, mark, request)
    }

    private func full(
        _ account: AppAccount, _ file: ReceiptFile, _ mark: ReceiptMark, _ request: RequestBody
    ) -> Answer {
        let quirks = AnswerQuirk.drawn(for: mark, of: account)
        var writer = JSONWriter(
            isSpaced: quirks.contains(.spacedOut),
            escapesSlashes: quirks.contains(.escapedSlashes))
        switch account.style {
        case .modern:
            writer.write(
                ModernAnswer(
                    account: account, mark: mark, createdAt: file.storedAt, now: store.now,
                    quirks: quirks, excludesOld: request.excludesOld,
                    latestReceipt: request.receiptData
                ).json())
        case .iOS6:
            writer.write(
                OldAnswer(
                    account: account, createdAt: file.storedAt, now: store.now,
                    quirks: quirks, latestReceipt: request.receiptData
                ).json())
        }
        let mark: [UInt8] = quirks.contains(.byteOrderMark) ? [0xEF, 0xBB, 0xBF] : []
        return Answer(body: mark + writer.bytes)
    }

    private static func mismatch(at environment: SimulatedEnvironment) -> Answer {
        object([("environment", .text(environment.rawValue)), ("status", .number(21_004))])
    }

    private static let malformed = object([
        ("status", .number(21_002)), ("exception", .text("java.lang.IllegalArgumentException")),
    ])

    private static func status(_ status: Int64) -> Answer { object([("status", .number(status))]) }

    private static func object(_ fields: [(String, JSON)]) -> Answer {
        Answer(body: JSONWriter.bytes(of: .object(fields)))
    }
}
