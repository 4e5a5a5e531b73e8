/// The transaction lines of an answer, one for each `transaction_id` (SPEC §3).
///
/// A table of places instead of a dictionary of texts: ids are compared where they stand.
struct MergedLines {
    let bytes: UnsafeBufferPointer<UInt8>
    /// In the order in which ids first appear.
    private var entries: [Entry] = []
    /// Place in `entries`, by the id's hash; -1 is free. At most half of it is taken.
    private var slots: [Int32]
    /// How many lines have no id.
    private(set) var namelessCount = 0

    /// Where a transaction stands in either list; -1 where it does not.
    private struct Entry {
        let id: JSONValue
        var first: Int32 = -1
        var second: Int32 = -1
    }

    /// `first` and `second`, merged key by key, `second` winning.
    static func lines(
        _ first: [TransactionLine], _ second: [TransactionLine],
        in bytes: UnsafeBufferPointer<UInt8>
    ) -> (lines: [TransactionLine], namelessCount: Int) {
        var (first, second) = (first, second)
        var table = MergedLines(capacity: first.count + second.count, bytes)
        table.addFirst(&first)
        table.addSecond(&second)
        let lines = table.entries.map { entry in
            guard entry.first >= 0 else { return second[Int(entry.second)] }
            guard entry.second >= 0 else { return first[Int(entry.first)] }
            var line = first[Int(entry.first)]
            line.take(second[Int(entry.second)])
            return line
        }
        return (lines, table.namelessCount)
    }

    private init(capacity: Int, _ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        var size = 8
        while size < capacity * 2 { size *= 2 }
        slots = Array(repeating: -1, count: size)
        entries.reserveCapacity(capacity)
    }

    private mutating func addFirst(_ lines: inout [TransactionLine]) {
        for index in lines.indices {
            guard let place = place(of: lines[index]) else { continue }
            let known = Int(entries[place].first)
            if known < 0 {
                entries[place].first = Int32(index)
            } else {
                join(index, to: known, of: &lines)
            }
        }
    }

    private mutating func addSecond(_ lines: inout [TransactionLine]) {
        for index in lines.indices {
            guard let place = place(of: lines[index]) else { continue }
            let known = Int(entries[place].second)
            if known < 0 {
                entries[place].second = Int32(index)
            } else {
                join(index, to: known, of: &lines)
            }
        }
    }

    /// Rare. In the loops above the list would be copied beforehand, in case it is changed.
    @inline(never)
    private func join(_ index: Int, to known: Int, of lines: inout [TransactionLine]) {
        lines[known].join(lines[index], in: bytes)
    }

    /// The place of the line's id in `entries`, which is made for it if it has none. Nil for a line
    /// without an id.
    private mutating func place(of line: TransactionLine) -> Int? {
        let id = line[.transactionID]
        guard !id.isAbsent else {
            namelessCount += 1
            return nil
        }
        var hasher = Hasher()
        if id.kind == .escapedString {
            id.resolved(in: bytes).withUnsafeBytes { hasher.combine(bytes: $0) }
        } else {
            hasher.combine(bytes: UnsafeRawBufferPointer(id.raw(in: bytes)))
        }
        var slot = hasher.finalize() & (slots.count - 1)
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
