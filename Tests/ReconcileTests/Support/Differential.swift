import Foundation

@testable import Reconcile

/// Compares our JSON reader with Foundation's, and lists where the two may differ.
enum Differential {
    /// Where we do not read as Foundation does, nor have a reason of our own; nil for nowhere.
    static func disagreement(on bytes: [UInt8]) -> String? {
        let isTaken = isTakenByFoundation(bytes)
        switch error(in: bytes) {
        case nil: return isTaken || isTakenByFoundation(tamed(bytes)) ? nil : "more lenient"
        // Our own limits, and a rule that RFC 8259 only recommends.
        case .duplicateKey, .tooDeep, .tooManyKeys, .tooLarge: return nil
        case let error?: return isTaken && !isCommaAtEnd(error, bytes) ? "\(error)" : nil
        }
    }

    static func error(in bytes: [UInt8]) -> JSONError? {
        bytes.withUnsafeBufferPointer { bytes in
            do throws(JSONError) {
                var scanner = try JSONScanner(bytes)
                _ = try scanner.value()
                try scanner.finish()
                return nil
            } catch { return error }
        }
    }

    /// Foundation accepts a closing bracket after a comma, against RFC 8259.
    private static func isCommaAtEnd(_ error: JSONError, _ bytes: [UInt8]) -> Bool {
        guard case .unexpected(let offset) = error, let byte = bytes.dropFirst(offset).first
        else { return false }
        return "}]".utf8.contains(byte) && bytes[..<offset].last { $0 > 0x20 } == UInt8(ascii: ",")
    }

    private static func isTakenByFoundation(_ bytes: [UInt8]) -> Bool {
        (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
    }

    /// The JSON without what RFC 8259 leaves open and Foundation refuses: halves of surrogate pairs
    /// (section 8.2) and numbers that fit no Double or Int64 (section 6).
    private static func tamed(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var rest = bytes[...]
        var isInString = false
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\\"):
                let escape = rest.prefix(rest.first == UInt8(ascii: "u") ? 5 : 1)
                let isSurrogate = escape.dropFirst().first.map { $0 | 0x20 } == UInt8(ascii: "d")
                rest.removeFirst(escape.count)
                result += [byte] + (isSurrogate ? Array("u0061".utf8) : Array(escape))
            case UInt8(ascii: "\""):
                isInString.toggle()
                result.append(byte)
            case UInt8(ascii: "-") where !isInString, 0x30...0x39 where !isInString:
                rest = rest.drop { "0123456789+-.eE".utf8.contains($0) }
                result.append(UInt8(ascii: "0"))
            default: result.append(byte)
            }
        }
        return result
    }
}
