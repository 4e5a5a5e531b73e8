import Testing

@testable import reconcile_job

@Suite("The version")
struct VersionTests {
    @Test(
        "The version is the release and the commit, from the archive or linked in",
        arguments: [
            ("3f2a91c", nil, "+3f2a91c"), ("3f2a91c", "unknown", "+3f2a91c"),
            ("$Format:%h$", "3f2a91c0d7b4", "+3f2a91c0d7b4"), ("$Format:%h$", nil, "+unknown"),
            ("$Format:%h$", "3f2a91c0d7b4.modified", "+3f2a91c0d7b4.modified"),
        ] as [(String, String?, String)])
    func commit(archived: String, linked: String?, expected: String) {
        #expect(
            Version.text(archived: archived, linked: linked) == Version.release + expected)
    }
}
