enum PageStyle {
    static let sheet = """
        :root { --ink: #1b1b1b; --paper: #fff; --soft: #595959; --line: #d5d5d5; --card: #f4f6f9;
        --blue: #2458a6; --orange: #b35300; --red: #a40000; --warn: #fff3cd; }
        @media (prefers-color-scheme: dark) { :root { --ink: #eaeaea; --paper: #16181b;
        --soft: #b4b4b4; --line: #3d4148; --card: #20242a; --blue: #84b1f4; --orange: #f0a35e;
        --red: #ff8f8f; --warn: #4a3d12; } }
        body { font: 15px/1.5 system-ui, sans-serif; margin: 0; color: var(--ink);
        background: var(--paper); }
        main { max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
        h1 { margin: 0 0 .5rem; } h2 { margin: 2rem 0 .5rem; font-size: 1.2rem; }
        a { color: var(--blue); } small, code { color: var(--soft); }
        code { font-size: .85em; }
        .notice { background: var(--warn); padding: .6rem 1rem; }
        .incomplete, .held, .critical { color: var(--red); }
        .high { color: var(--orange); }
        .cards { display: grid; gap: 1rem; margin: 1rem 0;
        grid-template-columns: repeat(auto-fit, minmax(16rem, 1fr)); }
        .card { background: var(--card); padding: .8rem 1rem; border-radius: .4rem; }
        .card h2 { margin: 0 0 .4rem; font-size: 1rem; } .card p { margin: .4rem 0; }
        .card strong { font-size: 1.5rem; } .card ul { margin: 0; padding-left: 1.2rem; }
        .scroll { overflow-x: auto; margin: 0 0 1.5rem; }
        table { border-collapse: collapse; width: 100%; }
        caption { text-align: left; font-weight: 600; padding: .3rem 0; }
        th, td { text-align: left; vertical-align: top; padding: .3rem .6rem;
        border-bottom: 1px solid var(--line); font-weight: normal; }
        thead th { font-weight: 600; }
        th.number, td.number { text-align: right; white-space: nowrap;
        font-variant-numeric: tabular-nums; }
        .n, code { white-space: nowrap; }
        .explained > * { border-bottom: 0; padding-bottom: 0; } .why td { padding-top: .1rem; }
        .why .n, td:last-child .n, p code { white-space: normal; overflow-wrap: anywhere; }
        svg { display: block; } svg.columns { width: 100%; height: auto; }
        svg.bar { width: 100%; min-width: 6rem; height: 1rem; }
        rect { fill: var(--blue); } rect.s1 { fill: var(--orange); }
        .axis { stroke: var(--line); } svg text { fill: var(--soft); font-size: 14px; }
        .key { display: inline-block; width: .8rem; height: .8rem; background: var(--blue); }
        .key.s1 { background: var(--orange); } .legend { margin: .2rem 0; }
        th[scope=row] { min-width: 7rem; }
        @media (max-width: 40rem) { th[scope=row] { overflow-wrap: anywhere; }
        svg.bar { min-width: 4rem; }
        th code, td code { display: none; }
        th, td { padding: .3rem .35rem; } svg text { font-size: 28px; } }
        @media print { :root { --ink: #000; --paper: #fff; --soft: #444; --line: #999;
        --card: #fff; --blue: #2458a6; --orange: #b35300; --red: #a40000; --warn: #fff; }
        main { max-width: none; margin: 0; } thead { display: table-header-group; }
        tr, .card, svg { break-inside: avoid; } .why { break-before: avoid; }
        h2 { break-after: avoid; }
        .scroll { overflow: visible; } .card, .notice { border: 1px solid #999; }
        rect, .key { print-color-adjust: exact; } }
        """
}
