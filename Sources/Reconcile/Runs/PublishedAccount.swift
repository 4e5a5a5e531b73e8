/// What the database stores of a published folder. `runs` reads it, and `report` writes the folder
/// again from it.
package struct PublishedAccount: Hashable, Sendable {
    let summary: String
    /// SHA-256 of `manifest.json`, in hexadecimal.
    package let manifestSHA256: String
    /// Whether another folder of the run had to go: a failover undid the record of it.
    package var replacesOther = false
}
