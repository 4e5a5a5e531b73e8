/// The parts of an answer that we use, found in one pass, in whatever order Apple sent them.
struct AnswerLines {
    var status: Int?
    var environment: JSONText?
    /// `is_retryable`, the current spelling.
    var isRetryable: Bool?
    /// `is-retryable`, the older one.
    var isRetryableHyphenated: Bool?
    var exception: JSONText?
    var receipt: ReceiptLine?
    /// `latest_receipt_info`, and iOS 6's `latest_expired_receipt_info`.
    var latest: [TransactionLine] = []
    /// `pending_renewal_info`.
    var renewals: [RenewalLine] = []
    /// iOS 6: renewal keys at the top.
    var renewal = RenewalLine()
    /// Lists that are neither an array nor an object, and elements that are no objects: the key.
    var oddities: [StaticString] = []

    mutating func read(from scanner: inout JSONScanner) throws(JSONError) {
        try scanner.object { (scanner, key) throws(JSONError) in
            let bytes = scanner.bytes
            if key.equals("status", in: bytes) {
                status = try scanner.scalar().integer(in: bytes)
            } else if key.equals("environment", in: bytes) {
                environment = try scanner.scalar().text
            } else if key.equals("is_retryable", in: bytes) {
                isRetryable = try scanner.scalar().flag(in: bytes)
            } else if key.equals("is-retryable", in: bytes) {
                isRetryableHyphenated = try scanner.scalar().flag(in: bytes)
            } else if key.equals("exception", in: bytes) {
                exception = try scanner.scalar().text
            } else if key.equals("receipt", in: bytes) {
                try readReceipt(from: &scanner)
            } else if key.equals("latest_receipt_info", in: bytes) {
                latest += try transactions("latest_receipt_info", from: &scanner)
            } else if key.equals("latest_expired_receipt_info", in: bytes) {
                latest += try transactions("latest_expired_receipt_info", from: &scanner)
            } else if key.equals("pending_renewal_info", in: bytes) {
                try readRenewals(from: &scanner)
            } else if try renewal.read(key, from: &scanner) == false {
                _ = try scanner.scalar()
            }
        }
    }

    private mutating func readReceipt(from scanner: inout JSONScanner) throws(JSONError) {
        guard try scanner.peek() == UInt8(ascii: "{") else {
            _ = try scanner.scalar()
            return
        }
        var line = ReceiptLine()
        try scanner.object { (scanner, key) throws(JSONError) in
            if key.equals("in_app", in: scanner.bytes) {
                line.hasInApp = true
                line.inApp = try transactions("in_app", from: &scanner)
            } else if try line.read(key, from: &scanner) == false {
                try line.transaction.read(key, from: &scanner)
            }
        }
        receipt = line
    }

    /// An array of objects, or a single one.
    private mutating func transactions(
        _ name: StaticString, from scanner: inout JSONScanner
    ) throws(JSONError) -> [TransactionLine] {
        var lines: [TransactionLine] = []
        try readObjects(name, from: &scanner) { (scanner) throws(JSONError) in
            var line = TransactionLine()
            try scanner.object { (scanner, key) throws(JSONError) in
                try line.read(key, from: &scanner)
            }
            lines.append(line)
        }
        return lines
    }

    private mutating func readRenewals(from scanner: inout JSONScanner) throws(JSONError) {
        var lines: [RenewalLine] = []
        try readObjects("pending_renewal_info", from: &scanner) { (scanner) throws(JSONError) in
            var line = RenewalLine()
            try scanner.object { (scanner, key) throws(JSONError) in
                guard try line.read(key, from: &scanner) == false else { return }
                _ = try scanner.scalar()
            }
            lines.append(line)
        }
        renewals = lines
    }

    private mutating func readObjects(
        _ name: StaticString, from scanner: inout JSONScanner,
        _ object: (inout JSONScanner) throws(JSONError) -> Void
    ) throws(JSONError) {
        switch try scanner.peek() {
        case UInt8(ascii: "{"): try object(&scanner)
        case UInt8(ascii: "["):
            try scanner.array { (scanner) throws(JSONError) in
                if try scanner.peek() == UInt8(ascii: "{") {
                    try object(&scanner)
                } else {
                    _ = try scanner.scalar()
                    oddities.append(name)
                }
            }
        default:
            switch try scanner.scalar() {
            case .null: break
            case .string(let text) where text.isEmpty: break
            default: oddities.append(name)
            }
        }
    }
}

/// The object `receipt`: an app receipt, or in iOS 6 answers one flat transaction.
struct ReceiptLine {
    var bundle: JSONText?
    var originalApplicationVersion: JSONText?
    var createdAt = DateLine()
    var requestedAt = DateLine()
    var originalPurchaseAt = DateLine()
    var hasInApp = false
    var inApp: [TransactionLine] = []
    /// Every other key, read as a transaction's: iOS 6.
    var transaction = TransactionLine()

    /// Reads the value of `key` if it is one of ours; tells whether it was, and reads nothing else.
    mutating func read(
        _ key: JSONText, from scanner: inout JSONScanner
    ) throws(JSONError) -> Bool {
        let bytes = scanner.bytes
        switch key.count {
        case 9 where key.equals("bundle_id", in: bytes): bundle = try scanner.scalar().text
        case 12 where key.equals("request_date", in: bytes):
            requestedAt.text = try scanner.scalar().text
        case 15 where key.equals("request_date_ms", in: bytes):
            requestedAt.milliseconds = try scanner.scalar().text
        case 21 where key.equals("receipt_creation_date", in: bytes):
            createdAt.text = try scanner.scalar().text
        case 22 where key.equals("original_purchase_date", in: bytes):
            originalPurchaseAt.text = try scanner.scalar().text
        case 24 where key.equals("receipt_creation_date_ms", in: bytes):
            createdAt.milliseconds = try scanner.scalar().text
        case 25 where key.equals("original_purchase_date_ms", in: bytes):
            originalPurchaseAt.milliseconds = try scanner.scalar().text
        case 28 where key.equals("original_application_version", in: bytes):
            originalApplicationVersion = try scanner.scalar().text
        default: return false
        }
        return true
    }
}
