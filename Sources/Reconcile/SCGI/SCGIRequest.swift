internal import Synchronization

package struct SCGIRequest: Sendable {
    let method: String
    /// Without the query and not percent-decoded.
    let path: String
    /// By their CGI names. Others than `keyHeader`, and a longer one than any key, are dropped: the
    /// request lasts until its answer, and very many may wait for theirs.
    let headers: [String: String]
    let body: SCGIBody
    static let keyHeader = "HTTP_X_DOWNLOAD_KEY"
    /// Releases the body's share of the memory, and no longer counts the request among those in
    /// progress. To be called before a wait for another server, which limits those that wait.
    var releaseBody: @Sendable () -> Void = {}
}

/// A request's body. Who takes it frees it: the request itself lasts until its answer.
package final class SCGIBody: Sendable {
    private let bytes: Mutex<[UInt8]>

    init(_ bytes: [UInt8]) { self.bytes = Mutex(bytes) }

    /// The bytes; empty when they were taken before.
    func take() -> [UInt8] {
        bytes.withLock { bytes in
            defer { bytes = [] }
            return bytes
        }
    }
}
