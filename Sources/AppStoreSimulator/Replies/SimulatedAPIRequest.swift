/// A request to the simulated App Store Server API.
struct SimulatedAPIRequest: Sendable {
    let environment: SimulatedEnvironment
    let method: String
    /// Path and query, as received.
    let target: String
    /// The value of that header.
    let authorization: String?
    let body: [UInt8]
    /// How often this server was asked this, from 1.
    let attempt: Int
}
