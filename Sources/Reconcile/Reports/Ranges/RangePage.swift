/// The frame of a page about days: one file that loads nothing.
enum RangePage {
    /// The name of an app or a product, which may be broken anywhere where it has no room.
    static func named(_ name: String?) -> HTML {
        let text = HTML.breakable(HTML.excerpt(name ?? "not known")).text
        return HTML(markup: "<span class=\"name\">\(text)</span>")
    }

    static func bytes(_ title: String, _ parts: [HTML]) -> [UInt8] {
        let page = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src \
            'unsafe-inline'">
            <title>\(HTML.escaped(title))</title>
            <style>
            \(PageStyle.sheet)
            .name { overflow-wrap: anywhere; }
            </style>
            </head>
            <body>
            <main>
            <h1>\(HTML.escaped(title))</h1>
            \(parts.map(\.text).filter { !$0.isEmpty }.joined(separator: "\n"))
            </main>
            </body>
            </html>

            """
        return Array(page.utf8)
    }
}
