import Foundation

@testable import AppStoreSimulator
@testable import TestSupport

extension Session {
    /// A file of API keys with a line for one app. Returns its path.
    func apiKeys(of bundle: String = "acme") throws -> String {
        try folder.apiKeys(of: [bundle])
    }
}

extension TemporaryFolder {
    /// A file of API keys with a line for each app, all with the same key. Returns its path.
    func apiKeys(
        of bundles: [String], _ key: ThrowAwayAPIKey = ThrowAwayAPIKey.all[0],
        as name: String = "api-keys"
    ) throws -> String {
        try write(key.pem, to: "\(name).p8", mode: 0o600)
        let lines = bundles.map { "\($0) = \(key.issuer) \(key.id) \(name).p8\n" }
        return try write(lines.joined(), to: name, mode: 0o600)
    }
}
