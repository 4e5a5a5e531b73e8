enum PageStyle {
    static let sheet = [colours, text, tables, charts, narrow, print].joined(separator: "\n")

    private static let colours = """
        :root { --ink: #1b1b1b; --paper: #fff; --soft: #595959; --line: #d5d5d5; --card: #f4f6f9;
        --blue: #2458a6; --orange: #b35300; --red: #a40000; --warn: #fff3cd;
        --age0: #9dbbe6; --age1: #5b8bcf; --age2: #2458a6; --age3: #12305e; --age4: #8a8a8a; }
        @media (prefers-color-scheme: dark) { :root { --ink: #eaeaea; --paper: #16181b;
        --soft: #b4b4b4; --line: #3d4148; --card: #20242a; --blue: #84b1f4; --orange: #f0a35e;
        --red: #ff8f8f; --warn: #4a3d12;
        --age0: #39557f; --age1: #5b8bcf; --age2: #9dc1f7; --age3: #dbe8fc; --age4: #8a8a8a; } }
        """

    private static let text = """
        body { font: 15px/1.5 system-ui, sans-serif; margin: 0; color: var(--ink);
        background: var(--paper); overflow-wrap: break-word; }
        main { max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
        h1 { margin: 0 0 .5rem; line-height: 1.25; }
        h2 { margin: 2rem 0 .5rem; font-size: 1.2rem; }
        a { color: var(--blue); } small, code { color: var(--soft); }
        code { font-size: .85em; }
        .notice { background: var(--warn); padding: .6rem 1rem; }
        .notice code { color: inherit; white-space: nowrap; }
        .incomplete, .held, .critical { color: var(--red); }
        .high { color: var(--orange); }
        .cards { display: grid; gap: 1rem; margin: 1rem 0;
        grid-template-columns: repeat(auto-fit, minmax(min(16rem, 100%), 1fr)); }
        .card { background: var(--card); padding: .8rem 1rem; border-radius: .4rem; }
        .card h2 { margin: 0 0 .4rem; font-size: 1rem; } .card p { margin: .4rem 0; }
        .card strong { font-size: 1.5rem; } .card ul { margin: 0; padding-left: 1.2rem; }
        p, li, .why .n, td:last-child .n, p .n, p code { overflow-wrap: anywhere; }
        """

    private static let tables = """
        .scroll { overflow-x: auto; margin: 0 0 1.5rem; }
        table { border-collapse: collapse; width: 100%; }
        caption { text-align: left; font-weight: 600; padding: .3rem 0; }
        th, td { text-align: left; vertical-align: top; padding: .3rem .6rem;
        border-bottom: 1px solid var(--line); font-weight: normal; }
        thead th { font-weight: 600; vertical-align: bottom; }
        th.number, td.number { text-align: right; white-space: nowrap;
        font-variant-numeric: tabular-nums; }
        th.number { width: 8%; } time { white-space: nowrap; }
        td .n, th .n, th code, td code { white-space: nowrap; }
        .why .n, td:last-child .n { white-space: normal; }
        .explained > * { border-bottom: 0; padding-bottom: 0; } .why td { padding-top: .1rem; }
        .drawing { width: 16%; } th[scope=row] { min-width: 7rem; }
        """

    private static let charts = """
        .chart { display: flex; gap: .4rem; margin: .6rem 0 .2rem; }
        .scale { flex: 0 0 3.6rem; width: 3.6rem; } .columns { flex: 1 1 0; min-width: 0; }
        svg { display: block; } svg.bar { width: 100%; min-width: 6rem; height: 1rem; }
        rect, .key { fill: var(--blue); background: var(--blue); }
        rect.s1, .key.s1 { fill: var(--orange); background: var(--orange); }
        rect.a0, .key.a0 { fill: var(--age0); background: var(--age0); }
        rect.a1, .key.a1 { fill: var(--age1); background: var(--age1); }
        rect.a2, .key.a2 { fill: var(--age2); background: var(--age2); }
        rect.a3, .key.a3 { fill: var(--age3); background: var(--age3); }
        rect.a4, .key.a4 { fill: var(--age4); background: var(--age4); }
        .axis { stroke: var(--soft); } .grid { stroke: var(--line); }
        svg text { fill: var(--soft); font-size: 12px; font-variant-numeric: tabular-nums; }
        svg text.value { fill: var(--ink); font-size: 11px; paint-order: stroke;
        stroke: var(--paper); stroke-width: 3px; }
        .key { display: inline-block; width: .8rem; height: .8rem; }
        .legend { margin: .2rem 0; } .part { display: inline-block; margin-right: .8rem; }
        .chart-title { font-weight: 600; margin: .8rem 0 0; }
        """

    /// A wide table becomes a list for each row, with the names of its columns.
    private static let narrow = """
        @media screen and (max-width: 40rem) { main { margin: 1rem auto; }
        h1 { font-size: 1.6rem; } th[scope=row] { overflow-wrap: anywhere; }
        svg.bar { min-width: 4rem; } th, td { padding: .3rem .35rem; } .quarter { display: none; }
        table:not(.stack) :is(th, td) code { display: none; }
        td .n, th .n, th code, td code { white-space: normal; overflow-wrap: anywhere; }
        td.number .n { white-space: nowrap; }
        .stack, .stack caption, .stack tbody { display: block; } .stack thead { display: none; }
        .stack tr { display: grid; column-gap: 1.2rem;
        grid-template-columns: repeat(2, minmax(0, 1fr));
        border-bottom: 1px solid var(--line); padding: .3rem 0; }
        .stack th, .stack td { border: 0; padding: .1rem 0; }
        .stack th[scope=row], .stack .drawing, .stack .why td { grid-column: 1 / -1; }
        .stack .drawing { width: auto; } .stack th[scope=row] { font-weight: 600; }
        .stack td[data-label] { display: flex; flex-wrap: wrap; gap: 0 .6rem;
        justify-content: space-between; }
        .stack td[data-label]::before { content: attr(data-label); color: var(--soft);
        white-space: normal; text-align: left; }
        .stack td.drawing::before { content: none; }
        .stack td.dash, .stack td:empty { display: none; } }
        """

    private static let print = """
        @page { margin: 14mm; }
        @media print { :root { --ink: #000; --paper: #fff; --soft: #444; --line: #999;
        --card: #fff; --blue: #2458a6; --orange: #b35300; --red: #a40000; --warn: #fff;
        --age0: #9dbbe6; --age1: #5b8bcf; --age2: #2458a6; --age3: #12305e; --age4: #8a8a8a; }
        body { font-size: 11px; } svg text { font-size: 10px; } svg text.value { font-size: 9px; }
        main { max-width: none; margin: 0; padding: 0; } thead { display: table-header-group; }
        tr, .card, .chart, .notice { break-inside: avoid; }
        h2, caption, .explained, .chart-title { break-after: avoid; } .why { break-before: avoid; }
        .cards { grid-template-columns: repeat(3, 1fr); gap: .6rem; }
        .card strong { font-size: 1.3rem; } th, td { padding: .2rem .35rem; }
        td .n, th .n, th code, td code { white-space: normal; overflow-wrap: anywhere; }
        td.number .n { white-space: nowrap; }
        details:not([open]) { display: none; }
        .scroll { overflow: visible; } .card, .notice { border: 1px solid #999; }
        svg.bar { min-width: 3rem; }
        rect, .key { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
        """
}
