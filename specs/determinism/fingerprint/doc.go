// Package fingerprint stores what a change of the models would alter: the traces
// of every shipped scenario, as it is written and under every shipped algorithm,
// for three seeds, in testdata/traces.txt. A line has the traces of seeds 1, 2
// and 3, and what `rocelab run specs/scenarios/` takes to make them (--seed):
//
//	1f683fbe6ea61e0a 4d1242cf5e2314f7 c99fe9475284663b  incast.yaml --set traffic.size=1MB --variant pc4
//
// Scenarios that take long have lines of a reduced size, which .ci/run checks, and lines in full, which ROCELAB_NIGHT=1
// adds. If a trace changed, the first frame that differs is printed: of this tree's program against the program of the
// last commit which gives the stored trace (ROCELAB_BASE names another). A change that alters a trace raises
// model.Version, has its rule in the table beside it, gives its reason in its commit, and is accepted by
//
//	ROCELAB_NIGHT=1 go test -timeout 60m ./specs/determinism/fingerprint -rewrite
//
// Some of the lines are checked with a program for arm64, too, if qemu can run one.
package fingerprint
