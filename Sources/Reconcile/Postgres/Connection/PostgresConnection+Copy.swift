internal import CPostgres

extension PostgresConnection {
    /// Sends prepared rows to a `copy … from stdin`. Either all of them are taken or none.
    func copyIn(_ statement: PostgresStatement, _ buffer: CopyBuffer) throws(PostgresError) {
        try copyIn(statement, buffer.bytes)
    }

    /// The same for a `copy … from stdin (format binary)`.
    func copyIn(_ statement: PostgresStatement, _ buffer: BinaryCopyBuffer) throws(PostgresError) {
        try copyIn(statement, buffer.finished)
    }

    private func copyIn(_ statement: PostgresStatement, _ bytes: [UInt8]) throws(PostgresError) {
        try run(statement) { () throws(PostgresError) in
            let start = PQexec(handle, text(of: statement))
            defer { PQclear(start) }
            try expect(start, [PGRES_COPY_IN], statement)
            let isSent = bytes.withUnsafeBytes(send)
            guard isSent, PQputCopyEnd(handle, nil) == 1 else {
                throw PostgresError(nil, of: handle, statement: statement.name)
            }
            try finishCopy(statement)
        }
    }

    /// In pieces, because libpq would make room for all of it at once.
    private func send(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let pieceBytes = 1 << 16
        for start in stride(from: 0, to: bytes.count, by: pieceBytes) {
            let piece = UnsafeRawBufferPointer(
                rebasing: bytes[start..<min(start + pieceBytes, bytes.count)])
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
                failure = PostgresError(result, of: handle, statement: statement.name)
            }
        }
        if let failure { throw failure }
        guard PQstatus(handle) == CONNECTION_OK else {
            throw PostgresError(nil, of: handle, statement: statement.name)
        }
    }
}
