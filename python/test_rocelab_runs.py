"""Tests of rocelab_runs. $ROCELAB is the program; they leave nothing behind."""

import os
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

import rocelab_runs
from rocelab_runs import plot

INCAST = {
    "topology": {"kind": "star", "hosts": 5},
    "algorithm": "dcqcn",
    "traffic": [{"kind": "incast", "size": "100KB"}],
}


class Runs(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(place.name)

    def test_a_dict_runs_and_all_of_it_can_be_read(self):
        result = rocelab_runs.run(INCAST, algorithm="pc4,dcqcn", seeds=2, set={"switch.buffer": "8MB"}, out="x")
        self.assertTrue(result.passed)
        self.assertEqual(result.exit_code, 0)
        self.assertEqual([(r.variant, r.seed) for r in result.runs],
                         [("pc4", 1), ("dcqcn", 1), ("pc4", 2), ("dcqcn", 2)])
        self.assertEqual(result.manifest["overrides"]["switch.buffer"], "8MB")
        for run in result.runs:
            self.assertEqual(run.metrics["completed"], 4)
            self.assertGreater(run.metrics["fct_p99_us"], 0)
        self.assertNotEqual(result.runs[0].trace, result.runs[1].trace)
        again = rocelab_runs.load("x").check()
        self.assertEqual([r.trace for r in again.runs], [r.trace for r in result.runs])

    def test_a_file_runs_as_a_dict_does(self):
        pathlib.Path("x.yaml").write_text(
            "topology: {kind: star, hosts: 5}\nalgorithm: dcqcn\ntraffic: [{kind: incast, size: 100KB}]\n")
        traces = [rocelab_runs.run(s, flags=["--no-report"]).runs[0].trace for s in ("x.yaml", INCAST)]
        self.assertEqual(traces[0], traces[1])
        self.assertTrue(pathlib.Path("rocelab-runs").is_dir())

    def test_completion_times_are_drawn_or_matplotlib_is_asked_for(self):
        result = rocelab_runs.run(INCAST, algorithm="pc4,dcqcn", seeds=2, out="x")
        points = plot.fct_points(result)
        self.assertEqual(list(points), ["pc4", "dcqcn"])
        for line in points.values():
            self.assertEqual([y for _, y in line], [i / 8 for i in range(1, 9)])
            self.assertEqual(line, sorted(line))
        with mock.patch.dict(sys.modules, {"matplotlib": None}), self.assertRaises(rocelab_runs.Error) as caught:
            plot.fct_cdf(result)
        self.assertIn("need matplotlib", str(caught.exception))
        try:
            import matplotlib
        except ImportError:
            return
        matplotlib.use("svg")
        axes = plot.fct_cdf(result, "fct.svg")
        self.assertEqual([t.get_text() for t in axes.get_legend().get_texts()], ["pc4", "dcqcn"])
        self.assertIn("<svg", pathlib.Path("fct.svg").read_text())

    def test_a_table_without_pandas_names_what_is_missing(self):
        with mock.patch.dict(sys.modules, {"pandas": None}):
            frame = rocelab_runs.run(INCAST, out="x").frame()
            self.assertEqual(frame[0]["algorithm"], "dcqcn")
            with self.assertRaises(AttributeError) as caught:
                frame.groupby("variant")
            self.assertIn("pandas is not installed", str(caught.exception))

    def test_a_verdict_is_a_result_and_a_fault_is_an_error(self):
        wanting = dict(INCAST, expect={"checks": ["fct_p99_us < 1"]})
        result = rocelab_runs.run(wanting, out="failed")
        self.assertEqual((result.exit_code, result.passed, result.runs[0].verdict), (1, False, "failed"))
        self.assertIn("fct_p99_us", " ".join(result.runs[0].findings))
        for scenario, options, code, says in (
                (dict(INCAST, mtv=1), {}, 2, 'unknown key'),
                (INCAST, {"algorithm": "pc5"}, 2, "pc5"),
                (INCAST, {"out": "failed"}, 2, "failed"),
                ("none.yaml", {}, 2, "none.yaml"),
                (INCAST, {"program": "./none"}, 4, "$ROCELAB")):
            with self.assertRaises(rocelab_runs.Error) as caught:
                rocelab_runs.run(scenario, **options)
            self.assertEqual(caught.exception.code, code)
            self.assertIn(says, str(caught.exception))

    def test_tables_with_and_without_pandas(self):
        result = rocelab_runs.run(INCAST, out="x")
        with mock.patch.object(rocelab_runs, "_pandas", lambda: None):
            flows = result.runs[0].table("flows")
            row = result.frame()[0]
        self.assertEqual(len(flows), 4)
        self.assertIsInstance(flows[0]["fct_us"], float)
        self.assertEqual((row["variant"], row["verdict"], row["completed"]), (result.runs[0].variant, "pass", 4))
        with self.assertRaisesRegex(rocelab_runs.Error, "no flow.csv: it has .*flows"):
            result.runs[0].table("flow")
        if rocelab_runs._pandas() is None:
            self.skipTest("no pandas")
        frame, table = result.frame(), result.runs[0].table("flows")
        self.assertEqual((len(frame), len(table)), (1, 4))
        self.assertEqual(list(table["fct_us"]), [flow["fct_us"] for flow in flows])
        self.assertEqual(frame["completed"][0], 4)

    def test_what_was_changed_or_is_no_folder_is_named(self):
        result = rocelab_runs.run(INCAST, out="x")
        flows = result.runs[0].folder / "flows.csv"
        flows.write_text(flows.read_text() + "\n")
        with self.assertRaisesRegex(rocelab_runs.Error, "flows.csv was changed"):
            result.check()
        flows.unlink()
        with self.assertRaisesRegex(rocelab_runs.Error, "flows.csv is missing"):
            result.check()
        with self.assertRaisesRegex(rocelab_runs.Error, "is no run folder"):
            rocelab_runs.load(".")


if __name__ == "__main__":
    unittest.main()
