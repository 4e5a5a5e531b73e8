internal import CLinux

/// The program's version, for `--version`, `code_version` and the manifest.
enum Version {
    static let release = "0.1.0"

    /// `git archive` replaces the placeholder with the commit; a checkout keeps it.
    private static let archived = "$Format:%h$"

    /// For example `0.1.0+3f2a91c`; `0.1.0+unknown` when not built by scripts/build.
    static let text = text(
        archived: archived, linked: clinux_commit().map { String(cString: $0) })

    static func text(archived: String, linked: String?) -> String {
        let commit = archived.hasPrefix("$") ? linked ?? "unknown" : archived
        return release + "+" + commit
    }
}
