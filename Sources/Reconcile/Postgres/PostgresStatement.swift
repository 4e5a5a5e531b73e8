struct PostgresStatement: Sendable, Hashable {
    let name: String
    let text: String
    /// Whether it reads or writes a whole view or run, and may take long.
    var isLong = false
}

extension PostgresStatement {
    /// libpq ends a text parameter at its first NUL, so a parameter with a NUL is refused.
    func withCStrings<R>(
        _ parameters: [String?], _ body: ([UnsafePointer<CChar>?]) -> R
    ) throws(PostgresError) -> R {
        var bytes: [CChar] = []
        var offsets: [Int?] = []
        for parameter in parameters {
            guard let parameter else {
                offsets.append(nil)
                continue
            }
            guard !parameter.utf8.contains(0) else { throw .nulInParameter(statement: name) }
            offsets.append(bytes.count)
            bytes.append(contentsOf: parameter.utf8CString)
        }
        return bytes.withUnsafeBufferPointer { buffer in
            body(offsets.map { offset in offset.flatMap { buffer.baseAddress?.advanced(by: $0) } })
        }
    }
}
