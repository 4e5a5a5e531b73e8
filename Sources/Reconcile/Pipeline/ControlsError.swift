/// The control totals do not balance. This is a defect of the job; nothing is published.
package struct ControlsError: Error, Equatable, CustomStringConvertible {
    package let description: String

    static func check(_ controls: [(name: String, Int, Int)]) throws(ControlsError) {
        let unequal = controls.filter { $0.1 != $0.2 }
        guard !unequal.isEmpty else { return }
        let list = unequal.map { "\($0.name): \($0.1) and \($0.2)" }.joined(separator: "; ")
        throw ControlsError(
            description: "The controls do not balance (\(list)). Nothing was published. This is a"
                + " defect of the job: report it with this line.")
    }
}
