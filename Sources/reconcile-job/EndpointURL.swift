/// The URL of a server of Apple's. Plain http is allowed to this machine only, because a receipt
/// is as good as a password.
struct EndpointURL: Equatable, Sendable {
    let text: String

    /// Without slashes at its end, to be followed by a path.
    var base: String {
        var base = text[...]
        while base.last == "/" { base.removeLast() }
        return String(base)
    }

    /// - Throws: what is wrong with it, without the name of the flag.
    init(_ text: String) throws(InvalidValue) {
        guard text.utf8.allSatisfy({ (33...126).contains($0) && $0 != UInt8(ascii: "\\") }),
            let separator = text.utf8.firstRange(of: "://".utf8)
        else { throw Self.malformed }
        let scheme = text[..<separator.lowerBound].lowercased()
        guard scheme == "https" || scheme == "http" else { throw Self.malformed }
        let rest = text[separator.upperBound...]
        let authority = rest.prefix { !"/?#".contains($0) }
        guard !authority.contains("@") else {
            throw InvalidValue("must not hold a user or a password. Give only scheme, host, path.")
        }
        guard !rest.contains("#"), let host = Self.host(of: authority) else {
            throw Self.malformed
        }
        guard scheme == "https" || Self.isLoopback(host) else {
            throw InvalidValue(
                "would send receipts unencrypted. Use https; plain http is for 127.0.0.0/8, [::1] "
                    + "and localhost only.")
        }
        self.text = text
    }

    private static let malformed = InvalidValue(
        "is not a URL. Give for example https://buy.itunes.apple.com/verifyReceipt.")

    /// Nil unless the text is `host`, `host:port` or `[address]:port`.
    private static func host(of authority: Substring) -> String? {
        let end =
            authority.first == "["
            ? authority.firstIndex(of: "]").map(authority.index(after:))
            : authority.firstIndex(of: ":") ?? authority.endIndex
        guard let end else { return nil }
        let host = authority[..<end]
        let port = authority[end...]
        guard port.isEmpty || (port.first == ":" && isPort(port.dropFirst())) else { return nil }
        let isAddress = host.first == "["
        let allowed = isAddress ? "0123456789abcdefABCDEF:.[]" : letters + "0123456789-._"
        guard host.count > (isAddress ? 2 : 0), host.allSatisfy({ allowed.contains($0) }) else {
            return nil
        }
        return host.lowercased()
    }

    private static let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

    private static func isPort(_ digits: Substring) -> Bool {
        digits.allSatisfy { $0.isASCII && $0.isNumber } && (1...65_535).contains(Int(digits) ?? 0)
    }

    private static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { part in
                part.allSatisfy { $0.isASCII && $0.isNumber }
                    && (0...255).contains(Int(part) ?? -1)
                    && (part == "0" || part.first != "0")
            }
    }
}
