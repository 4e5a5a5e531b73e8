/// What a server says of its own end, in the header lines `Deprecation` (RFC 9745) and `Sunset`
/// (RFC 8594).
package struct RetirementNotice: Hashable, Sendable {
    /// The lines as they came, of printable ASCII, 100 characters at most; nil without one.
    package let deprecation: String?
    package let sunset: String?
    /// Since when; nil where the line has no date: older drafts have `true`.
    package let deprecatedAt: Instant?
    /// From when the server may not answer any more.
    package let endsAt: Instant?

    /// - Returns: nil without a line.
    package init?(
        deprecation: String?, deprecatedAt: Instant?, sunset: String?, endsAt: Instant?
    ) {
        guard deprecation != nil || sunset != nil else { return nil }
        self.deprecation = deprecation.map(Self.printable)
        self.deprecatedAt = deprecatedAt
        self.sunset = sunset.map(Self.printable)
        self.endsAt = endsAt
    }

    /// For a person.
    package var sentence: String {
        var parts: [String] = []
        if let deprecation {
            parts.append(
                deprecatedAt.map { "is deprecated as of \($0)" } ?? "is deprecated (\(deprecation))"
            )
        }
        if let sunset {
            parts.append(endsAt.map { "ends on \($0)" } ?? "ends (\(sunset))")
        }
        return "Apple's answers say that verifyReceipt \(parts.joined(separator: " and "))."
            + " Plan for its end: see Apple's announcements."
    }

    private static func printable(_ text: String) -> String {
        String(text.prefix(100).map { (" "..."~").contains($0) ? $0 : "?" })
    }
}
