internal import CPostgres

extension PostgresConnection {
    /// Sends prepared rows to a `copy … from stdin`. All rows are stored or none.
    func copyIn(_ statement: PostgresStatement, _ buffer: CopyBuffer) throws(PostgresError) {
        try copyIn(statement, buffer.bytes)
    }

    /// Sends rows to a `copy … from stdin (format binary)`, formatting them while sending.
    /// - Parameter append: writes one row with `beginRow` and its columns.
    func copyIn<Row>(
        _ statement: PostgresStatement, _ rows: some Collection<Row>,
        _ append: (Row, inout BinaryCopyBuffer) -> Void
    ) throws(PostgresError) {
        guard !rows.isEmpty else { return }
        try copyIn(statement) {
            var buffer = BinaryCopyBuffer()
            for row in rows {
                append(row, &buffer)
                guard buffer.bytes.count >= Self.pieceBytes else { continue }
                guard buffer.bytes.withUnsafeBytes(send) else { return false }
                buffer.removeSent()
            }
            buffer.end()
            return buffer.bytes.withUnsafeBytes(send)
        }
    }

    private func copyIn(_ statement: PostgresStatement, _ bytes: [UInt8]) throws(PostgresError) {
        guard !bytes.isEmpty else { return }
        try copyIn(statement) { bytes.withUnsafeBytes(send) }
    }

    /// - Parameter send: sends all data; false when the connection fails.
    private func copyIn(
        _ statement: PostgresStatement, _ send: () -> Bool
    ) throws(PostgresError) {
        try run(statement) { () throws(PostgresError) in
            let start = PQexec(handle, text(of: statement))
            defer { PQclear(start) }
            try expect(start, [PGRES_COPY_IN], statement)
            guard send(), PQputCopyEnd(handle, nil) == 1 else {
                throw PostgresError(nil, of: handle, statement: statement)
            }
            try finishCopy(statement)
        }
    }

    private static var pieceBytes: Int { 1 << 16 }
    /// More than `pieceBytes` plus a usual row, so that a buffer is sent in one piece.
    private static var mostAtOnce: Int { 1 << 17 }

    /// Sends in pieces, because libpq would buffer everything at once.
    private func send(_ bytes: UnsafeRawBufferPointer) -> Bool {
        for start in stride(from: 0, to: bytes.count, by: Self.mostAtOnce) {
            let piece = UnsafeRawBufferPointer(
                rebasing: bytes[start..<min(start + Self.mostAtOnce, bytes.count)])
            let characters = piece.bindMemory(to: CChar.self)
            guard PQputCopyData(handle, characters.baseAddress, Int32(piece.count)) == 1 else {
                return false
            }
        }
        return true
    }

    private func finishCopy(_ statement: PostgresStatement) throws(PostgresError) {
        var failure: PostgresError?
        while let result = PQgetResult(handle) {
            defer { PQclear(result) }
            if PQresultStatus(result) != PGRES_COMMAND_OK {
                failure = PostgresError(result, of: handle, statement: statement)
            }
        }
        if let failure { throw failure }
        guard PQstatus(handle) == CONNECTION_OK else {
            throw PostgresError(nil, of: handle, statement: statement)
        }
    }
}
