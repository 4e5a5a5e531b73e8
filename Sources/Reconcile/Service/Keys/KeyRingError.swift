/// Why a key file cannot be used. Never contains the file's content.
package struct KeyRingError: Error, Equatable {
    enum Reason: Equatable, Sendable { case malformed, duplicate, empty }

    let reason: Reason
    /// Counted from 1; 0 for a file without a key.
    let line: Int

    init(_ reason: Reason, _ line: Int) {
        self.reason = reason
        self.line = line
    }
}

extension KeyRingError: CustomStringConvertible {
    package var description: String {
        switch reason {
        case .malformed:
            "Line \(line) of the key file is not `key_id = base64 of 32 bytes`. Create one with "
                + "reconcile-job keys new."
        case .duplicate:
            "Line \(line) of the key file has the key_id of an earlier line. Keep one of the two."
        case .empty: "The key file has no key. Create one with reconcile-job keys new."
        }
    }
}
