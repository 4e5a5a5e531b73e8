extension JSONFields {
    /// The three forms of an instant: `…_date`, `…_date_ms`, `…_date_pst`.
    mutating func add(date key: String, _ moment: Moment, asNumber: Bool = false) {
        add(key, .text(moment.greenwichText))
        add(
            key + "_ms",
            asNumber ? .number(moment.milliseconds) : .text(String(moment.milliseconds)))
        add(key + "_pst", .text(moment.pacificText))
    }

    mutating func add(flag key: String, _ value: Bool, asBool: Bool) {
        add(key, asBool ? .bool(value) : .text(value ? "true" : "false"))
    }
}
