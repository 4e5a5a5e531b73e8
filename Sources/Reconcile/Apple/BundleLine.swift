/// A line `bundle_id = word …` in a file of secrets or keys.
package struct BundleLine: Equatable, Sendable {
    /// Nil: `*`, the line of all apps without one of their own.
    let bundle: BundleID?
    let words: [String]
    /// Counted from 1.
    let number: Int

    /// Skips empty lines and those that begin with `#`; accepts a byte-order mark and CRLF.
    /// - Parameters:
    ///   - form: of a line, for the error.
    ///   - count: of the words after the bundle id.
    static func all(
        in text: String, of form: String, words count: Int
    ) throws(BundleLineError) -> [BundleLine] {
        var lines: [BundleLine] = []
        var numbers: [BundleID?: Int] = [:]
        let texts = text.utf8.split(separator: 10, omittingEmptySubsequences: false)
        for (number, text) in zip(1..., texts) {
            let text = number == 1 ? text.withoutByteOrderMark.trimmed : text.trimmed
            if text.isEmpty || text.first == UInt8(ascii: "#") { continue }
            guard let line = BundleLine(text, number), line.words.count == count else {
                throw BundleLineError(reason: .malformed(form), line: number)
            }
            if let first = numbers.updateValue(number, forKey: line.bundle) {
                throw BundleLineError(reason: .duplicate(ofLine: first), line: number)
            }
            lines.append(line)
        }
        return lines
    }

    private init?(_ line: Substring.UTF8View, _ number: Int) {
        guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let bundle = line[..<equals].trimmed
        guard !bundle.isEmpty, bundle.allSatisfy(\.isPrintable) else { return nil }
        let name = String(decoding: bundle, as: UTF8.self)
        self.bundle = name == "*" ? nil : BundleID(name)
        words = line[line.index(after: equals)...].split { $0 == 32 || $0 == 9 }
            .map { String(decoding: $0, as: UTF8.self) }
        self.number = number
    }
}

/// A line that cannot be used. Never holds the line's text.
package struct BundleLineError: Error, Equatable {
    enum Reason: Equatable, Sendable {
        /// The form that it should have.
        case malformed(String)
        case duplicate(ofLine: Int)
    }

    let reason: Reason
    /// Counted from 1.
    let line: Int
}

extension BundleLineError: CustomStringConvertible {
    package var description: String {
        switch reason {
        case .malformed(let form):
            "line \(line) is not `bundle_id = \(form)`. Write one bundle id, or `*` for all other"
                + " apps, and what follows without spaces inside."
        case .duplicate(let first):
            "line \(line) names the bundle of line \(first) again. Keep one of the two."
        }
    }
}

extension UInt8 {
    /// Whether it is visible ASCII.
    var isPrintable: Bool { (33...126).contains(self) }
}

extension Substring.UTF8View {
    fileprivate var trimmed: Substring.UTF8View {
        let isBlank = { (byte: UInt8) in byte == 32 || byte == 9 || byte == 13 }
        var rest = drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        return rest
    }

    fileprivate var withoutByteOrderMark: Substring.UTF8View {
        starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self
    }
}
