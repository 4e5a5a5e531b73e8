package enum DiagnosisJSON {
    package static func text(_ lines: [Diagnosis]) -> String {
        let objects = lines.map { line in
            PrintedJSON.object([
                ("check", .string(line.name)), ("verdict", .string(line.health.rawValue)),
                ("detail", .string(line.detail)),
            ])
        }
        return String(decoding: PrintedJSON.array(objects).bytes, as: UTF8.self)
    }
}
