internal import Synchronization

/// How far a receipt's own bytes speak for it, before Apple is asked.
enum ReceiptTrust: Sendable {
    /// Apple did not sign it.
    case unsigned
    /// Apple signed it, but not all of its bytes are Apple's, or the same came in other bytes
    /// before: anybody can make any number of such receipts.
    case variant
    /// Apple wrote all of it.
    case written
}

/// The bytes in which content that Apple signed came first, and how often 21002 about it counted.
///
/// The values around an iOS 6 receipt's signature are anybody's to choose, so one receipt can be
/// handed in as any number of others. All of them together count like one.
final class ReceiptContents: Sendable {
    /// Of each half; the older half is forgotten when the newer one is full.
    static let most = 2_048
    /// As often as one look asks by default. More would let one receipt, sent again and again, seem
    /// like trouble of Apple's.
    static let mostFailures = 4

    private struct Entry {
        let first: Digest
        var failures = 0
    }

    private struct Entries {
        var newer: [Digest: Entry] = [:]
        var older: [Digest: Entry] = [:]

        subscript(content: Digest) -> Entry? {
            get { newer[content] ?? older[content] }
            set {
                if newer[content] == nil, newer.count >= ReceiptContents.most {
                    older = newer
                    newer = [:]
                }
                newer[content] = newValue
            }
        }
    }

    private let entries = Mutex(Entries())

    /// Whether Apple wrote the receipt's bytes, and what it signed came in them first.
    func areApples(_ receipt: SendableReceipt, by apple: AppleSignature) -> Bool {
        trust(in: receipt, apple.content(of: receipt)) == .written
    }

    func trust(in receipt: SendableReceipt, _ content: AppleContent?) -> ReceiptTrust {
        guard let content else { return .unsigned }
        return content.isWhole && isFirst(receipt.digest, with: content.digest)
            ? .written : .variant
    }

    /// Whether `content` came in these bytes first.
    func isFirst(_ bytes: Digest, with content: Digest) -> Bool {
        entries.withLock { entries in
            if let entry = entries[content] { return entry.first == bytes }
            entries[content] = Entry(first: bytes)
            return true
        }
    }

    /// Whether 21002 about these bytes counts; it has then been counted.
    func countFailure(of bytes: Digest, with content: Digest) -> Bool {
        entries.withLock { entries in
            var entry = entries[content] ?? Entry(first: bytes)
            guard entry.first == bytes, entry.failures < Self.mostFailures else { return false }
            entry.failures += 1
            entries[content] = entry
            return true
        }
    }
}
