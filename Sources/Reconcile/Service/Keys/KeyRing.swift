/// The keys of the operator's key file: the first seals download keys, all can open them.
package struct KeyRing: Sendable, Equatable {
    struct Entry: Sendable, Equatable {
        /// 1 to 32 ASCII letters, digits, `.`, `_` and `-`.
        let id: String
        let cipher: AES256GCM
    }

    let sealing: Entry
    private let ciphers: [String: AES256GCM]

    /// Parses lines `key_id = base64 of 32 bytes`. Skips empty lines and lines that begin with `#`.
    package init(parsing text: String) throws(KeyRingError) {
        var entries: [Entry] = []
        for (number, line) in zip(
            1...,
            text.split(omittingEmptySubsequences: false) {
                $0 == "\n" || $0 == "\r\n"
            })
        {
            let line = line.trimmed
            if line.isEmpty || line.hasPrefix("#") { continue }
            guard let entry = Self.entry(line) else { throw KeyRingError(.malformed, number) }
            guard !entries.contains(where: { $0.id == entry.id }) else {
                throw KeyRingError(.duplicate, number)
            }
            entries.append(entry)
        }
        guard let first = entries.first else { throw KeyRingError(.empty, 0) }
        sealing = first
        ciphers = Dictionary(uniqueKeysWithValues: entries.map { ($0.id, $0.cipher) })
    }

    func cipher(named id: String) -> AES256GCM? { ciphers[id] }

    package static func newLine() -> String {
        let key = Base64.encode(RandomBytes.make(AES256GCM.keyBytes))
        return "k\(RandomBytes.make(4).hexadecimal) = \(String(decoding: key, as: UTF8.self))"
    }

    private static func entry(_ line: Substring) -> Entry? {
        guard let equals = line.firstIndex(of: "=") else { return nil }
        let id = line[..<equals].trimmed
        let text = Array(line[line.index(after: equals)...].trimmed.utf8)
        guard (1...32).contains(id.utf8.count), id.utf8.allSatisfy(isLetterOfID),
            text.count == 44, let decoded = Base64.decode(text), decoded.isCanonical,
            let cipher = AES256GCM(key: decoded.bytes)
        else { return nil }
        return Entry(id: String(id), cipher: cipher)
    }

    static func isLetterOfID(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
        }
    }
}

extension KeyRing: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "‹redacted›" }
    package var debugDescription: String { "‹redacted›" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Substring {
    fileprivate var trimmed: Substring {
        var rest = drop { $0 == " " || $0 == "\t" || $0 == "\r" }
        while let last = rest.last, last == " " || last == "\t" || last == "\r" {
            rest.removeLast()
        }
        return rest
    }
}
