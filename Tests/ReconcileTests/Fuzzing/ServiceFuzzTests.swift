import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

/// What anybody can send to the receipt validation service.
/// To add a case: a `FuzzPlan` with a folder of `Fixtures/fuzz`, and the outcomes that must be
/// frequent.
@Suite("Random requests to the service")
struct ServiceFuzzTests {
    private static func texts(_ words: String...) -> [[UInt8]] { words.map { Array($0.utf8) } }

    @Test("An SCGI request is read the same whatever the pieces in which it arrives, or is refused")
    func scgi() throws {
        let words = Self.texts(
            ":", ",", "\u{0}", "0", "9999999", "CONTENT_LENGTH\u{0}", "SCGI\u{0}1\u{0}", "-1", "7:",
            "\u{0}\u{0}", "PATH_INFO\u{0}", "?")
        let plan = FuzzPlan("scgi", executions: 4_000)
        try plan.run(
            on: FuzzCorpus.files("fuzz/scgi"), with: words, atLeast: 5,
            of: DeliveryKind.request, .refused, .waits
        ) { bytes, generator in
            var pieces: [ArraySlice<UInt8>] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = 1 + generator.number(below: generator.once(in: 2) ? 8 : 400)
                pieces.append(rest.prefix(count))
                rest = rest.dropFirst(count)
            }
            let inPieces = try Self.delivered(pieces)
            let whole = try Self.delivered([bytes[...]])
            #expect(inPieces == whole, "\(bytes)")
            return whole.kind
        }
    }

    private enum DeliveryKind { case request, refused, waits }

    private enum Delivery: Equatable {
        case request(method: String, path: String, headers: [String: String], body: [UInt8])
        case refused(Int)
        case waits

        var kind: DeliveryKind {
            switch self {
            case .request: .request
            case .refused: .refused
            case .waits: .waits
            }
        }
    }

    private static func delivered(_ pieces: [ArraySlice<UInt8>]) throws -> Delivery {
        var ends: [Int32] = [0, 0]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, type, 0, &ends) == 0)
        defer { close(ends[1]) }
        var limits = SCGILimits()
        limits.smallBodiesBytes = 1 << 20
        limits.largeBodiesBytes = 1 << 20
        var memory = BodyMemory(limits)
        let connection = SCGIConnection(id: 1, socket: ends[0], limits: limits, now: 0)
        return try withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 1) { buffer in
            for piece in pieces where !piece.isEmpty {
                let sent = piece.withUnsafeBytes { send(ends[1], $0.baseAddress, $0.count, 0) }
                try #require(sent == piece.count)
                switch connection.receive(into: buffer, &memory, now: 0) {
                case .nothing: continue
                case .request(let request):
                    return .request(
                        method: request.method, path: request.path, headers: request.headers,
                        body: request.body.take())
                case .refused(let response): return .refused(response.status)
                case .noMemory: return .refused(503)
                }
            }
            return .waits
        }
    }

    private enum Reading {
        case read, refused
        /// With half of a surrogate pair.
        case halved
    }

    @Test("The body of a request means the same as to Foundation's parser, or is refused")
    func requests() throws {
        let words = Self.texts(
            "{", "}", "[", "]", "\"", ":", ",", "\\", "\\u0000", "\\ud800", "\"receipt-data\":",
            "\"user_id\":", "null", "7", "é", "\u{FEFF}", " ")
        let plan = FuzzPlan("requests", executions: 10_000)
        try plan.run(
            on: FuzzCorpus.files("fuzz/requests"), with: words, atLeast: 5,
            of: Reading.read, .refused
        ) { bytes, _ in
            let request: ValidationRequest
            do throws(BadRequest) {
                request = try ValidationRequest(bytes)
            } catch {
                #expect(!error.description.isEmpty)
                return .refused
            }
            guard let parsed = try? JSONSerialization.jsonObject(with: Data(bytes)) else {
                // Half of a surrogate pair, which the job's reader replaces.
                let text = String(decoding: bytes, as: UTF8.self).lowercased()
                #expect(text.contains("\\ud"), "\(bytes)")
                return .halved
            }
            let object = try #require(parsed as? [String: Any], "\(bytes)")
            let receipt = try #require(object["receipt-data"] as? String, "\(bytes)")
            let text = String(decoding: request.receipt.text, as: UTF8.self)
            #expect(Self.scalars(receipt) == Self.scalars(text), "\(bytes)")
            let user = object["user_id"] as? String
            #expect(user.map(Self.scalars) == request.user.map { Self.scalars($0.text) })
            return .read
        }
    }

    /// Foundation omits a byte-order mark before an escape; RFC 8259 does not.
    private static func scalars(_ text: String) -> [Unicode.Scalar] {
        text.unicodeScalars.filter { $0 != "\u{FEFF}" }
    }

    private static let key = DownloadKey(
        receipt: Array(repeating: 7, count: 32), product: "pro", productKey: "asset-1",
        environment: .production, expiresAt: .asOf)

    private enum Opening: Hashable {
        case opened
        case refused(DownloadKey.Refusal)
    }

    @Test("Only a download key that was sealed is opened, whatever is changed in it")
    func keys() throws {
        let ring = try KeyRing(parsing: KeyRing.newLine())
        let sealed = (0..<8).map { _ in Self.key.sealed(by: ring) }
        let corpus = try FuzzCorpus.files("fuzz/keys") + sealed.map { Array($0.utf8) }
        let words = Self.texts("A", "-", "_", "=", "+", "/", "AQ", "\u{0}", "é", " ")
        let plan = FuzzPlan("download-keys", executions: 10_000)
        try plan.run(
            on: corpus, with: words, atLeast: 5, of: Opening.opened, .refused(.forged)
        ) { bytes, _ in
            let text = String(decoding: bytes, as: UTF8.self)
            do throws(DownloadKey.Refusal) {
                let key = try DownloadKey(text, with: ring)
                #expect(key == Self.key)
                #expect(sealed.contains { $0.utf8.elementsEqual(text.utf8) }, "\(text)")
                return .opened
            } catch {
                return .refused(error)
            }
        }
    }

    @Test("A damaged key file is refused, or its first key seals what it opens")
    func keyFiles() throws {
        let words = Self.texts("=", " = ", "\n", "\r\n", "#", "k1", "AAAA", "\u{0}", "\u{301}", " ")
        let plan = FuzzPlan("key-files", executions: 4_000)
        try plan.run(
            on: FuzzCorpus.files("fuzz/key-files"), with: words, atLeast: 3,
            of: Reading.read, .refused
        ) { bytes, _ in
            guard let ring = try? KeyRing(parsing: String(decoding: bytes, as: UTF8.self)) else {
                return .refused
            }
            let opened = try? DownloadKey(Self.key.sealed(by: ring), with: ring)
            #expect(opened == Self.key)
            return .read
        }
    }
}
