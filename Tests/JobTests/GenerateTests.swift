import Foundation
import Testing

@testable import TestSupport
@testable import reconcile_job

@Suite("What packages take from the program")
struct GenerateTests {
    @Test("is a manual page with every command, flag and status")
    func manual() throws {
        let page = try JobProcess(["generate", "man"]).output
        for flag in Flag.all {
            let name = flag.name.replacing("-", with: #"\-"#)
            #expect(page.contains(#".B \-\-"# + name), "\(flag.name)")
        }
        for command in CommandName.allCases {
            #expect(page.contains(".SS \"\(command.rawValue)"), "\(command)")
        }
        for code in ExitCode.allCases { #expect(page.contains(".B \(code.rawValue)\n")) }
        // A line that roff would take for a command of its own would be lost.
        let requests = page.split(separator: "\n").filter { $0.hasPrefix(".") || $0.hasPrefix("'") }
        #expect(requests.allSatisfy { $0.contains(#/^\.(TH|SH|SS|TP|PP|B|I|RI)\b/#) })
    }

    @Test(
        "completes commands, flags and values in bash",
        arguments: [
            (["re"], "release retract"), (["run", "--shared"], "--shared-secrets"),
            (["run", "--evidence", ""], "none findings all"),
            (["migrate", "--roles", "a"], "apply"), (["accept", "--und"], "--undo"),
            (["check", "--max"], "--max-age"), (["run", "--rate", ""], ""),
        ] as [([String], String)])
    func bash(words: [String], completed: String) async throws {
        let script = try JobProcess(["generate", "bash"]).output
        let list = (["reconcile-job"] + words).map { "'\($0)'" }.joined(separator: " ")
        let program = """
            \(script)
            COMP_WORDS=(\(list)); COMP_CWORD=\(words.count); _reconcile_job; echo "${COMPREPLY[@]}"
            """
        let shell = try ChildProcess("/bin/bash", ["-c", program], environment: [:])
        let output = String(decoding: shell.output.readDataToEndOfFile(), as: UTF8.self)
        #expect(shell.wait() == 0)
        #expect(output == completed + "\n")
    }

    @Test("names every flag for zsh and fish too", arguments: ["zsh", "fish"])
    func others(shell: String) throws {
        let script = try JobProcess(["generate", shell]).output
        for flag in Flag.all {
            let name = shell == "zsh" ? "--\(flag.name)" : " -l \(flag.name)"
            #expect(script.contains(name), "\(flag.name)")
        }
        #expect(try JobProcess(["generate", "csh"]).status == 64)
    }
}
