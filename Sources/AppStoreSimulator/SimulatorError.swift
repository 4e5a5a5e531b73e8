internal import Glibc

package struct SimulatorError: Error, Equatable {
    enum Reason: Equatable, Sendable {
        /// The port, or 0 for any.
        case cannotListen(port: UInt16)
        /// No thread or pipe could be created.
        case outOfResources
    }

    let reason: Reason
    private let code: Int32

    init(_ reason: Reason, _ code: Int32) {
        self.reason = reason
        self.code = code
    }
}

extension SimulatorError: CustomStringConvertible {
    package var description: String {
        let why = String(cString: strerror(code))
        switch reason {
        case .cannotListen(let port):
            return "Cannot listen on 127.0.0.1:\(port): \(why). Choose another port, or 0 for a "
                + "free one."
        case .outOfResources:
            return "Cannot start the simulator's threads: \(why). Raise the limits of the process."
        }
    }
}
