/// One of Apple's two servers.
package enum SimulatedEnvironment: String, Sendable, CaseIterable {
    case production = "Production"
    case sandbox = "Sandbox"
}

/// A verifyReceipt request as it was received.
package struct SimulatedRequest: Sendable {
    package let environment: SimulatedEnvironment
    /// The number of this receipt's attempt at this server, from 1.
    package let attempt: Int
    package let body: [UInt8]
    /// The receipt's base64 as received; empty when there is none.
    package let receipt: String
    package let password: String?
    package let keys: Set<String>
    /// The value of `exclude-old-transactions`; false when missing.
    package let excludesOldTransactions: Bool

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
