#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""prepare.py PROGRAM XML TARGET: the sources of the documentation site, from the documents of the tree and from what the program
prints, what Doxygen read (the folder XML) and what the Python module, which must be importable, says of itself.

A page for each document and for each preset, with a picture that the program draws; links are those of the tree, turned to the pages.
"""
import functools
import html
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[2]
SECTIONS = {
    "Using twosphere": ["packages", "user-guide", "command-line", "python", "studies", "maps", "modes", "clusters", "scenario-format", "custom",
                        "other-programs"],
    "Reference": ["python-api", "catalogue", "numerics", "reproduction", "benchmarks", "glossary", "changelog"],
    "Developing": ["library", "api", "architecture", "extend-a-system", "extend-an-integrator", "extend-the-program", "testing",
                   "contributing"],
}
# Documents that do not lie in docs/, and where their pages lie.
OTHERS = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}


def page_of(path: Path) -> Path | None:
    """The page made of a file of the tree, relative to the site; None if there is none."""
    name = path.as_posix()
    if name in OTHERS:
        return Path(OTHERS[name])
    if path.suffix == ".md" and path.parent == Path("docs"):
        return Path(path.name)
    if path.suffix == ".md" and path.parts[:2] == ("resources", "help"):
        return Path("presets", *path.parts[2:])
    if path.parts[:2] == ("resources", "pictures"):
        return Path("pictures", *path.parts[2:])
    return None


def with_links(text: str, source: Path, page: Path, target: Path) -> str:
    """The text of a document with its links turned to pages; other files of the tree are copied and linked as files."""

    def turned(link: str) -> str:
        if re.match(r"[a-z]+:", link) or link.startswith("#"):
            return link
        name, _, anchor = link.partition("#")
        file = Path(os.path.normpath(source.parent / name))
        if not (ROOT / file).is_file():
            sys.exit(f"{source}: {link} leads to no file")
        place = page_of(file)
        if place is None or file.suffix != ".md":
            place = place or Path("files") / file.name
            (target / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / file, target / place)
        return os.path.relpath(place, page.parent) + ("#" + anchor if anchor else "")

    def outside_code(part: str) -> str:
        part = re.sub(r"\]\(([^)\s]+)\)", lambda m: f"]({turned(m[1])})", part)
        # Pictures in tables: Markdown's own, since Sphinx does not follow HTML.
        return re.sub(r'<img src="([^"]+)"[^>]*?alt="([^"]*)"[^>]*>',
                      lambda m: f"![{html.unescape(m[2])}]({turned(m[1])})", part)

    # Code is left alone: fences first, then spans.
    parts = re.split(r"(^```.*?^```$|`[^`\n]+`)", text, flags=re.M | re.S)
    return "".join(part if i % 2 else outside_code(part) for i, part in enumerate(parts))


def write(target: Path, page: Path, text: str) -> None:
    (target / page).parent.mkdir(parents=True, exist_ok=True)
    (target / page).write_text(text, encoding="utf-8")


class Program:
    def __init__(self, path: str):
        self.path = path

    def __call__(self, *words: str) -> str:
        done = subprocess.run([self.path, *words], capture_output=True, text=True, encoding="utf-8")
        if done.returncode:
            sys.exit(f"twosphere {' '.join(words)}: {done.stderr}")
        return done.stdout

    @functools.cache
    def scenario(self, key: str) -> dict:
        return json.loads(self("show", key))

    def presets(self, *option: str) -> list[tuple[str, str]]:
        return [tuple(line.split("\t")) for line in self("list", *option).splitlines()]


def picture_times() -> dict[str, str]:
    lines = (ROOT / "resources/pictures/presets/times").read_text().splitlines()
    return dict(line.split()[:2] for line in lines if line and not line.startswith("#"))


def image(file: Path, kind: str, words: str, page: Path, target: Path) -> str:
    return f"```{{image}} {os.path.relpath(file, (target / page).parent)}\n:alt: {words}\n:class: {kind}\n```\n\n"


def picture(program: Program, key: str, page: Path, target: Path) -> str:
    """A picture of a preset, drawn now: the command beside it repeats it."""
    times = picture_times()
    scenario = program.scenario(key)
    time = times.get(key.removeprefix("custom/"), times["*"])
    time = str(min(float(time), scenario["duration"]))
    file = target / "presets" / (key.replace("/", "-") + ".png")
    file.parent.mkdir(parents=True, exist_ok=True)
    command = ["render", "--preset", key, "--time", time, "--light", "--size", "800x500"]
    program(*command, "--quiet", "--png", str(file))
    return (image(file, "picture", f"{scenario['title']} at {time} s", page, target) +
            f"    twosphere {' '.join(command)} --png picture.png\n\n")


def work_and_precision(program: Program, key: str, page: Path, target: Path) -> str:
    """The errors of integrators against their cost, over 200 steps of the preset, computed now; of hundreds of bodies over 20
    steps, and of five integrators."""
    scenario = program.scenario(key)
    crowd = scenario["initial"].get("generator", {}).get("type") == "icosphere"
    lane = scenario.get("integrator") or scenario["lanes"][0]
    duration = f"{min((20 if crowd else 200) * lane['step'], scenario['duration']):.12g}"
    file = target / "presets" / (key.replace("/", "-") + "-order.svg")
    command = ["study", "order", "--preset", key, "--duration", duration]
    if crowd:
        command += ["--integrators", "variational,variational4,rotation4,rk4,rk45"]
    program(*command, "--figure", str(file))
    compared = "five integrators" if crowd else "every integrator that supports the system"
    return ("## Work and precision\n\n" + image(file, "figure", f"work-precision diagram of {scenario['title']}", page, target) +
            f"The errors at {duration} s of {compared}, against the number of "
            f"evaluations of the forces and against the step. The command prints the table with the measured orders:\n\n"
            f"    twosphere {' '.join(command)} --figure order.svg\n\n")


def with_maps(program: Program, text: str, target: Path) -> str:
    """docs/maps.md with the figure that each block of commands draws, by running them."""
    folder = target / "maps"
    folder.mkdir(parents=True)
    paths = os.pathsep.join([os.path.dirname(os.path.abspath(program.path)), os.environ["PATH"]])

    def drawn(block: re.Match) -> str:
        if subprocess.run(["sh", "-ec", block[1]], cwd=folder, env=os.environ | {"PATH": paths}, stdout=subprocess.DEVNULL).returncode:
            sys.exit(f"docs/maps.md: {block[1]}")
        name = re.search(r"sweep figure (\S+) (\S+)", block[1])
        shutil.rmtree(folder / name[1])
        return image(folder / name[2], "picture", "the map", Path("maps.md"), target) + block[0]

    return re.sub(r"```sh\n(.*?)```", drawn, text, flags=re.DOTALL)


def commands(key: str) -> str:
    return f"    twosphere --preset {key}\n    twosphere run --preset {key} --csv energy.csv\n    twosphere show {key}\n"


def preset_page(program: Program, key: str, target: Path) -> None:
    """The help page of the window, with a picture and commands."""
    source, page = Path("resources/help", key + ".md"), Path("presets", key + ".md")
    text = re.sub(r"^  \[[^]]+\]\(do:.*\)\n", "", (ROOT / source).read_text(encoding="utf-8"), flags=re.MULTILINE)  # buttons of the window
    title, _, rest = with_links(text, source, page, target).partition("\n")
    write(target, page, f"{title}\n\n{picture(program, key, page, target)}{rest.rstrip()}\n\n"
          f"{work_and_precision(program, key, page, target)}## Commands\n\n{commands(key)}")


def directive(kind: str, name: str, *options: str) -> str:
    return f"```{{doxygen{kind}}} {name}\n" + "".join(f":{option}:\n" for option in options) + "```\n\n"


def api_page(xml: Path) -> str:
    """The headers that docs/library.md names as the interface, from what Doxygen read in them: types first."""
    text = (ROOT / "docs/library.md").read_text(encoding="utf-8").partition("## The interface")[2].partition("## Rules")[0]
    page = "# Reference of the core\n\nThe interface for C++ programs; [Use the core as a library](library.md) shows how to build one.\n"
    files = {file.find("location").get("file"): file for path in xml.glob("*_8h.xml")
             for file in ElementTree.parse(path).getroot().findall("compounddef")}
    members = list(ElementTree.parse(xml / "namespacetwosphere.xml").getroot().iter("memberdef"))
    for header in re.findall(r"`(core/[a-z_/]+\.h)`", text):
        page += f"\n## {header}\n\n"
        classes: list[str] = []
        for inner in files[header].findall("innerclass"):
            if any(inner.text.startswith(outer + "::") for outer in classes):
                continue  # with its class
            classes.append(inner.text)
            page += directive("class" if inner.get("refid").startswith("class") else "struct", inner.text, "members", "undoc-members")
        for member in members:
            if member.find("location").get("declfile", member.find("location").get("file")) != header:
                continue
            kind, name = member.get("kind"), member.findtext("qualifiedname")
            if kind == "function":
                arguments = [re.sub(r"\s*=.*", "", "".join(p.find("type").itertext())) for p in member.findall("param")]
                page += directive(kind, f"{name}({', '.join(arguments)})")
            elif kind in ("enum", "typedef", "variable"):
                page += directive(kind, name)
    return page


def python_page() -> str:
    """The public names of the module, by the files that define them."""
    import twosphere

    page = ("# Reference of the Python module\n\nEvery public name of `twosphere`; [Python](python.md) shows how they are used. Quantities are in SI "
            "units.\n")
    left = set(twosphere.__all__) - {"__version__"}
    home = {member: getattr(getattr(twosphere, member), "__module__", "twosphere._core") for member in left}
    for name in ("_scenario", "_simulation", "_records", "_image", "_studies", "_own", "_catalog", "_errors", "_core"):
        module = getattr(twosphere, name)
        members = [member for member in vars(module) if home.get(member) == module.__name__]
        title = "Of the module itself" if name == "_core" else module.__doc__.partition("\n")[0].rstrip(".")
        page += f"\n## {title}\n\n```{{eval-rst}}\n"
        for member in members:
            value = getattr(module, member)
            if isinstance(value, type):
                inherited = "" if issubclass(value, Exception) else "   :inherited-members: pybind11_object\n"
                page += f".. autoclass:: twosphere.{member}\n   :members:\n{inherited}\n"
            elif callable(value):
                page += f".. autofunction:: twosphere.{member}\n\n"
            else:
                page += f".. autodata:: twosphere.{member}\n   :no-value:\n\n"
            left.remove(member)
        page += "```\n"
    if left:
        sys.exit(f"docs/site/prepare.py: {sorted(left)} of the Python module have no place on its page")
    return page


def toctree(caption: str, pages: list[str]) -> str:
    return f"```{{toctree}}\n:hidden:\n:caption: {caption}\n:maxdepth: 1\n\n" + "\n".join(pages) + "\n```\n\n"


def main() -> None:
    program, xml, target = Program(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3])
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    documents = [Path(name) for name in OTHERS] + sorted(path.relative_to(ROOT) for path in (ROOT / "docs").glob("*.md"))
    listed = {page for pages in SECTIONS.values() for page in pages}
    for source in documents:
        page = page_of(source)
        if page.stem not in listed | {"index"}:
            sys.exit(f"docs/site/prepare.py: {source} is in no section of the site")
        text = with_links((ROOT / source).read_text(encoding="utf-8"), source, page, target)
        if page.stem == "maps":
            text = with_maps(program, text, target)
        write(target, page, text)
    write(target, Path("api.md"), api_page(xml))
    write(target, Path("python-api.md"), python_page())

    keys, custom = program.presets(), program.presets("--custom")
    for key, _ in keys + custom:
        preset_page(program, key, target)
    index = "# Presets\n\nOne page for each preset: its equations, its values and exercises.\n\n"
    for title, group in (("Examples of the papers and more", keys), ("Systems as text", custom)):
        index += f"## {title}\n\n" + "".join(f"- [{name}](presets/{key}.md)\n" for key, name in group) + "\n"
    write(target, Path("presets.md"), index + toctree("Presets", [f"presets/{key}" for key, _ in keys + custom]))

    with (target / "index.md").open("a", encoding="utf-8") as file:
        file.write("\n")
        for caption, pages in SECTIONS.items():
            file.write(toctree(caption, pages + (["presets"] if caption == "Using twosphere" else [])))
    shutil.copyfile(ROOT / "docs/site/conf.py", target / "conf.py")
    static = target / "static"
    static.mkdir()
    shutil.copyfile(ROOT / "resources/desktop/twosphere.svg", static / "twosphere.svg")
    shutil.copyfile(ROOT / "docs/site/site.css", static / "site.css")
    # Pictures at addresses that do not change, for AppStream.
    extra = target / "extra/pictures"
    extra.mkdir(parents=True)
    for name in ("window", "pendulum_network"):
        shutil.copyfile(ROOT / f"resources/pictures/{name}.png", extra / f"{name}.png")


if __name__ == "__main__":
    main()
