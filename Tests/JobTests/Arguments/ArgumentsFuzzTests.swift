import Testing

@testable import Reconcile
@testable import TestSupport
@testable import reconcile_job

/// To add a case: a value in `values`, which any flag may get.
@Suite("Damaged command lines")
struct ArgumentsFuzzTests {
    private static let values = [
        "", "1", "-1", "0", "99999999999999999999", "1.5", "1e9", "NaN", "inf", "5%", "101%", "-0%",
        "1s", "1.5h", "9223372036854775807d", "0.0000001ms", "-1s", "true", "false", "none", "high",
        "2026-11-20T02:00:00Z", "9999-99-99T99:99:99Z", "infinity", "postgresql:///shop",
        "postgresql://u:p@h/d", "host=a password=b", "http://127.0.0.1:1", "http://example.com",
        "https://[::1", "://", "a,b", ",", "é", "\u{0}", "\u{202E}", "--", "-", "=", "a=b", "/tmp",
        String(repeating: "x", count: 1_000),
    ]

    @Test("A random command line is read in one way, or refused in a sentence, with 64 or 78")
    func commandLines() throws {
        var read = 0
        try FuzzPlan("flags", executions: 5_000).run { generator in
            let command = generator.one(of: CommandName.allCases)
            let own = Flag.all.filter { $0.commands.contains(command) }
            var words = [command.rawValue]
            for _ in 0..<generator.number(below: 4) {
                let flags = generator.once(in: 8) ? Flag.all : own
                words += Self.spelled(generator.one(of: flags), &generator)
            }
            if generator.once(in: 8) { words.append(generator.one(of: Self.values)) }
            if generator.once(in: 32) { words.removeFirst() }
            let variable = generator.one(of: own).variable
            let value = generator.one(of: Self.values)
            let isSet = generator.once(in: 4)
            let arguments = Arguments { $0 == variable && isSet ? value : nil }
            let results = (1...2).map { _ in
                Result { () throws(Ending) in try arguments.invocation(words) }
            }
            #expect(results[0] == results[1], "\(words)")
            switch results[0] {
            case .success: read += 1
            case .failure(let ending):
                #expect([.usage, .configuration].contains(ending.exit), "\(words): \(ending)")
                #expect(ending.message.hasSuffix("."), "\(words): \(ending.message)")
            }
        }
        #expect(read > 0)
    }

    private static func spelled(_ flag: Flag, _ generator: inout SeededGenerator) -> [String] {
        var name = Array("--\(flag.name)".utf8)
        if generator.once(in: 8) { name.mutate(1, with: [[0x2D], [0x3D], [0x20]], &generator) }
        let text = String(decoding: name, as: UTF8.self)
        let value = generator.one(of: values)
        return generator.one(of: [[text], ["\(text)=\(value)"], [text, value], [text, value]])
    }
}
