/// Cell formats; the raw value is the index in `styles.xml`.
enum WorkbookStyle: Int, CaseIterable {
    case plain, text, sentence, heading, title, instant, day, integer, quotedText
    case decimal0, decimal1, decimal2, decimal3, decimal4
    case verdict, numberHeading, verdictHeading, boolean

    static func decimal(_ digits: String) -> WorkbookStyle {
        let decimals = digits.split(separator: ".").dropFirst().first?.utf8.count ?? 0
        return WorkbookStyle(rawValue: WorkbookStyle.decimal0.rawValue + min(decimals, 4)) ?? .plain
    }

    private var format: Int {
        switch self {
        // Number format 49 (`@`): the cell stays text when it is edited.
        case .text, .sentence, .heading, .numberHeading, .verdictHeading, .title, .quotedText: 49
        case .integer, .decimal0: 3
        case .decimal2: 4
        case .instant: 164
        case .day: 165
        case .decimal1: 166
        case .decimal3: 167
        case .decimal4: 168
        case .boolean: 169
        case .plain, .verdict: 0
        }
    }

    private var xml: String {
        let isHeading = [.heading, .numberHeading, .verdictHeading].contains(self)
        let font = isHeading ? 1 : self == .title ? 2 : 0
        let fill = isHeading ? 2 : 0
        let wrap = self == .sentence || isHeading ? " wrapText=\"1\"" : ""
        let quote = self == .quotedText ? " quotePrefix=\"1\"" : ""
        return """
            <xf numFmtId="\(format)" fontId="\(font)" fillId="\(fill)" borderId="0" xfId="0"\
             applyNumberFormat="1" applyFont="1" applyFill="1" applyAlignment="1"\(quote)>\
            <alignment vertical="\(isHeading ? "bottom" : "top")"\(side)\(wrap)/></xf>
            """
    }

    /// Numbers and texts keep a distance from each other.
    private var side: String {
        switch self {
        case .verdict, .verdictHeading: " horizontal=\"center\""
        case .numberHeading, .integer, .decimal0, .decimal1, .decimal2, .decimal3, .decimal4:
            " horizontal=\"right\" indent=\"1\""
        case .text, .sentence, .heading, .title, .instant, .day, .quotedText, .boolean:
            " horizontal=\"left\" indent=\"1\""
        case .plain: ""
        }
    }

    /// LibreOffice shows a truth value as a number, unless the format says otherwise.
    private static let truth = "&quot;TRUE&quot;;&quot;TRUE&quot;;&quot;FALSE&quot;"

    static var stylesheet: String {
        let formats = allCases.map(\.xml).joined()
        return """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">\
            <numFmts count="6"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/>\
            <numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd"/>\
            <numFmt numFmtId="166" formatCode="#,##0.0"/>\
            <numFmt numFmtId="167" formatCode="#,##0.000"/>\
            <numFmt numFmtId="168" formatCode="#,##0.0000"/>\
            <numFmt numFmtId="169" formatCode="\(truth)"/></numFmts>\
            <fonts count="3"><font><sz val="11"/><name val="Calibri"/></font>\
            <font><b/><sz val="11"/><name val="Calibri"/></font>\
            <font><b/><sz val="16"/><name val="Calibri"/></font></fonts>\
            <fills count="3"><fill><patternFill patternType="none"/></fill>\
            <fill><patternFill patternType="gray125"/></fill>\
            <fill><patternFill patternType="solid"><fgColor rgb="FFE3EAF3"/></patternFill></fill>\
            </fills><borders count="1"><border/></borders>\
            <cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>\
            </cellStyleXfs><cellXfs count="\(allCases.count)">\(formats)</cellXfs>\
            <cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>\
            <dxfs count="1"><dxf><font><b/><color rgb="FFFFFFFF"/></font><fill><patternFill>\
            <bgColor rgb="FFC00000"/></patternFill></fill></dxf></dxfs></styleSheet>
            """
    }
}
