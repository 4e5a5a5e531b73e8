/// Which of Apple's answers in a run refused a receipt (21003, 21010), for a worker that comes to
/// it later. Answers are numbered from 1, in the order in which they came; a second refusal of a
/// receipt has no number of its own.
package struct RefusalHistory: Equatable, Sendable {
    package struct Refusal: Equatable, Sendable {
        /// The digest of the question, 32 bytes.
        package let question: [UInt8]
        /// The number of the first answer that refused it.
        package let number: Int

        package init(question: [UInt8], number: Int) {
            (self.question, self.number) = (question, number)
        }
    }

    /// How many answers came.
    package let answers: Int
    /// By number. Older ones may be left out, if no batch that is to be judged needs them.
    package let refusals: [Refusal]

    package init(answers: Int, refusals: [Refusal]) {
        (self.answers, self.refusals) = (answers, refusals)
    }
}
