/// Which of Apple's answers a run keeps (`--evidence`). Raw values are the column `evidence`.
package enum Evidence: String, Hashable, Sendable, CaseIterable {
    case none
    case findings
    case all
}
