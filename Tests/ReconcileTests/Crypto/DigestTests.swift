import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A SHA-256 digest")
struct DigestTests {
    @Test(
        "The digests of NIST's examples (FIPS 180-4) come out",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                String(repeating: "a", count: 1_000_000),
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
            ),
        ])
    func examples(text: String, hexadecimal: String) {
        #expect(Digest.sha256(text.utf8).hexadecimal == hexadecimal)
        #expect(Digest.sha256(Array(text.utf8)).hexadecimal == hexadecimal)
        #expect(Digest.sha256(AnyCollection(Array(text.utf8))).hexadecimal == hexadecimal)
    }

    @Test("The hash state needs no more alignment than frames of async functions have")
    func alignment() {
        #expect(MemoryLayout<Digest>.alignment <= 16)
        #expect(MemoryLayout<Digest>.size == 32)
    }

    @Test("The digest is the same in pieces of any size", arguments: [1, 7, 63, 64, 65, 4_096])
    func pieces(size: Int) {
        let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 * $0) }
        var stream = DigestStream()
        for start in stride(from: 0, to: bytes.count, by: size) {
            bytes[start..<min(start + size, bytes.count)].withUnsafeBytes { stream.update($0) }
        }
        stream.update(UnsafeRawBufferPointer(start: nil, count: 0))
        let digest = stream.finish()
        #expect(digest == Digest.sha256(bytes))
        #expect(digest != Digest.sha256(bytes.dropLast()))
        #expect(digest.bytes.count == 32)
    }

    @Test("The digest is printed as sha256sum prints it")
    func commandLine() throws {
        var generator = SeededGenerator(9)
        let bytes = (0..<25_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let file = FileManager.default.temporaryDirectory
            .appending(path: "reconcile-digest-\(UUID().uuidString)")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let command = try ChildProcess("/usr/bin/sha256sum", [file.path()])
        let printed = command.output.readDataToEndOfFile()
        #expect(command.wait() == 0)
        #expect(printed.starts(with: Digest.sha256(bytes).hexadecimal.utf8))
    }
}
