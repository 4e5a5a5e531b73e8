private struct ZipEntry {
    let name: String
    let offset: Int
    var checksum: UInt32 = 0
    var compressed = 0
    var byteCount = 0
}

/// Writes a zip file (PKWARE APPNOTE 6.3) as a stream, entry by entry. Sizes and checksums follow
/// the data, and the directory comes last. Memory does not grow with the entries.
///
/// Entries have no time, so that the same content gives the same bytes. The 64-bit extension, which
/// some readers of workbooks lack, is not used, so an entry must stay below 4 GiB.
final class ZipWriter {
    private let file: ReportFile
    private var offset = 0
    private var directory: [ZipEntry] = []
    private var open: (entry: ZipEntry, stream: DeflateStream)?
    private var pending: [UInt8] = []

    private static let pieceBytes = 64 * 1_024

    init(_ file: ReportFile) { self.file = file }

    /// Whether there is room for more data, with a margin for the end of the file.
    var hasRoom: Bool { offset < Self.mostBytes && (open?.stream.byteCount ?? 0) < Self.mostBytes }

    private static let mostBytes = 3 << 30

    /// Ends the current entry and begins one with this ASCII name.
    func begin(_ name: String) throws(ReportError) {
        try end()
        let entry = ZipEntry(name: name, offset: offset)
        var header: [UInt8] = []
        header.append(number: 0x0403_4B50, bytes: 4)
        header += Self.fixed
        // Checksum and sizes follow the data.
        header.append(number: 0, bytes: 12)
        header.append(number: name.utf8.count, bytes: 2)
        header.append(number: 0, bytes: 2)
        header += name.utf8
        try put(header)
        open = (entry, DeflateStream())
    }

    func write(_ append: (inout [UInt8]) -> Void) throws(ReportError) {
        append(&pending)
        if pending.count >= Self.pieceBytes { try compress() }
    }

    func finish() throws(ReportError) {
        try end()
        let start = offset
        for entry in directory { try put(Self.central(entry)) }
        var tail: [UInt8] = []
        tail.append(number: 0x0605_4B50, bytes: 4)
        tail.append(number: 0, bytes: 4)
        tail.append(number: directory.count, bytes: 2)
        tail.append(number: directory.count, bytes: 2)
        tail.append(number: offset - start, bytes: 4)
        tail.append(number: start, bytes: 4)
        tail.append(number: 0, bytes: 2)
        try put(tail)
    }

    private func compress() throws(ReportError) {
        guard let stream = open?.stream else { return }
        var output: [UInt8] = []
        stream.write(pending, to: &output)
        pending.removeAll(keepingCapacity: true)
        try put(output)
    }

    private func end() throws(ReportError) {
        try compress()
        guard let (begun, stream) = open.take() else { return }
        var entry = begun
        var rest: [UInt8] = []
        stream.finish(to: &rest)
        try put(rest)
        let header = 30 + entry.name.utf8.count
        entry.checksum = stream.checksum
        entry.byteCount = stream.byteCount
        entry.compressed = offset - entry.offset - header
        var descriptor: [UInt8] = []
        descriptor.append(number: 0x0807_4B50, bytes: 4)
        descriptor.append(sizesOf: entry)
        try put(descriptor)
        directory.append(entry)
    }

    /// Fields that an entry's header and its directory line share: version 2.0, sizes after the
    /// data (bit 3), deflate, and 1980-01-01 00:00, the earliest time of the format.
    private static let fixed: [UInt8] = [20, 0, 8, 0, 8, 0, 0, 0, 0x21, 0]

    private static func central(_ entry: ZipEntry) -> [UInt8] {
        var line: [UInt8] = []
        line.append(number: 0x0201_4B50, bytes: 4)
        line.append(number: 20, bytes: 2)
        line += fixed
        line.append(sizesOf: entry)
        line.append(number: entry.name.utf8.count, bytes: 2)
        // No extra field, no comment, disk 0, no attributes.
        line.append(number: 0, bytes: 12)
        line.append(number: entry.offset, bytes: 4)
        line += entry.name.utf8
        return line
    }

    private func put(_ bytes: [UInt8]) throws(ReportError) {
        offset += bytes.count
        try file.write { $0 += bytes }
    }
}

extension [UInt8] {
    fileprivate mutating func append(number: Int, bytes: Int) {
        for index in 0..<bytes { append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
    }
}

extension [UInt8] {
    fileprivate mutating func append(sizesOf entry: ZipEntry) {
        append(number: Int(entry.checksum), bytes: 4)
        append(number: entry.compressed, bytes: 4)
        append(number: entry.byteCount, bytes: 4)
    }
}
