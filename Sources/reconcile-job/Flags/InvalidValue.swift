/// Why a value is refused and what is allowed: the part of the message after the flag's name.
struct InvalidValue: Error, Equatable {
    let reason: String

    init(_ reason: String) { self.reason = reason }

    init(_ text: String, isNot wanted: String) {
        reason = "\"\(text)\" is not \(wanted)."
    }
}
