internal import CPostgres
internal import Glibc

/// The names of a result's columns, which all rows of that result share.
///
/// libpq's `PQfnumber` copies the name that it is asked for, which is too slow for each cell.
struct PostgresColumns: Sendable {
    /// For each column the length of its name and then the name, in UTF-8. PostgreSQL cuts names
    /// to 63 bytes.
    private let names: [UInt8]

    init(_ result: OpaquePointer) {
        var names: [UInt8] = []
        for column in 0..<PQnfields(result) {
            let name = String(cString: PQfname(result, column)).utf8.prefix(255)
            names.append(UInt8(name.count))
            names.append(contentsOf: name)
        }
        self.names = names
    }

    /// The position of the first column called `name`, from 0; nil when there is none.
    func position(of name: StaticString) -> Int32? {
        let length = name.utf8CodeUnitCount
        return names.withUnsafeBytes { names in
            var position: Int32 = 0
            var start = 0
            while start < names.count {
                let next = start + 1 + Int(names[start])
                if Int(names[start]) == length, let first = names.baseAddress,
                    memcmp(first + start + 1, name.utf8Start, length) == 0
                {
                    return position
                }
                start = next
                position += 1
            }
            return nil
        }
    }
}
