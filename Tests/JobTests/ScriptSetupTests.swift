import Testing

@testable import TestSupport

@Suite("The set-up that the scripts share")
struct ScriptSetupTests {
    @Test("Installing a package changes no variable of the script that asks for it")
    func keepsVariables() throws {
        let folder = try TemporaryFolder()
        for program in ["apt-get", "sudo"] {
            _ = try folder.write("#!/bin/sh\nexit 0\n", to: program, mode: 0o755)
        }
        let repository = #filePath.split(separator: "/", omittingEmptySubsequences: false)
            .dropLast(3).joined(separator: "/")
        let output = try Shell.output(
            of: """
                PATH=$PWD:$PATH; root=kept; apt=kept; script=scripts/test
                . "$REPOSITORY/scripts/lib/prepare"
                install jq
                echo "$root $apt"
                """, ["REPOSITORY": repository], in: folder.path)
        #expect(output == "kept kept\n")
    }
}
