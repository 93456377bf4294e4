"""make_notebook.py [SCRIPT NOTEBOOK]: an example as a Jupyter notebook, a cell for every '# %%'; all of them without arguments."""

from __future__ import annotations

import json
import pathlib
import re
import sys


def cell(kind: str, text: str) -> dict[str, object]:
    common: dict[str, object] = {"cell_type": kind, "metadata": {}, "source": text.strip().splitlines(keepends=True)}
    return {**common, "execution_count": None, "outputs": []} if kind == "code" else common


def notebook_of(script: str) -> dict[str, object]:
    """The notebook as JSON has it."""
    title, code = re.match(r'"""(.*?)"""\n(.*)', script, re.S).groups()  # type: ignore[union-attr]
    cells = [cell("markdown", "# " + title)]
    first, *rest = re.split(r"^# %% ?", code, flags=re.M)
    cells.append(cell("code", first))
    for part in rest:
        heading, body = part.split("\n", 1)
        cells += [cell("markdown", "## " + heading), cell("code", body)]
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    for k, c in enumerate(cells):
        c["id"] = f"cell-{k}"
    return {"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}


def main(script: pathlib.Path, notebook: pathlib.Path) -> None:
    content = notebook_of(script.read_text(encoding="utf-8"))
    notebook.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) == 3:
        main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
    else:
        python = pathlib.Path(__file__).resolve().parents[1]
        for example in sorted((python / "examples").glob("*.py")):
            main(example, python / "notebooks" / f"{example.stem}.ipynb")
