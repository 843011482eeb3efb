"""Run rocelab scenarios from Python, and read what came of them.

    import rocelab_runs

    result = rocelab_runs.run("incast.yaml", algorithm="pc4,dcqcn", seeds=5)
    for run in result.runs:
        print(run.variant, run.seed, run.verdict, run.metrics["fct_p99_us"])
    result.frame().groupby("variant")["queue_max_bytes"].median()

The standard library is all that is needed; frame() and table() give a pandas
DataFrame if pandas is installed, and otherwise a list of dicts. The program
rocelab does the work: it is looked for in $ROCELAB, then in $PATH.
"""

import csv
import hashlib
import json
import os
import pathlib
import signal
import subprocess

__all__ = ["Error", "Result", "Run", "load", "run"]

FORMAT = 3  # of run folders

# Exit codes of a run that was carried out: a verdict is part of the result.
_CARRIED_OUT = (0, 1, 3)


class Error(Exception):
    """What rocelab says of a run that it did not carry out.

    code is its exit code: 2 wrong usage or an invalid scenario, 4 the host lacks
    something, 5 an algorithm failed, 6 a fault of rocelab, 130 interrupted.
    """

    def __init__(self, message, code):
        super().__init__(message)
        self.code = code


class Run:
    """One run: a variant with a seed.

    metrics has the numbers of summary.json by name, None where nothing was
    measured; verdict is a word such as "pass", findings are the sentences that
    it rests on.
    folder is where the run's own files are.
    """

    def __init__(self, folder, summary):
        self.folder = folder
        self.variant = summary["variant"]
        self.algorithm = summary["algorithm"]
        self.seed = summary["seed"]
        self.verdict = summary["verdict"]
        self.trace = summary["trace"]
        self.findings = [f["text"] for f in summary["findings"]]
        self.metrics = summary["metrics"]

    def table(self, name):
        """A CSV file of the run, such as "flows" or "series_queues".

        columns.md in the run folder says what each column is. Numbers are
        numbers, what is empty is None (NaN in a DataFrame).
        """
        path = self.folder / (name + ".csv")
        if not path.is_file():
            there = ", ".join(sorted(p.stem for p in self.folder.glob("*.csv")))
            raise Error(f"{self.folder} has no {name}.csv: it has {there}", 2)
        pandas = _pandas()
        if pandas:
            return pandas.read_csv(path)
        with open(path, newline="", encoding="utf-8") as file:
            return _Rows({key: _number(value) for key, value in row.items()}
                         for row in csv.DictReader(file))

    def __repr__(self):
        return f"<run {self.variant} seed {self.seed}: {self.verdict}>"


class Result:
    """What is in a run folder.

    runs are in the order in which they took place; passed says that every
    verdict is "pass", exit_code is that of rocelab run (None of a folder that
    was loaded).
    """

    def __init__(self, folder, exit_code=None):
        self.folder = pathlib.Path(folder)
        self.exit_code = exit_code
        self.manifest = _json(self.folder / "manifest.json")
        if self.manifest.get("format") != FORMAT:
            raise Error(f"{folder} has format {self.manifest.get('format')}: this reads {FORMAT}", 2)
        self.runs = []
        for run in self.manifest["runs"]:
            own = self.folder / run["folder"]
            self.runs.append(Run(own, _json(own / "summary.json")))

    @property
    def passed(self):
        return all(run.verdict == "pass" for run in self.runs)

    def check(self):
        """Hold all files to the digests in the manifest; Error names what changed."""
        wrong = []
        for file in self.manifest["files"]:
            path = self.folder / file["name"]
            if not path.is_file():
                wrong.append(f"{file['name']} is missing")
            elif hashlib.sha256(path.read_bytes()).hexdigest() != file["sha256"]:
                wrong.append(f"{file['name']} was changed")
        if wrong:
            raise Error(f"{self.folder}: " + ", ".join(wrong), 2)
        return self

    def frame(self):
        """A row for each run: variant, algorithm, seed, verdict, trace and all metrics."""
        rows = [{"variant": run.variant, "algorithm": run.algorithm, "seed": run.seed,
                 "verdict": run.verdict, "trace": run.trace, **run.metrics}
                for run in self.runs]
        pandas = _pandas()
        return pandas.DataFrame(rows) if pandas else _Rows(rows)

    def __repr__(self):
        return f"<{self.folder}: {len(self.runs)} runs, {'passed' if self.passed else 'not passed'}>"


def load(folder):
    """Read a run folder that is there."""
    return Result(folder)


def run(scenario, *, algorithm=None, seeds=None, variants=(), set=None, out=None, on=None,
        flags=(), program=None):
    """Run a scenario and return its Result, whatever the verdict.

    scenario is the path of a file, or a dict of what a file would have.
    algorithm is as --algorithm has it, "pc4,dcqcn:set=paper"; seeds a number N
    for 1 to N, or text such as "1,4-6"; set a dict of keys to change, such as
    {"switch.buffer": "16MB"}; variants names of those to run; out the run
    folder (default: the next in rocelab-runs); on "mem" (default), "veth" or
    "live"; flags a list of other flags of rocelab run. Error says what is wrong
    with them, or what failed.
    """
    command = [program or os.environ.get("ROCELAB") or "rocelab", "run"]
    given = None
    if isinstance(scenario, dict):
        given = json.dumps(scenario)  # YAML is a superset
        command.append("-")
    else:
        command.append(os.fspath(scenario))
    command += ["--format", "json", "--progress", "none"]
    for flag, value in (("--algorithm", algorithm), ("--seeds", seeds), ("--out", out), ("--on", on)):
        if value is not None:
            command += [flag, str(value)]
    for name in variants:
        command += ["--variant", name]
    for path, value in (set or {}).items():
        command += ["--set", f"{path}={_scalar(value)}"]
    command += list(flags)
    try:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, encoding="utf-8")
    except OSError as error:
        raise Error(f"{command[0]} cannot be started ({error.strerror}): put it into $PATH, or its path into $ROCELAB",
                    4) from error
    try:
        printed, said = process.communicate(given)
    except KeyboardInterrupt:
        process.send_signal(signal.SIGINT)  # it closes its run folder; a terminal has told it, too
        process.communicate()
        raise
    if process.returncode not in _CARRIED_OUT:
        raise Error(said.strip() or f"rocelab ended with {process.returncode}", process.returncode)
    return Result(json.loads(printed)["folder"], process.returncode)


class _Rows(list):
    """A table without pandas: a list of dicts."""

    def __getattr__(self, name):
        raise AttributeError(f"{name} is for DataFrames, and pandas is not installed: this table is a list of dicts")


def _scalar(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (dict, list)):
        return json.dumps(value)
    return str(value)


def _number(text):
    if text == "":
        return None
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def _json(path):
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise Error(f"{path} is missing: {path.parent} is no run folder, or its run was killed", 2) from None


def _pandas():
    try:
        import pandas
    except ImportError:
        return None
    return pandas
