/// How much memory the requests that arrive or are read may use together.
///
/// Counted is what has arrived, not what a client announces, which costs the client nothing. Large
/// bodies share one sum, small ones and headers have another: large ones, which few clients need,
/// never keep out small ones.
struct BodyRoom: Sendable {
    struct Place: Equatable, Sendable {
        var bytes = 0
        var isLarge = false
    }

    private let limits: SCGILimits
    private(set) var largeBytes = 0
    private(set) var smallBytes = 0

    init(_ limits: SCGILimits) { self.limits = limits }

    /// Whether a body of so many bytes is a large one.
    func isLarge(_ bytes: Int) -> Bool { bytes > limits.smallBodyBytes }

    /// Changes a place. False: there is no room for it, and the place is as it was.
    mutating func change(_ place: inout Place, to new: Place) -> Bool {
        let largeBytes = largeBytes + new.large - place.large
        let smallBytes = smallBytes + new.small - place.small
        guard new.large <= place.large || largeBytes <= limits.largeBodiesBytes,
            new.small <= place.small || smallBytes <= limits.smallBodiesBytes
        else { return false }
        self.largeBytes = largeBytes
        self.smallBytes = smallBytes
        place = new
        return true
    }

    mutating func giveBack(_ place: Place) {
        largeBytes -= place.large
        smallBytes -= place.small
    }
}

extension BodyRoom.Place {
    fileprivate var large: Int { isLarge ? bytes : 0 }
    fileprivate var small: Int { isLarge ? 0 : bytes }
}
