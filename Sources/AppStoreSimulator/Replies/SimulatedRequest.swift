enum SimulatedEnvironment: String, Sendable, CaseIterable {
    case production = "Production"
    case sandbox = "Sandbox"
}

struct SimulatedRequest: Sendable {
    let environment: SimulatedEnvironment
    /// The attempt for this receipt at this server, from 1.
    let attempt: Int
    let body: [UInt8]
    /// The receipt's base64 as received; empty when there is none.
    let receipt: String
    let password: String?
    let keys: Set<String>
    /// False when `exclude-old-transactions` is missing.
    let excludesOldTransactions: Bool

    init(_ body: [UInt8], at environment: SimulatedEnvironment, attempt: Int) {
        let request = RequestBody(body)
        func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
        self.environment = environment
        self.attempt = attempt
        self.body = body
        receipt = text(request?.receiptData ?? [])
        password = request?.password.map(text)
        keys = Set((request?.keys ?? []).map(text))
        excludesOldTransactions = request?.excludesOld ?? false
    }
}
