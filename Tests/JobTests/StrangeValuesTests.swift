import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A run over strange values", .timeLimit(.minutes(10)))
struct StrangeValuesTests {
    /// From PostgreSQL's earliest instant to its latest.
    private static let instants: [String?] = [
        nil, "-infinity", "4713-12-31 00:00:00+00 BC", "1200-03-01 12:00:00+00 BC",
        "0001-01-01 00:00:00+00", "1969-12-31 23:59:59.999+00", "2026-11-20 02:00:00+00",
        "2026-12-10 02:00:00+00", "9999-12-31 23:59:59+00", "294276-12-31 23:59:59+00",
        "infinity",
    ]

    @Test("A row with any date is counted once, and its date is printed")
    func dates() async throws {
        let receipt = TestDatabase.receipt("r")
        try await StrangerScene.with(.always(Self.expired)) { scene in
            var (receipts, rows): ([[String?]], [[String?]]) = ([], [])
            for (user, stored) in Self.instants.enumerated() {
                receipts.append(["r\(user)", "u\(user)", "acme", receipt, stored])
                for (expiry, expires) in Self.instants.enumerated() {
                    for (update, updated) in Self.instants.enumerated() {
                        rows.append([
                            "e\(user)-\(expiry)-\(update)", "u\(user)",
                            expiry % 2 == 0 ? "pro.monthly" : "other", nil, "true", expires, nil,
                            nil, "app_store", updated,
                        ])
                    }
                }
            }
            try await scene.insert(receipts, into: "receipts")
            try await scene.insert(rows, into: "entitlements")
            try await scene.test.sell("pro.monthly")
            try await scene.test.sell("other", kind: "non_consumable")
            try await scene.insert(
                Self.instants.enumerated().map { ["app\($0)", "1", $1, "gone"] }, into: "apps")
            let job = try await scene.run()
            #expect(job.status == 0, "\(job.lastLine)")
            let reports = try PublishedReports(scene.latest)
            #expect(reports.control("receipts")?["in_scope"] == receipts.count)
            // A null `stored_at` affects one receipt, a null `updated_at` one in eleven rows.
            #expect(reports.control("receipts")?["unusable"] == 1)
            #expect(reports.control("entitlements")?["in_scope"] == rows.count)
            #expect(reports.control("entitlements")?["not_judged"] == rows.count / 11)
            try expectBalance(reports)
            let printed = try ["mismatches", "expirations"].map {
                try String(contentsOfFile: "\(scene.latest)/\($0).json", encoding: .utf8)
            }.joined()
            for text in ["infinity", "294276-12-31T23:59:59Z", "9999-12-31T23:59:59Z"] {
                #expect(printed.contains(#""stored_expires_at":"\#(text)""#), "\(text)")
            }
        }
    }

    /// A damaged receipt text, and whether it can be repaired.
    struct Damage: Sendable {
        let name: String
        let isCorrected: Bool
        let text: @Sendable (String) -> String

        init(_ name: String, isCorrected: Bool, _ text: @escaping @Sendable (String) -> String) {
            self.name = name
            self.isCorrected = isCorrected
            self.text = text
        }
    }

    static let damages: [Damage] = [
        Damage("as it is", isCorrected: true) { $0 },
        Damage("in lines", isCorrected: true) { lines($0, "\n") },
        Damage("in lines of Windows", isCorrected: true) { lines($0, "\r\n") },
        Damage("in pieces", isCorrected: true) { lines($0, " ") },
        Damage("from a form", isCorrected: true) { $0.replacing("+", with: " ") },
        Damage("for a URL", isCorrected: true) {
            $0.replacing("+", with: "-").replacing("/", with: "_")
        },
        Damage("without padding", isCorrected: true) { $0.replacing("=", with: "") },
        Damage("with too much padding", isCorrected: true) { $0 + "==" },
        Damage("with blanks around", isCorrected: true) { "\t \($0)\r\n " },
        Damage("empty", isCorrected: false) { _ in "" },
        Damage("blank", isCorrected: false) { _ in " \r\n\t" },
        Damage("one character", isCorrected: false) { String($0.prefix(1)) },
        Damage("cut short", isCorrected: false) { String($0.prefix($0.count / 2)) },
        Damage("twice in a row", isCorrected: false) { $0 + $0 },
        Damage("twice encoded", isCorrected: false) { Data($0.utf8).base64EncodedString() },
        Damage("quoted", isCorrected: false) { "\"\($0)\"" },
        Damage("as a URL of data", isCorrected: false) { "data:;base64,\($0)" },
        Damage("in hexadecimal", isCorrected: false) { $0.utf8.map { "\($0)" }.joined() },
        Damage("percent-encoded", isCorrected: false) { $0.replacing("A", with: "%41") },
        Damage("padding alone", isCorrected: false) { _ in "====" },
        Damage("with a letter of another alphabet", isCorrected: false) { "é" + $0.dropFirst(2) },
        Damage("a JWS", isCorrected: false) { "eyJ\($0).eyJ.c2ln" },
        Damage("JSON", isCorrected: false) { #"{"receipt-data":"\#($0)"}"# },
        Damage("noise", isCorrected: false) { String($0.reversed()) },
        Damage("ten million letters", isCorrected: false) { _ in
            String(repeating: "A", count: 10_000_000)
        },
    ]

    @Test("Repairable base64 is sent, and other receipt data is classified")
    func base64() async throws {
        try await StrangerScene.with(.always(AppleAnswer.verified())) { scene in
            for (number, damage) in Self.damages.enumerated() {
                let text = damage.text(TestDatabase.receipt("receipt \(number)"))
                try await scene.insert(
                    [[damage.name, "u", "acme", text, "2026-10-01T00:00:00Z"]], into: "receipts")
            }
            let job = try await scene.run()
            #expect(job.status == 0, "\(job.lastLine)")
            let corrected = Self.damages.count { $0.isCorrected }
            let reports = try PublishedReports(scene.latest)
            #expect(
                reports.control("receipts") == [
                    "in_scope": Self.damages.count, "verified": corrected, "rejected": 0,
                    "unusable": Self.damages.count - corrected, "unverified": 0,
                ])
            let outcomes = try await scene.test.texts(
                "select receipt_id from reconcile.outcome where outcome = 'verified'")
            let expected = Self.damages.filter(\.isCorrected).map(\.name)
            #expect(Set(outcomes.compactMap(\.self)) == Set(expected))
            #expect(scene.apple.requests.count == corrected)
        }
    }

    @Test("A receipt of 10 MB is sent, and one of 40 MB is never loaded")
    func large() async throws {
        try await StrangerScene.with(.always(AppleAnswer.verified())) { scene in
            for (id, megabytes) in [("large", 10), ("monstrous", 40)] {
                let text = Self.receipt(ofMegabytes: megabytes)
                try await scene.insert(
                    [[id, id, "acme", text, "2026-10-01T00:00:00Z"]], into: "receipts")
            }
            let job = try await scene.run()
            #expect(job.status == 0, "\(job.lastLine)")
            let outcomes = try await scene.test.texts(
                "select receipt_id || ' ' || outcome from reconcile.outcome order by 1")
            #expect(outcomes == ["large verified", "monstrous unusable"])
            #expect(scene.apple.requests.map { $0.body.count > 13_000_000 } == [true])
        }
    }

    @Test("Ten thousand receipts of one user are judged together")
    func manyOfOne() async throws {
        try await StrangerScene.with(.always(Self.expired)) { scene in
            let serials = [UInt8](repeating: UInt8(ascii: "0"), count: 4)
            let bytes = ReceiptForge.receipt(
                ReceiptForge.payload(serial: String(decoding: serials, as: UTF8.self)))
            let place = try #require(bytes.firstRange(of: serials)).lowerBound + 1
            // One receipt in five is a copy of another user's.
            try await scene.test.execute(
                """
                insert into team.receipts
                select 'r' || n, 'ann', 'acme',
                    encode(overlay(
                        decode('\(Data(bytes).base64EncodedString())', 'base64')
                        placing convert_to(lpad((n % 2000)::text, 4, '0'), 'UTF8')
                        from \(place)), 'base64'),
                    '2026-10-01'
                from generate_series(1, 10000) as n
                """)
            try await scene.test.sell("pro.monthly")
            try await scene.test.store(
                entitlement: "e", of: "ann", expires: "2026-12-10T02:00:00Z")
            let job = try await scene.run()
            #expect(job.status == 0, "\(job.lastLine)")
            let reports = try PublishedReports(scene.latest)
            #expect(reports.control("receipts")?["verified"] == 10_000)
            #expect(scene.apple.requests.count == 2_000)
            #expect(try reports.kinds()["expirations"] == ["expired_still_granted ann"])
        }
    }

    private static let expired = AppleAnswer.verified([AppleAnswer.period("1", from: -60, to: -30)])

    private static func lines(_ text: String, _ end: String) -> String {
        let bytes = Array(text.utf8)
        return stride(from: 0, to: bytes.count, by: 64).map { start in
            String(decoding: bytes[start..<min(start + 64, bytes.count)], as: UTF8.self)
        }.joined(separator: end)
    }

    /// A complete container of that size, filled with zeros.
    private static func receipt(ofMegabytes megabytes: Int) -> String {
        func tlv(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
            let length = withUnsafeBytes(of: UInt32(content.count).bigEndian, Array.init)
            return [tag, 0x84] + length + content
        }
        let oid = { (last: UInt8) in
            ReceiptForge.tlv(6, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, last])
        }
        let zeros = [UInt8](repeating: 0, count: megabytes * 1_000_000)
        let content = tlv(0x30, oid(1) + tlv(0xA0, tlv(4, zeros)))
        let none = ReceiptForge.tlv(0x31, [])
        let signed = tlv(0x30, ReceiptForge.tlv(2, [1]) + none + content + none)
        return Data(tlv(0x30, oid(2) + tlv(0xA0, signed))).base64EncodedString()
    }

    private func expectBalance(_ reports: PublishedReports) throws {
        for name in ["receipts", "entitlements"] {
            let control = try #require(reports.control(name))
            let buckets = control.filter { $0.key != "in_scope" }.values.reduce(0, +)
            #expect(control["in_scope"] == buckets, "\(name): \(control)")
        }
    }
}
