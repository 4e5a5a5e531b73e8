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

    /// Parses lines `bundle_id = secret`; `*` is every bundle without a line. Skips empty lines and
    /// those that begin with `#`; accepts a byte-order mark and CRLF.
    package init(parsing text: String) throws(SharedSecretsError) {
        var lineOfBundle: [BundleID: Int] = [:]
        let lines = text.utf8.split(separator: 10, omittingEmptySubsequences: false)
        for (number, line) in zip(1..., lines) {
            let line = number == 1 ? line.withoutByteOrderMark.trimmed : line.trimmed
            if line.isEmpty || line.first == UInt8(ascii: "#") { continue }
            guard let (bundle, secret) = Self.entry(line) else {
                throw SharedSecretsError(reason: .malformed, line: number)
            }
            if let first = lineOfBundle.updateValue(number, forKey: bundle) {
                throw SharedSecretsError(reason: .duplicate(ofLine: first), line: number)
            }
            if bundle.text == "*" { others = secret } else { byBundle[bundle] = secret }
        }
    }

    package func secret(for bundle: BundleID) -> SharedSecret? { byBundle[bundle] ?? others }

    private static func entry(_ line: Substring.UTF8View) -> (BundleID, SharedSecret)? {
        guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let fields = [line[..<equals].trimmed, line[line.index(after: equals)...].trimmed]
        guard fields.allSatisfy({ !$0.isEmpty && $0.allSatisfy { (33...126).contains($0) } })
        else { return nil }
        return (
            BundleID(String(decoding: fields[0], as: UTF8.self)),
            SharedSecret(text: String(decoding: fields[1], as: UTF8.self))
        )
    }
}

/// A malformed line of the secrets file. Never holds the line's text.
package struct SharedSecretsError: Error, Equatable {
    enum Reason: Equatable, Sendable {
        case malformed
        case duplicate(ofLine: Int)
    }

    let reason: Reason
    /// Counted from 1.
    let line: Int
}

extension SharedSecretsError: CustomStringConvertible {
    package var description: String {
        switch reason {
        case .malformed:
            "Line \(line) of the shared secrets is not `bundle_id = secret`. "
                + "Write one bundle id, or `*`, and its secret without spaces inside."
        case .duplicate(let first):
            "Line \(line) of the shared secrets names the bundle of line \(first) again. "
                + "Keep one of the two."
        }
    }
}

extension Substring.UTF8View {
    fileprivate var trimmed: Substring.UTF8View {
        let isBlank = { (byte: UInt8) in byte == 32 || byte == 9 || byte == 13 }
        var rest = drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        return rest
    }

    fileprivate var withoutByteOrderMark: Substring.UTF8View {
        starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self
    }
}
