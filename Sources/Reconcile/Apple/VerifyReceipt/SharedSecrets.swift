/// An app's shared secret, which Apple requires for receipts with subscriptions. Prints as
/// `‹redacted›`.
package struct SharedSecret: Sendable, Equatable {
    let text: String
}

extension SharedSecret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "‹redacted›" }
    package var debugDescription: String { "‹redacted›" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

package struct SharedSecrets: Sendable, Equatable {
    private var byBundle: [BundleID: SharedSecret] = [:]
    private var others: SharedSecret?

    /// Enough for apps without subscriptions.
    package static let none = SharedSecrets()

    private init() {}

    /// Parses lines `bundle_id = secret`; `*` is every bundle without a line.
    package init(parsing text: String) throws(BundleLineError) {
        let form = "secret"
        for line in try BundleLine.all(in: text, of: form, words: 1) {
            let secret = SharedSecret(text: line.words[0])
            guard secret.text.utf8.allSatisfy(\.isPrintable) else {
                throw BundleLineError(reason: .malformed(form), line: line.number)
            }
            if let bundle = line.bundle { byBundle[bundle] = secret } else { others = secret }
        }
    }

    package func secret(for bundle: BundleID) -> SharedSecret? { byBundle[bundle] ?? others }
}
