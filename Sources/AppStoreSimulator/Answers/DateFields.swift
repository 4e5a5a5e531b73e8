/// How `…_ms` is written; nearly always as a string of digits.
enum MillisecondForm: Sendable {
    case digits, number, fraction

    init(_ quirks: Set<AnswerQuirk>) {
        self =
            quirks.contains(.numbersForStrings)
            ? .number : quirks.contains(.fractionalMilliseconds) ? .fraction : .digits
    }
}

extension JSONFields {
    /// Adds `…_date`, `…_date_ms` and `…_date_pst`.
    mutating func add(date key: String, _ moment: Moment, as form: MillisecondForm = .digits) {
        let milliseconds: JSON =
            switch form {
            case .digits: .text(String(moment.milliseconds))
            case .number: .number(moment.milliseconds)
            case .fraction: .text("\(moment.milliseconds).25")
            }
        add(key, .text(moment.greenwichText))
        add(key + "_ms", milliseconds)
        add(key + "_pst", .text(moment.pacificText))
    }

    mutating func add(flag key: String, _ value: Bool, asBool: Bool) {
        add(key, asBool ? .bool(value) : .text(value ? "true" : "false"))
    }
}
