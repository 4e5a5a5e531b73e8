import Foundation
import Testing

@testable import AppStoreSimulator
@testable import TestSupport

@Suite("A minted receipt")
struct ReceiptMintTests {
    private let store = SimulatedStore.demo(customers: 1_000)

    @Test(
        "A minted receipt is PKCS#7 that OpenSSL verifies under the test authority, byte for byte")
    func verifies() throws {
        let customer = try #require(store.customer(living: .owner))
        let body = String(decoding: store.body(for: customer), as: UTF8.self)
        let text = try #require(body.split(separator: "\"").dropFirst(3).first)
        let whole = try #require(Base64Text.decoded(strictly: Array(text.utf8)))
        #expect(try openssl(whole) == 0)
        var changed = whole
        let place = try #require(changed.firstRange(of: Array("com.example".utf8))?.lowerBound)
        changed[place] ^= 1
        #expect(try openssl(changed) != 0)
    }

    @Test("A minted receipt has Apple's attributes, including empty dates")
    func attributes() throws {
        let customer = try #require(store.customer(living: .owner))
        let mark = ReceiptMark(seed: 1, customer: customer.number, account: 0, number: 1)
        let payload = ReceiptPayload(
            account: customer.accounts[0], mark: mark, createdAt: store.now
        ).encoded()
        var cursor = DERCursor(payload)
        let content = cursor.content(of: DERWriter.set)
        let set = try #require(content)
        var attributes = cursor.inside(set)
        var types: [Int] = []
        while let attribute = attributes.content(of: DERWriter.sequence) {
            var fields = attributes.inside(attribute)
            let type = fields.content(of: 0x02)
            types.append(Int(payload[try #require(type).lowerBound]))
        }
        #expect(types == [0, 1, 2, 3, 4, 5, 10, 12, 17, 18, 19, 7])
        // 1712, cancellation date: an empty IA5String.
        let empty: [UInt8] = [0x02, 0x02, 0x06, 0xB0, 0x02, 0x01, 0x01, 0x04, 0x02, 0x16, 0x00]
        #expect(payload.firstRange(of: empty) != nil)
    }

    @Test(
        "A minted receipt holds a mark that can be read back", arguments: [0, 1, 255, 99_999_999])
    func marks(customer: Int) {
        let mark = ReceiptMark(seed: .max, customer: customer, account: 3, number: 700)
        #expect(ReceiptMark(mark.bytes) == mark)
        #expect(ReceiptMark(mark.bytes.dropLast()) == nil)
    }

    private func openssl(_ receipt: [UInt8]) throws -> Int32 {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "simulated-receipt-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (file, root) = (folder.appendingPathComponent("r"), folder.appendingPathComponent("c"))
        try Data(receipt).write(to: file)
        let base64 = Data(ThrowAwayAuthority.rootCertificate).base64EncodedString(
            options: [.lineLength64Characters, .endLineWithLineFeed])
        try Data("-----BEGIN CERTIFICATE-----\n\(base64)\n-----END CERTIFICATE-----\n".utf8)
            .write(to: root)
        return try ChildProcess(
            "/usr/bin/openssl",
            [
                "cms", "-verify", "-inform", "DER", "-in", file.path, "-CAfile", root.path,
                "-purpose", "any", "-binary", "-out", "/dev/null",
            ]
        ).wait()
    }
}
