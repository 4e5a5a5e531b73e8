import Testing

/// A title and the steps that follow each other from a fresh start.
struct Course<Step: Sendable>: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let steps: [Step]

    init(_ title: String, _ steps: Step...) {
        testDescription = title
        self.steps = steps
    }

    init(_ title: String, _ steps: [Step]) {
        testDescription = title
        self.steps = steps
    }
}
