extension String {
    /// Escapes characters that would control a terminal or a log reader: controls (C0, DEL, C1),
    /// line and paragraph separators, and invisible or reordering format characters. Uses JSON's
    /// notation: `\u202e`, and surrogate pairs beyond U+FFFF.
    package func escapingControls(
        andAlso escape: (Unicode.Scalar) -> String? = { _ in nil }
    ) -> String {
        var escaped = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\n": escaped += #"\n"#
            case "\r": escaped += #"\r"#
            case "\t": escaped += #"\t"#
            case _ where scalar.controlsOutput:
                for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
                    escaped += #"\u"# + [UInt8(unit >> 8), UInt8(unit & 0xFF)].hexadecimal
                }
            default:
                if let other = escape(scalar) {
                    escaped += other
                } else {
                    escaped.unicodeScalars.append(scalar)
                }
            }
        }
        return escaped
    }
}

extension Unicode.Scalar {
    fileprivate var controlsOutput: Bool {
        guard !(32..<127).contains(value) else { return false }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }
}
