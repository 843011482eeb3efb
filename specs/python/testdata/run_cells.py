"""Carries out the code cells of a notebook, without Jupyter, and looks for the
pictures that it is to draw: run_cells.py NOTEBOOK PICTURE..."""

import json
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
names = {"__name__": "__main__"}
for cell in json.load(open(sys.argv[1], encoding="utf-8"))["cells"]:
    if cell["cell_type"] == "code":
        exec("".join(cell["source"]), names)
for picture in sys.argv[2:]:
    # A line that was drawn has a path of many points.
    drawn = max(pathlib.Path(picture).read_text(encoding="utf-8").split("<path "), key=len)
    if drawn.count("L ") < 3:
        sys.exit(f"{picture} has no line")
