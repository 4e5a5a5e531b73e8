/// How much memory the requests that arrive or are read may use together.
///
/// Counted is what has arrived, not what a client announces, which costs the client nothing. Large
/// bodies share one sum, small ones and headers have another: large ones, which few clients need,
/// never keep out small ones.
struct BodyMemory: Sendable {
    struct Share: Equatable, Sendable {
        var bytes = 0
        var isLarge = false
    }

    private let limits: SCGILimits
    private(set) var largeBytes = 0
    private(set) var smallBytes = 0

    init(_ limits: SCGILimits) { self.limits = limits }

    /// Whether a body of so many bytes is a large one.
    func isLarge(_ bytes: Int) -> Bool { bytes > limits.smallBodyBytes }

    /// Changes a share. False: it would exceed a limit, and the share is as it was.
    mutating func resize(_ share: inout Share, to new: Share) -> Bool {
        let largeBytes = largeBytes + new.large - share.large
        let smallBytes = smallBytes + new.small - share.small
        guard new.large <= share.large || largeBytes <= limits.largeBodiesBytes,
            new.small <= share.small || smallBytes <= limits.smallBodiesBytes
        else { return false }
        self.largeBytes = largeBytes
        self.smallBytes = smallBytes
        share = new
        return true
    }

    mutating func release(_ share: Share) {
        largeBytes -= share.large
        smallBytes -= share.small
    }
}

extension BodyMemory.Share {
    fileprivate var large: Int { isLarge ? bytes : 0 }
    fileprivate var small: Int { isLarge ? 0 : bytes }
}
