package struct SCGIError: Error, Equatable, CustomStringConvertible {
    package enum Reason: Equatable, Sendable {
        case occupied
        /// This account lacks a right to the socket or its folder.
        case notPermitted
        case failed
    }

    package let reason: Reason
    package let description: String
}
