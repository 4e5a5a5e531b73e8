/// A word that is forbidden in some modules, in one form of use.
struct Wording: Sendable {
    enum Form: Sendable {
        /// `ProcessInfo`, not `x.ProcessInfo`.
        case name
        /// `exit(0)`, not `x.exit(0)` nor `func exit()`.
        case call
        /// `write(2, …)`: a call whose first argument is one of these.
        case callWith(Set<String>)
        /// `Clock.now`, `.now`.
        case member
    }

    let word: String
    let form: Form

    init(_ word: String, _ form: Form = .name) { (self.word, self.form) = (word, form) }

    /// The uses of the words among `tokens`, each with its line.
    static func uses(of wordings: [Wording], in tokens: SwiftTokens) -> [(word: String, line: Int)]
    {
        let byWord = Dictionary(grouping: wordings, by: \.word)
        return tokens.indices.compactMap { index in
            let token = tokens.all[index]
            guard token.kind == .word, let forms = byWord[token.text],
                forms.contains(where: { $0.form.fits(index, in: tokens) })
            else { return nil }
            return (token.text, token.line)
        }
    }
}

extension Wording.Form {
    fileprivate func fits(_ index: Int, in tokens: SwiftTokens) -> Bool {
        let isCall =
            tokens.symbol("(", at: 1, of: index) && !tokens.word("func", at: -1, of: index)
        return switch self {
        case .name: !tokens.isMember(index)
        case .call: !tokens.isMember(index) && isCall
        case .callWith(let arguments):
            !tokens.isMember(index) && isCall
                && arguments.contains(tokens.neighbour(2, of: index)?.text ?? "")
        case .member: tokens.isMember(index)
        }
    }
}
