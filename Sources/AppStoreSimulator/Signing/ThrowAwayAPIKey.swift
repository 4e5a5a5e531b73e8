/// A key of the simulated App Store Server API. Everybody can compute it: it opens nothing but the
/// simulator.
package struct ThrowAwayAPIKey: Sendable {
    /// The team's, a UUID.
    package let issuer: String
    package let id: String
    /// Bundle ids of the team's apps.
    package let bundles: [String]
    let key: P256Key

    /// Two apps belong to one team, as in App Store Connect, where a key is a team's.
    package static let all = [
        ThrowAwayAPIKey("6f1d2c3a-58f0-4b1e-9a77-2e0c94d1b506", "SIM7ATLAS1", [.atlas, .lumen]),
        ThrowAwayAPIKey("c04ad1b9-3c5e-4f66-8d20-7b1f6a9e5d38", "SIM7TEMPO2", [.tempo]),
    ]

    private init(_ issuer: String, _ id: String, _ apps: [SimulatedApp]) {
        self.issuer = issuer
        self.id = id
        bundles = apps.map(\.bundle)
        key = P256Key(derivedFrom: "Key \(id) of the simulated App Store Server API, throw-away")
    }

    /// The content of its `.p8` file.
    package var pem: String { PEM.text("PRIVATE KEY", key.pkcs8) }
}
