internal import CLinux

/// What this program is, for `--version`, `code_version` and the manifest.
enum Version {
    static let release = "0.1.0"

    /// `git archive` replaces the placeholder by the commit it packs; a checkout leaves it.
    private static let archived = "$Format:%h$"

    /// `0.1.0+3f2a91c`; `0.1.0+unknown` of a checkout that was not built by scripts/build.
    static let text = text(
        archived: archived, linked: clinux_commit().map { String(cString: $0) })

    static func text(archived: String, linked: String?) -> String {
        let commit = archived.hasPrefix("$") ? linked ?? "unknown" : archived
        return release + "+" + commit
    }
}
