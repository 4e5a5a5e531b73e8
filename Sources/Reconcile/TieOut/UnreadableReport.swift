/// Why a report file cannot be compared, where, and what to do.
package struct UnreadableReport: Error, Equatable {
    let path: String
    /// From 1, of the uncompressed file; blank lines count.
    let line: Int
    /// Whole sentences: what is wrong and what to do.
    let problem: String
}

extension UnreadableReport: CustomStringConvertible {
    package var description: String { "\(path), line \(line): \(problem)" }
}
