#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""check.py FOLDER: every link and every picture of a site leads to a file, and to an anchor there is; nothing is loaded from elsewhere."""
import sys
import urllib.parse
from html.parser import HTMLParser
from pathlib import Path


class Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors = {""}

    def handle_starttag(self, tag: str, attributes: list) -> None:
        values = dict(attributes)
        self.anchors |= {values[key] for key in ("id", "name") if values.get(key)}
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        for key in ("src", "href") if tag != "a" else ():
            if values.get(key) and values.get("rel") not in ("index", "search", "next", "prev", "canonical"):
                self.loaded.append(values[key])


def main() -> None:
    root = Path(sys.argv[1]).resolve()
    pages: dict[Path, Page] = {}
    for path in sorted(root.rglob("*.html")):
        pages[path] = Page()
        pages[path].feed(path.read_text(encoding="utf-8"))
    wrong, links = [], 0
    for path, page in pages.items():
        for link in page.links + page.loaded:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                if link in page.loaded and parts.scheme != "data":
                    wrong.append(f"{path.relative_to(root)}: loads {link}")
                continue
            links += 1
            file = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            if not file.is_file() or root not in file.parents:
                wrong.append(f"{path.relative_to(root)}: {link} leads nowhere")
            elif file in pages and link in page.links and urllib.parse.unquote(parts.fragment) not in pages[file].anchors:
                wrong.append(f"{path.relative_to(root)}: {link} has no such anchor")
    if wrong or len(pages) < 2:
        sys.exit("\n".join(wrong) or f"{root} has no pages")
    print(f"{len(pages)} pages, {links} links")


if __name__ == "__main__":
    main()
