import Testing

@testable import Reconcile

/// To add a case: a test with a document, and what is read in it.
@Suite("A JSON document as a tree")
struct JSONNodeTests {
    private func read(_ text: String) throws -> JSONNode { try JSONNode(Array(text.utf8)) }

    private func text(_ node: JSONNode?) -> String? {
        node?.text.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("Members are found at any depth, by name, also by one with escapes")
    func members() throws {
        let root = try read(#"{"a":{"b":[{"c":"one"},{"c":"two"}]},"\u0064":"three"}"#)
        let elements = try #require(root["a"]?["b"]?.elements)
        #expect(elements.map { text($0["c"]) } == ["one", "two"])
        #expect(text(root["d"]) == "three")
        #expect(root["b"] == nil)
        #expect(root["a"]?["b"]?["c"] == nil, "a list has no members")
    }

    @Test("The same name in objects one after the other and within each other is each its own")
    func siblings() throws {
        let root = try read(#"{"a":{"a":{"a":1},"b":2},"c":[{"a":3},{"a":4,"b":{"a":5}}],"b":6}"#)
        #expect(root["a"]?["a"]?["a"]?.integer == 1)
        #expect(root["a"]?["b"]?.integer == 2)
        #expect(root["c"]?.elements?.map { $0["a"]?.integer } == [3, 4])
        #expect(root["c"]?.elements?.last?["b"]?["a"]?.integer == 5)
        #expect(root["b"]?.integer == 6)
    }

    @Test("A value is read as what it is, and null is as none")
    func values() throws {
        let root = try read(
            #"{"s":"a","e":"a\n\u00e9","x":"","n":-7,"f":1.5,"t":true,"o":{},"l":[],"z":null}"#)
        #expect(text(root["s"]) == "a")
        #expect(text(root["e"]) == "a\né")
        #expect(text(root["x"]) == "")
        #expect(root["n"]?.integer == -7)
        #expect(root["f"]?.integer == nil)
        #expect(root["t"]?.flag == true)
        #expect(root["l"]?.elements?.count == 0)
        #expect(root["o"]?.elements == nil)
        #expect(root["z"] == nil)
        for name in ["n", "t", "o", "l"] as [StaticString] {
            #expect(root[name]?.text == nil, "\(name)")
        }
        for name in ["o", "l"] as [StaticString] {
            #expect(root[name]?.integer == nil, "\(name)")
            #expect(root[name]?.flag == nil, "\(name)")
        }
    }

    @Test("A document may be a single value", arguments: ["7", #""a""#, "true", "null", "[]"])
    func single(text: String) throws {
        let root = try read(text)
        #expect(root["a"] == nil)
        #expect(root.integer == (text == "7" ? 7 : nil))
    }

    @Test(
        "What is no JSON, or not whole, is refused",
        arguments: [
            "", " ", "{", #"{"a":1"#, "[1,]", #"{"a":1,}"#, #"{"a":1}}"#, "1 2", #"{"a":1,"a":2}"#,
            #"{"a"}"#, "'a'", "\u{0}", "nul",
        ])
    func refused(text: String) {
        #expect(throws: JSONError.self) { try read(text) }
    }

    @Test("Nesting that is too deep is refused, not followed")
    func deep() {
        for text in [
            String(repeating: "[", count: 100_000), String(repeating: #"{"a":"#, count: 100_000),
        ] {
            #expect(throws: JSONError.self) { try read(text) }
        }
    }
}
