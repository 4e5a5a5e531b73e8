/// How much memory the bodies of requests may use together.
///
/// A body has its place from its header on, until its request is answered or waits for something
/// that is not this machine's. Large bodies share one sum, small ones have another: large ones,
/// which few clients need, never keep out small ones.
struct BodyRoom: Sendable {
    private let limits: SCGILimits
    private(set) var largeBytes = 0
    private(set) var smallBytes = 0

    init(_ limits: SCGILimits) { self.limits = limits }

    /// Takes a place for a body of `bytes`. False: there is none, and nothing was taken.
    mutating func take(_ bytes: Int) -> Bool {
        if bytes > limits.smallBodyBytes {
            guard bytes <= limits.largeBodiesBytes - largeBytes else { return false }
            largeBytes += bytes
        } else {
            guard bytes <= limits.smallBodiesBytes - smallBytes else { return false }
            smallBytes += bytes
        }
        return true
    }

    mutating func giveBack(_ bytes: Int) {
        if bytes > limits.smallBodyBytes {
            largeBytes -= bytes
        } else {
            smallBytes -= bytes
        }
    }
}
