import Testing

@testable import Reconcile

@Suite("Base64")
struct Base64Tests {
    @Test(
        "The encoding is that of RFC 4648",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
        ])
    func vectors(plain: String, text: String) {
        #expect(String(decoding: Base64.encode(Array(plain.utf8)), as: UTF8.self) == text)
        #expect(
            Base64.decode(Array(text.utf8))
                == Base64.Decoded(bytes: Array(plain.utf8), isCanonical: true))
    }

    @Test(
        "Base64 that clients damage in known ways is repaired",
        arguments: [
            ("+/+/", "-_-_"), ("Zm9vYmFy", "Zm9v\r\nYmFy"),
            ("Zm9vYmFy", "Zm9v\nYmFy\n"), ("Zm9vYg==", "Zm9vYg"), ("Zm9vYg==", "Zm9vYg="),
            ("Zm9vYmFy", "  Zm9vYmFy\t"), ("Zm9vYg==", "Zm9vYh=="), ("Zm8=", "Zm8"),
            ("a+b/", "a b_"),
        ])
    func repairs(canonical: String, damaged: String) throws {
        let repaired = try #require(Base64.decode(Array(damaged.utf8)))
        #expect(!repaired.isCanonical)
        #expect(String(decoding: Base64.encode(repaired.bytes), as: UTF8.self) == canonical)
    }

    @Test(
        "Any other text is refused",
        arguments: ["a", "abcde", "%%%%", "not a receipt!", "ab=c", "Zm9v.YmFy", "Zg==Zg==", "é"])
    func refuses(text: String) { #expect(Base64.decode(Array(text.utf8)) == nil) }
}

@Suite("An old property list")
struct PropertyListTests {
    @Test("An old property list is read completely")
    func reads() {
        let text = "{\n\t\"signature\" = \"a\\\"b\";\n\t\"pod\" = \"100\";\n\tbare = word-1;\n}\n"
        #expect(
            PropertyList(Array(text.utf8))?.values
                == ["signature": "a\"b", "pod": "100", "bare": "word-1"])
        #expect(PropertyList(Array("{}".utf8))?.values == [:])
    }

    @Test(
        "A property list that is incomplete, nested or repeats a key is refused",
        arguments: [
            "", "{", "{\"a\" = \"b\"}", "{\"a\" = \"b\";", "{\"a\" \"b\";}", "{\"a\" = ;}",
            "{\"a\" = \"b\";} x", "{\"a\" = {\"b\" = \"c\";};}", "{\"a\" = \"b\"; \"a\" = \"c\";}",
            "{\"a\" = \"b;}", "[]", "{\"a\" = \"\\",
        ])
    func refuses(text: String) { #expect(PropertyList(Array(text.utf8)) == nil) }
}
