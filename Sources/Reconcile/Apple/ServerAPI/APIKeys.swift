/// A key of the App Store Server API, by which Apple knows who asks. Prints as `‹redacted›`.
package struct APIKey: Sendable {
    /// The team's, a UUID.
    let issuer: String
    let id: String
    let key: PrivateKey
}

extension APIKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "‹redacted›" }
    package var debugDescription: String { "‹redacted›" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The API keys of the apps.
package struct APIKeys: Sendable {
    private var byBundle: [BundleID: APIKey] = [:]
    private var others: APIKey?

    package static let none = APIKeys()

    private init() {}

    /// Parses lines `bundle_id = issuer_id key_id FILE.p8`; `*` is every bundle without a line.
    /// - Parameter read: the key in a file, whose path is as in the line of this number.
    package init(
        parsing text: String, read: (_ path: String, _ line: Int) throws -> PrivateKey
    ) throws {
        for line in try BundleLine.all(in: text, of: "issuer_id key_id FILE.p8", words: 3) {
            let key = APIKey(
                issuer: line.words[0], id: line.words[1], key: try read(line.words[2], line.number))
            if let bundle = line.bundle { byBundle[bundle] = key } else { others = key }
        }
    }

    package func key(for bundle: BundleID) -> APIKey? { byBundle[bundle] ?? others }

    package var apps: APIApps {
        APIApps(named: Set(byBundle.keys), includesOthers: others != nil)
    }
}
