internal import CPostgres
internal import Glibc

/// The column names of a result, shared by all its rows.
///
/// libpq's `PQfnumber` copies the name at each call, which is too slow for every cell.
struct PostgresColumns: Sendable {
    /// For each column the length of its name and the name in UTF-8. PostgreSQL truncates names to
    /// 63 bytes.
    private let names: [UInt8]

    init(_ result: OpaquePointer) {
        var names: [UInt8] = []
        for column in 0..<PQnfields(result) {
            let name = PQfname(result, column)
            let length = name.map { min(strlen($0), 255) } ?? 0
            names.append(UInt8(length))
            names.append(contentsOf: UnsafeRawBufferPointer(start: name, count: length))
        }
        self.names = names
    }

    func position(of name: StaticString) -> Int32? {
        names.withUnsafeBytes { names in
            guard var next = names.baseAddress else { return nil }
            let end = next + names.count
            var position: Int32 = 0
            while next < end {
                let length = Int(next.load(as: UInt8.self))
                if length == name.utf8CodeUnitCount, memcmp(next + 1, name.utf8Start, length) == 0 {
                    return position
                }
                next += 1 + length
                position += 1
            }
            return nil
        }
    }
}
