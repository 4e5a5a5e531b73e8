/// One record of a published CSV file (RFC 4180), parsed.
struct CSVRecord {
    /// Nil is an empty cell; an empty text is `""`.
    let cells: [String?]
    let bytes: [UInt8]
    /// Indices of the cells whose leading `'` may have been added.
    let guarded: [Int]

    /// Parses the next record; nil at the end of the file. Malformed input is accepted here: it
    /// fails the later comparison with the printed values.
    init?(_ file: FileReader, _ dialect: CSVDialect) {
        guard file.peek() != nil else { return nil }
        var bytes: [UInt8] = []
        var cells: [String?] = []
        var guarded: [Int] = []
        var cell: [UInt8] = []
        var isQuoted = false
        var isInside = false
        func endCell() {
            let text = String(decoding: cell, as: UTF8.self)
            if CSVCell.isGuarded(text, dialect) { guarded.append(cells.count) }
            cells.append(cell.isEmpty && !isQuoted ? nil : text)
            cell = []
            isQuoted = false
        }
        while let byte = file.next() {
            bytes.append(byte)
            if isInside {
                if byte != UInt8(ascii: "\"") {
                    cell.append(byte)
                } else if file.peek() == UInt8(ascii: "\"") {
                    cell.append(byte)
                    bytes.append(byte)
                    _ = file.next()
                } else {
                    isInside = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\"") where cell.isEmpty:
                isInside = true
                isQuoted = true
            case dialect.separator: endCell()
            case 13 where file.peek() == 10:
                bytes.append(10)
                _ = file.next()
                endCell()
                self.init(cells: cells, bytes: bytes, guarded: guarded)
                return
            default: cell.append(byte)
            }
        }
        endCell()
        self.init(cells: cells, bytes: bytes, guarded: guarded)
    }

    private init(cells: [String?], bytes: [UInt8], guarded: [Int]) {
        self.cells = cells
        self.bytes = bytes
        self.guarded = guarded
    }

    /// The cells without the leading `'` of those in `indices`.
    func cells(unguarding indices: Set<Int>) -> [String?] {
        cells.enumerated().map { index, text in
            indices.contains(index) ? text.map { String($0.dropFirst()) } : text
        }
    }
}

enum CSVCell {
    /// Whether the leading `'` may have been added: a spreadsheet would change the rest.
    static func isGuarded(_ text: String, _ dialect: CSVDialect) -> Bool {
        guard text.utf8.first == UInt8(ascii: "'") else { return false }
        var rest = String(text.unicodeScalars.dropFirst().map(Character.init))
        return rest.withUTF8 { CSV.isChanged($0, dialect) }
    }
}
