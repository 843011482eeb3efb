"""Pictures of results, with matplotlib.

    import rocelab_runs.plot

    result = rocelab_runs.load("rocelab-runs/incast-001")
    rocelab_runs.plot.fct_cdf(result, "fct.pdf")

`rocelab plot` draws the same pictures without Python.
"""

from . import Error

__all__ = ["fct_cdf", "fct_points"]


def fct_points(result):
    """The points of fct_cdf: {variant: [(fct in us, part of the flows), ...]}.

    The flows of all seeds of a variant count as one set; flows that did not
    complete are left out.
    """
    times = {}
    for run in result.runs:
        table = run.table("flows")
        values = table["fct_us"] if hasattr(table, "columns") else [row["fct_us"] for row in table]
        times.setdefault(run.variant, []).extend(float(v) for v in values if v is not None and v == v)
    return {variant: [(value, (i + 1) / len(values)) for i, value in enumerate(sorted(values))]
            for variant, values in times.items()}


def fct_cdf(result, path=None, ax=None):
    """Draw the distribution of flow completion times, a line for each variant.

    path is a file to write, such as "fct.pdf" or "fct.svg"; ax an Axes of
    matplotlib to draw on (default: a new figure). The Axes is returned.
    """
    if ax is None:
        ax = _pyplot().subplots(figsize=(5, 3.2), layout="constrained")[1]
    for variant, points in fct_points(result).items():
        if points:
            ax.step([x for x, _ in points], [y for _, y in points], where="post", label=variant)
    ax.set_xlabel("flow completion time (us)")
    ax.set_ylabel("part of the flows")
    ax.set_ylim(0, 1)
    ax.legend(frameon=False)
    if path is not None:
        ax.figure.savefig(path)
    return ax


def _pyplot():
    try:
        from matplotlib import pyplot
    except ImportError:
        raise Error("pictures need matplotlib, which this Python does not have: pip install matplotlib "
                    "(on Debian apt install python3-matplotlib), or draw with rocelab plot", 4) from None
    return pyplot
