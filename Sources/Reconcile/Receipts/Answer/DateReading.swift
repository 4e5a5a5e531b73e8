/// What the values of one instant's keys come to.
enum DateReading: Equatable {
    case absent
    /// Something is there, not empty, and no instant.
    case unreadable
    case instant(Instant)

    /// `_ms`, else the texts; never `_pst`.
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
            // Apple may write the slash of `Etc/GMT` as `\/`.
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
