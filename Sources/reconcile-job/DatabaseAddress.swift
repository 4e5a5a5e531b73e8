/// A libpq connection string: a URI, `key=value` words, or a database name. Redacted in
/// descriptions: a string from the environment may hold a password.
struct DatabaseAddress: Equatable, Sendable {
    let text: String

    /// True when in doubt. libpq takes a password in the user part of a URI, as a parameter
    /// (percent-encoded or not) or as a key word.
    var holdsPassword: Bool {
        text.hasPasswordWord || text.percentDecoded.hasPasswordWord || hasPasswordInUserPart
            || hasPasswordInMisspeltURI
    }

    /// Throws if the address came from the command line and holds a password.
    func checked(from origin: Flag.Origin) throws(InvalidValue) -> DatabaseAddress {
        guard origin == .environment || !holdsPassword else {
            throw InvalidValue(
                "must not hold a password: every user of the machine can read the command "
                    + "line. Put it in ~/.pgpass, or set PGPASSWORD or DATABASE_URL.")
        }
        return self
    }

    /// Matches `postgres:/u:pw@h`, `u:pw@h` and the like, which libpq takes for a database name.
    private var hasPasswordInMisspeltURI: Bool {
        let isNearlyURI = text.contains(#/^[Pp][Oo][Ss][Tt][Gg][Rr][Ee][Ss]\w*\W/#)
        let rest = text.prefix { $0 != "?" }
        return (isNearlyURI || !rest.contains("=")) && rest.contains(#/:[^:@\/][^@]*@/#)
    }

    private var hasPasswordInUserPart: Bool {
        let bytes = Array(text.utf8)
        let marker = Array("://".utf8)
        guard bytes.count >= marker.count else { return false }
        for start in 0...(bytes.count - marker.count)
        where bytes[start..<start + marker.count].elementsEqual(marker) {
            let rest = bytes[(start + marker.count)...].prefix { $0 != UInt8(ascii: "?") }
            guard let at = rest.lastIndex(of: UInt8(ascii: "@")) else { continue }
            if let colon = rest[..<at].firstIndex(of: UInt8(ascii: ":")), colon + 1 < at {
                return true
            }
        }
        return false
    }
}

extension DatabaseAddress: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    var description: String { "‹redacted›" }
    var debugDescription: String { "‹redacted›" }
    var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension String {
    /// `password`, perhaps with a prefix as in `sslpassword`, then blanks and `=`.
    fileprivate var hasPasswordWord: Bool {
        let word = Array("password".utf8)
        let bytes = Array(lowercased().utf8)
        guard bytes.count > word.count else { return false }
        return (0..<(bytes.count - word.count)).contains { start in
            bytes[start..<start + word.count].elementsEqual(word)
                && bytes[(start + word.count)...].first { ![9, 10, 11, 12, 13, 32].contains($0) }
                    == UInt8(ascii: "=")
        }
    }

    fileprivate var percentDecoded: String {
        var decoded: [UInt8] = []
        var rest = Array(utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2,
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            {
                decoded.append(value)
                rest.removeFirst(2)
            } else {
                decoded.append(byte)
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }
}
