/// The start time and six hexadecimal digits: `20261120T020000Z-0a1b2c`. Sorts by start time.
package struct RunID: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    package init(text: String) { self.text = text }

    package init(startedAt: Instant, suffix: UInt32) {
        let digits = withUnsafeBytes(of: suffix.bigEndian) { $0.dropFirst().hexadecimal }
        text = startedAt.basicDescription + "-" + digits
    }

    package var description: String { text }
}
