/// Merges the transaction entries of an answer to one per `transaction_id`.
///
/// A hash table over the answer's bytes: unlike a dictionary, it makes no string for an id.
struct MergedLines {
    struct Result {
        /// In the order in which ids first appear.
        var lines: [MergedLine] = []
        var namelessCount = 0
        /// Ids that one list holds twice with different content; which is right is unknown.
        var contradictoryIDs: [JSONValue] = []
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private var entries: [Entry] = []
    /// Indexes into `entries` by the id's hash; -1 is free. At most half of the slots are used.
    private var slots: [Int32]
    private var namelessCount = 0

    private enum List { case first, latest }

    /// The indexes of a transaction in the two lists; -1 when a list lacks it.
    private struct Entry {
        let id: JSONValue
        var first: Int32 = -1
        var second: Int32 = -1
        var isContradictory = false

        // A key path in its place took a third of the time of the merge.
        subscript(list: List) -> Int32 {
            get { list == .first ? first : second }
            set { if list == .first { first = newValue } else { second = newValue } }
        }
    }

    static func merge(
        _ first: [TransactionLine], latest second: [TransactionLine],
        in bytes: UnsafeBufferPointer<UInt8>
    ) -> Result {
        var table = MergedLines(capacity: first.count + second.count, bytes)
        table.add(first, to: .first)
        table.add(second, to: .latest)
        var result = Result()
        result.namelessCount = table.namelessCount
        result.lines.reserveCapacity(table.entries.count)
        for entry in table.entries {
            if entry.isContradictory {
                result.contradictoryIDs.append(entry.id)
            } else if entry.first < 0 {
                result.lines.append(MergedLine(second[Int(entry.second)], isInLatest: true))
            } else if entry.second < 0 {
                result.lines.append(MergedLine(first[Int(entry.first)], isInLatest: false))
            } else {
                var line = first[Int(entry.first)]
                let other = second[Int(entry.second)]
                // A copy has nothing to add.
                if other.object != line.object { line.take(other) }
                result.lines.append(MergedLine(line, isInLatest: true))
            }
        }
        return result
    }

    private init(capacity: Int, _ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        var size = 8
        while size < capacity * 2 { size *= 2 }
        slots = Array(repeating: -1, count: size)
        entries.reserveCapacity(capacity)
    }

    private mutating func add(
        _ lines: [TransactionLine], to list: List
    ) {
        for index in lines.indices {
            guard let place = place(of: lines[index]) else { continue }
            let known = Int(entries[place][list])
            if known < 0 {
                entries[place][list] = Int32(index)
            } else if !lines[known].hasSameContent(as: lines[index], in: bytes) {
                entries[place].isContradictory = true
            }
        }
    }

    /// The index of the entry's id in `entries`, appended if new. Nil without an id.
    private mutating func place(of line: TransactionLine) -> Int? {
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
            let place = Int(slots[slot])
            if entries[place].id.equals(id, in: bytes) { return place }
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

    init(_ line: TransactionLine, isInLatest: Bool) {
        self.line = line
        self.isInLatest = isInLatest
    }
}
