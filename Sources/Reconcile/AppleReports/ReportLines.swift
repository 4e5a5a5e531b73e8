internal import Glibc

/// Splits the bytes of a text file into lines, as they come. A line ends with LF or CRLF.
struct ReportLines {
    struct Line {
        /// From 1.
        let number: Int
        /// Without the line end; valid only while the line is taken.
        let bytes: UnsafeRawBufferPointer
    }

    /// Apple's lines have a few hundred bytes.
    static let mostBytes = 64 * 1_024

    /// The number of the line that is being read.
    private(set) var number = 1
    /// The beginning of a line whose end has not come yet.
    private var rest: [UInt8] = []

    /// Passes each line that ends in `bytes` to `take`.
    mutating func read(
        _ bytes: UnsafeRawBufferPointer, _ take: (Line) throws(ReportProblem) -> Void
    ) throws(ReportProblem) {
        var bytes = bytes
        while let start = bytes.baseAddress, let end = memchr(start, 10, bytes.count) {
            let count = UnsafeRawPointer(end) - start
            let line = UnsafeRawBufferPointer(rebasing: bytes[..<count])
            if rest.isEmpty {
                try pass(line, take)
            } else {
                try append(line)
                try passRest(take)
            }
            bytes = UnsafeRawBufferPointer(rebasing: bytes[(count + 1)...])
        }
        try append(bytes)
    }

    /// Passes the last line if it has no line end.
    mutating func finish(_ take: (Line) throws(ReportProblem) -> Void) throws(ReportProblem) {
        if !rest.isEmpty { try passRest(take) }
    }

    private mutating func append(_ bytes: UnsafeRawBufferPointer) throws(ReportProblem) {
        // One more for the CR.
        guard rest.count + bytes.count <= Self.mostBytes + 1 else { throw .longLine }
        rest.append(contentsOf: bytes)
    }

    private mutating func passRest(
        _ take: (Line) throws(ReportProblem) -> Void
    ) throws(ReportProblem) {
        let line = rest
        rest.removeAll()
        try line.withUnsafeBufferPointer { (bytes) throws(ReportProblem) in
            try pass(UnsafeRawBufferPointer(bytes), take)
        }
    }

    private mutating func pass(
        _ bytes: UnsafeRawBufferPointer, _ take: (Line) throws(ReportProblem) -> Void
    ) throws(ReportProblem) {
        let hasReturn = bytes.last == 13
        let line = UnsafeRawBufferPointer(rebasing: hasReturn ? bytes.dropLast() : bytes[...])
        guard line.count <= Self.mostBytes else { throw .longLine }
        guard String(validating: line, as: UTF8.self) != nil else { throw .notUTF8 }
        try take(Line(number: number, bytes: line))
        number += 1
    }
}
