/// Reads one report file of App Store Connect as its bytes come, plain or gzip, in constant memory
/// but for the sums of its products.
package final class AppleReportReader {
    private let path: String
    /// Nil when the file is read.
    private var digest: DigestStream? = DigestStream()
    /// Of the uncompressed content; nil for a plain file.
    private var contentDigest: DigestStream?
    private var inflate: InflateStream?
    private var isAtStart = true
    private var lines = ReportLines()
    private var parser = ReportParser()

    /// - Parameter path: for messages, and for the day of a report without rows.
    package init(_ path: String) { self.path = path }

    /// - Parameter bytes: the next of the file; the first two must come together.
    package func read(_ bytes: UnsafeRawBufferPointer) throws(UnreadableReport) {
        digest?.update(bytes)
        if isAtStart, InflateStream.isGzip(bytes) {
            inflate = InflateStream()
            contentDigest = DigestStream()
        }
        isAtStart = false
        try located { () throws(ReportProblem) in
            guard let inflate else { return try take(bytes) }
            try inflate.read(bytes) { (content) throws(ReportProblem) in try take(content) }
            guard inflate.state != .damaged else { throw .damaged }
        }
    }

    package func finish() throws(UnreadableReport) -> AppleReport {
        try located { () throws(ReportProblem) in
            if let inflate, inflate.state != .complete { throw .truncated }
            try lines.finish { (line) throws(ReportProblem) in try parser.take(line) }
            guard let file = digest.take()?.finish() else {
                preconditionFailure("a report is finished once")
            }
            let content = contentDigest.take()?.finish() ?? file
            return try parser.report(path, sha256: file, contentSHA256: content)
        }
    }

    private func take(_ content: UnsafeRawBufferPointer) throws(ReportProblem) {
        contentDigest?.update(content)
        try lines.read(content) { (line) throws(ReportProblem) in try parser.take(line) }
    }

    /// Adds the path and the line to what `body` throws.
    private func located<Value>(
        _ body: () throws(ReportProblem) -> Value
    ) throws(UnreadableReport) -> Value {
        do throws(ReportProblem) {
            return try body()
        } catch {
            throw UnreadableReport(
                path: path, line: error.line ?? lines.number, problem: error.text)
        }
    }
}
