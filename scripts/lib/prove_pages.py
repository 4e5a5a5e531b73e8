"""Opens index.html of report folders in Chromium, wide, narrow and for print, and runs axe.

  prove_pages.py [--pictures PLACE] FOLDER...

Ends with 1 if something overflows, is cut, overlaps in a chart, or is not accessible. With
--pictures it leaves NAME-1440.png, NAME-390.png and NAME.pdf for each folder.
"""

import pathlib
import sys

import axe_playwright_python
from playwright.sync_api import sync_playwright

WIDTHS = [1440, 390]
# Millimetres of A4 at 96 pixels an inch, less the margins of the page's own style.
PRINTED = round((210 - 28) / 25.4 * 96)
FAULTS = """() => {
    const faults = [];
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth > width) faults.push('the page scrolls sideways');
    const boxes = '.scroll, .card, .notice, p, h1, h2, li, td, th';
    for (const box of document.querySelectorAll(boxes))
        if (box.scrollWidth > box.clientWidth + 1 && box.clientWidth > 0)
            faults.push(`overflows: ${box.tagName} ${box.textContent.trim().slice(0, 60)}`);
    for (const chart of document.querySelectorAll('svg.columns, svg.scale')) {
        const edge = chart.getBoundingClientRect();
        const texts = [...chart.querySelectorAll('text')]
            .filter(text => getComputedStyle(text).display !== 'none')
            .map(text => [text.textContent, text.getBoundingClientRect()]);
        texts.forEach(([name, place], number) => {
            if (place.left < edge.left - 1 || place.right > edge.right + 1
                || place.top < edge.top - 1 || place.bottom > edge.bottom + 1)
                faults.push(`cut in a chart: ${name}`);
            for (const [other, next] of texts.slice(number + 1))
                if (place.left < next.right - 1 && next.left < place.right - 1
                    && place.top < next.bottom - 2 && next.top < place.bottom - 2)
                    faults.push(`overlap in a chart: ${name} and ${other}`);
        });
    }
    return faults;
}"""


def axe():
    folder = pathlib.Path(axe_playwright_python.__file__).parent
    return next(folder.rglob("axe.min.js")).read_text()


def accessible(page):
    """axe's violations of the page."""
    page.evaluate(axe())
    found = page.evaluate("axe.run()")["violations"]
    return [f"axe: {rule['id']}: {rule['nodes'][0]['html'][:100]}" for rule in found]


def faults(browser, folder, pictures):
    address = (folder / "index.html").as_uri()
    found = []
    for width in WIDTHS:
        page = browser.new_page(viewport={"width": width, "height": 900})
        page.goto(address)
        found += [f"{width} px: {fault}" for fault in page.evaluate(FAULTS)]
        if pictures:
            page.screenshot(path=pictures / f"{folder.name}-{width}.png", full_page=True)
        found += [f"{width} px: {fault}" for fault in accessible(page)]
        page.close()
    page = browser.new_page(viewport={"width": WIDTHS[0], "height": 900}, color_scheme="dark")
    page.goto(address)
    found += [f"dark: {fault}" for fault in accessible(page)]
    page.close()
    page = browser.new_page(viewport={"width": PRINTED, "height": 900})
    page.goto(address)
    page.emulate_media(media="print")
    found += [f"print: {fault}" for fault in page.evaluate(FAULTS)]
    if pictures:
        page.pdf(path=pictures / f"{folder.name}.pdf", format="A4")
    page.close()
    return found


def prove(folders, pictures=None):
    """What is wrong with the pages of the folders."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        return [f"{folder.name}: {fault}" for folder in folders
                for fault in faults(browser, folder, pictures)]


if __name__ == "__main__":
    words = sys.argv[1:]
    place = None
    if words[:1] == ["--pictures"]:
        place = pathlib.Path(words[1])
        words = words[2:]
    wrong = prove([pathlib.Path(word).resolve() for word in words], place)
    for fault in wrong:
        print(fault)
    print(f"{len(words)} pages, {len(wrong)} faults.")
    sys.exit(1 if wrong else 0)
