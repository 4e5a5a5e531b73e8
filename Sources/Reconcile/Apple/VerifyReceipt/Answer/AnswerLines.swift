/// The parts of an answer that are read, collected in one pass, in any order.
struct AnswerLines {
    var status: Int?
    var environment: JSONValue?
    var isRetryable: Bool?
    var isRetryableHyphenated: Bool?
    var exception: JSONValue?
    var receipt: ReceiptLine?
    /// `latest_receipt_info`, and iOS 6's `latest_expired_receipt_info`.
    var latest: [TransactionLine] = []
    var renewals: [RenewalLine] = []
    /// The renewal keys at the top level of an iOS 6 answer.
    var renewal = RenewalLine()
    /// The key of each element that is not an object, and of each list that is not a list.
    var malformedEntries: [StaticString] = []
    private var elements = 0
    /// The transactions of the first list, which the second list mostly repeats byte for byte.
    private var known: [TransactionLine] = []

    /// A limit on memory: an element takes a kilobyte. The longest list seen has some hundreds.
    private static let mostElements = 50_000

    mutating func read(from scanner: inout JSONScanner) throws(JSONError) {
        let bytes = scanner.bytes
        var members = try scanner.enterObject(since: scanner.keys.count)
        while let code = try scanner.nextMember(of: &members) {
            let key = AnswerKey(rawValue: code) ?? .other
            switch key {
            case .status: status = try scanner.value().integer(in: bytes)
            case .environment: environment = try scanner.value().text
            case .isRetryable: isRetryable = try scanner.value().flag(in: bytes)
            case .isRetryableHyphenated:
                isRetryableHyphenated = try scanner.value().flag(in: bytes)
            case .exception: exception = try scanner.value().text
            case .receipt: try readReceipt(from: &scanner)
            case .latestReceiptInfo:
                addLatest(try transactions("latest_receipt_info", from: &scanner))
            case .latestExpiredReceiptInfo:
                addLatest(try transactions("latest_expired_receipt_info", from: &scanner))
            case .pendingRenewalInfo: try readRenewals(from: &scanner)
            default: renewal.take(try scanner.value(), of: key, in: bytes)
            }
        }
    }

    private mutating func addLatest(_ lines: [TransactionLine]) {
        if latest.isEmpty { latest = lines } else { latest += lines }
    }

    private mutating func readReceipt(from scanner: inout JSONScanner) throws(JSONError) {
        guard try scanner.peek() == UInt8(ascii: "{") else {
            _ = try scanner.value()
            return
        }
        var line = ReceiptLine()
        let first = scanner.keys.count
        var members = try scanner.enterObject(since: first)
        while let code = try scanner.nextMember(of: &members) {
            if code == AnswerKey.inApp.rawValue {
                line.hasInApp = true
                line.inApp = try transactions("in_app", from: &scanner)
            } else {
                line.take(try scanner.value(), of: code, in: scanner.bytes)
            }
        }
        scanner.forgetKeys(since: first)
        receipt = line
    }

    private mutating func transactions(
        _ name: StaticString, from scanner: inout JSONScanner
    ) throws(JSONError) -> [TransactionLine] {
        let first = scanner.keys.count
        let known = known
        var lines: [TransactionLine] = []
        lines.reserveCapacity(max(16, known.count))
        try readObjects(name, from: &scanner) { (scanner) throws(JSONError) in
            if let same = known.skipCopy(at: lines.count, in: &scanner) {
                lines.append(known[same])
                return
            }
            let start = scanner.position
            var line = TransactionLine()
            var members = try scanner.enterObject(since: first)
            while let code = try scanner.nextMember(of: &members) {
                line.take(try scanner.value(), of: code, in: scanner.bytes)
            }
            line.object = scanner.object(from: start)
            lines.append(line)
        }
        scanner.forgetKeys(since: first)
        self.known = lines
        return lines
    }

    private mutating func readRenewals(from scanner: inout JSONScanner) throws(JSONError) {
        let first = scanner.keys.count
        var lines: [RenewalLine] = []
        try readObjects("pending_renewal_info", from: &scanner) { (scanner) throws(JSONError) in
            var line = RenewalLine()
            var members = try scanner.enterObject(since: first)
            while let code = try scanner.nextMember(of: &members) {
                line.take(
                    try scanner.value(), of: AnswerKey(rawValue: code) ?? .other,
                    in: scanner.bytes)
            }
            lines.append(line)
        }
        scanner.forgetKeys(since: first)
        renewals = lines
    }

    private mutating func readObjects(
        _ name: StaticString, from scanner: inout JSONScanner,
        _ object: (inout JSONScanner) throws(JSONError) -> Void
    ) throws(JSONError) {
        switch try scanner.peek() {
        case UInt8(ascii: "{"): try object(&scanner)
        case UInt8(ascii: "["):
            try scanner.enterArray()
            var isFirst = true
            while try scanner.nextElement(isFirst: isFirst) {
                isFirst = false
                elements += 1
                guard elements <= Self.mostElements else { throw .tooLarge }
                if try scanner.peek() == UInt8(ascii: "{") {
                    try object(&scanner)
                } else {
                    _ = try scanner.value()
                    malformedEntries.append(name)
                }
            }
        default:
            let value = try scanner.value()
            let isNothing = value.kind == .null || value.kind == .string && value.count == 0
            if !isNothing { malformedEntries.append(name) }
        }
    }
}

extension [TransactionLine] {
    /// The index of the line whose object is next in the scanner, byte for byte; moves behind it.
    /// Looks only at the line at `index` from the start or from the end: lists are in the same or
    /// reverse order.
    fileprivate func skipCopy(at index: Int, in scanner: inout JSONScanner) -> Int? {
        guard index < count else { return nil }
        if let object = self[index].object, scanner.skipCopy(of: object) { return index }
        let opposite = count - 1 - index
        if let object = self[opposite].object, scanner.skipCopy(of: object) { return opposite }
        return nil
    }
}
