/// Merges the transaction entries of an answer to one per `transaction_id`.
///
/// A hash table over the answer's bytes: unlike a dictionary, it makes no string for an id.
struct MergedLines {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let first: [TransactionLine]
    private let latest: [TransactionLine]
    private var entries: [Entry] = []
    /// Indexes into `entries` by the id's hash; -1 is free. At most half of the slots are used.
    private var slots: [Int32]
    private(set) var namelessCount = 0

    private enum List { case first, latest }

    /// The indexes of a transaction in the two lists; -1 when a list lacks it.
    private struct Entry {
        let id: JSONValue
        var first: Int32 = -1
        var latest: Int32 = -1
        var isContradictory = false

        // A key path in its place took a third of the time of the merge.
        subscript(list: List) -> Int32 {
            get { list == .first ? first : latest }
            set { if list == .first { first = newValue } else { latest = newValue } }
        }
    }

    init(
        _ first: [TransactionLine], latest: [TransactionLine],
        in bytes: UnsafeBufferPointer<UInt8>
    ) {
        self.bytes = bytes
        self.first = first
        self.latest = latest
        let capacity = first.count + latest.count
        var size = 8
        while size < capacity * 2 { size *= 2 }
        slots = Array(repeating: -1, count: size)
        entries.reserveCapacity(capacity)
        add(first, to: .first)
        add(latest, to: .latest)
    }

    /// The number of ids, in the order in which they first appear.
    var count: Int { entries.count }

    /// Nil for a contradictory id. Made one by one: a line takes 200 bytes.
    func line(at index: Int) -> MergedLine? {
        let entry = entries[index]
        return entry.isContradictory ? nil : line(of: entry)
    }

    /// Ids that one list holds twice with different content; which is right is unknown.
    var contradictoryIDs: [JSONValue] { entries.filter(\.isContradictory).map(\.id) }

    private func line(of entry: Entry) -> MergedLine {
        guard entry.latest >= 0 else {
            return MergedLine(line: first[Int(entry.first)], isInLatest: false)
        }
        let last = latest[Int(entry.latest)]
        guard entry.first >= 0 else { return MergedLine(line: last, isInLatest: true) }
        var line = first[Int(entry.first)]
        // A copy has nothing to add.
        if last.object != line.object { line.take(last) }
        return MergedLine(line: line, isInLatest: true)
    }

    private mutating func add(_ lines: [TransactionLine], to list: List) {
        for index in lines.indices {
            guard let entry = entry(of: lines[index]) else { continue }
            let known = Int(entries[entry][list])
            if known < 0 {
                entries[entry][list] = Int32(index)
            } else if !lines[known].hasSameContent(as: lines[index], in: bytes) {
                entries[entry].isContradictory = true
            }
        }
    }

    /// The index of the entry's id in `entries`, appended if new. Nil without an id.
    private mutating func entry(of line: TransactionLine) -> Int? {
        let id = line[.transactionID]
        guard !id.isAbsent else {
            namelessCount += 1
            return nil
        }
        let hash =
            id.kind == .escapedString
            ? id.resolved(in: bytes).withUnsafeBytes(simpleHash)
            : simpleHash(UnsafeRawBufferPointer(id.raw(in: bytes)))
        var slot = Int(hash) & (slots.count - 1)
        while slots[slot] >= 0 {
            let entry = Int(slots[slot])
            if entries[entry].id.equals(id, in: bytes) { return entry }
            slot = (slot + 1) & (slots.count - 1)
        }
        slots[slot] = Int32(entries.count)
        entries.append(Entry(id: id))
        return entries.count - 1
    }
}

struct MergedLine {
    let line: TransactionLine
    let isInLatest: Bool
}
