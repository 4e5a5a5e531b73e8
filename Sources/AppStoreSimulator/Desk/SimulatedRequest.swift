/// Which of Apple's two servers.
package enum SimulatedEnvironment: String, Sendable, CaseIterable {
    case production = "Production"
    case sandbox = "Sandbox"
}

/// A request to verifyReceipt as it came: for a script, and for whoever reads the log.
package struct SimulatedRequest: Sendable {
    /// The server that was asked.
    package let environment: SimulatedEnvironment
    /// How often this server was asked about this receipt, from 1.
    package let attempt: Int
    /// As it came.
    package let body: [UInt8]
    /// Base64, as it came; empty without one.
    package let receipt: String
    /// The shared secret, as it came.
    package let password: String?
    /// Of all the body's members.
    package let keys: Set<String>
    /// What the body asks for; false when it says nothing.
    package let excludesOldTransactions: Bool

    init(_ body: [UInt8], at environment: SimulatedEnvironment, attempt: Int) {
        let request = RequestBody(body)
        func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
        (self.environment, self.attempt, self.body) = (environment, attempt, body)
        receipt = text(request?.receiptData ?? [])
        password = request?.password.map(text)
        keys = Set((request?.keys ?? []).map(text))
        excludesOldTransactions = request?.excludesOld ?? false
    }
}
