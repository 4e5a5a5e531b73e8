import Foundation

/// A file of a published folder as text; of a workbook the text of all its parts.
func publishedText(_ path: String) throws -> String {
    guard path.hasSuffix(".xlsx") else { return try String(contentsOfFile: path, encoding: .utf8) }
    let perl = try ChildProcess(
        "/usr/bin/perl",
        [
            "-MIO::Uncompress::Unzip=unzip,$UnzipError", "-e",
            "unzip $ARGV[0] => '-', MultiStream => 1 or die $UnzipError", path,
        ])
    let bytes = try perl.output.readToEnd() ?? Data()
    let status = perl.wait()
    let text = String(decoding: bytes, as: UTF8.self)
    // The parts follow each other; styles.xml is the last one.
    guard status == 0, text.contains("<worksheet"), text.hasSuffix("</styleSheet>") else {
        throw CocoaError(.fileReadCorruptFile)
    }
    return text
}
