/// A server's announcement of its own end: `Deprecation` (RFC 9745) and `Sunset` (RFC 8594).
package struct RetirementNotice: Hashable, Sendable {
    /// What ends, by Apple's name: `verifyReceipt`.
    let api: String
    /// The raw header in printable ASCII, at most 100 characters.
    let deprecation: String?
    let sunset: String?
    /// Nil when `deprecation` has no date: older drafts of the RFC have `true`.
    let deprecatedAt: Instant?
    /// From when on the server may no longer answer.
    let endsAt: Instant?

    init?(
        of api: String, deprecation: String?, deprecatedAt: Instant?, sunset: String?,
        endsAt: Instant?
    ) {
        guard deprecation != nil || sunset != nil else { return nil }
        self.api = api
        self.deprecation = deprecation.map(Self.printable)
        self.deprecatedAt = deprecatedAt
        self.sunset = sunset.map(Self.printable)
        self.endsAt = endsAt
    }

    var sentence: String {
        var parts: [String] = []
        if let deprecation {
            parts.append(
                deprecatedAt.map { "is deprecated as of \($0)" } ?? "is deprecated (\(deprecation))"
            )
        }
        if let sunset {
            parts.append(endsAt.map { "ends on \($0)" } ?? "ends (\(sunset))")
        }
        return "Apple's answers say that \(api) \(parts.joined(separator: " and "))."
            + " Plan for its end: see Apple's announcements."
    }

    private static func printable(_ text: String) -> String {
        String(text.prefix(100).map { (" "..."~").contains($0) ? $0 : "?" })
    }
}
