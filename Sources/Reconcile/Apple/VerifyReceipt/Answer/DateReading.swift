enum DateReading: Equatable {
    case absent
    /// A value is present and not empty, but is not an instant.
    case unreadable
    case instant(Instant)

    init(
        _ milliseconds: JSONValue, _ text: JSONValue, _ formatted: JSONValue = .absent,
        in bytes: UnsafeBufferPointer<UInt8>
    ) {
        if milliseconds.isText,
            let instant = AppleTimestamp.instant(milliseconds: milliseconds.raw(in: bytes))
        {
            self = .instant(instant)
            return
        }
        for text in [text, formatted] where text.isText {
            // The slash of `Etc/GMT` may be escaped as `\/`.
            let instant =
                text.kind == .escapedString
                ? AppleTimestamp.instant(text: text.resolved(in: bytes))
                : AppleTimestamp.instant(text: text.raw(in: bytes))
            if let instant {
                self = .instant(instant)
                return
            }
        }
        self =
            milliseconds.isAbsent && text.isAbsent && formatted.isAbsent ? .absent : .unreadable
    }

    var instant: Instant? {
        if case .instant(let instant) = self { return instant }
        return nil
    }
}
