/// What this program is, for `--version`, `code_version` and the manifest.
enum Version {
    static let release = "0.1.0"

    /// `git archive` replaces the placeholder by the commit it packs; a checkout leaves it.
    private static let commit = "$Format:%h$"

    /// `0.1.0+3f2a91c`; of a checkout, which may hold anything, only `0.1.0`.
    static let text = commit.hasPrefix("$") ? release : release + "+" + commit
}
