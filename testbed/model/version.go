package model

// Version is the version of the models: all that decides the trace of a run, from the
// emulator's rules to the shipped algorithms. Two programs of one version give one
// scenario and seed one trace, whatever else differs between them. Each change that
// alters a trace counts it up; testdata/traces.txt has the traces that guard it, and
// specs/determinism/fingerprint those of all that ships.
const Version = 3

// rules have a sentence for each version: which rule is another one than in the version before. Stored traces
// change only with a version that has its own.
var rules = map[int]string{
	1: "The first version whose traces are stored.",
	2: "pc4 has new default constants, chosen by evidence (ADR 0017); traces of all else are as before.",
	3: "Proximal CNP has other rules: when a near point triggers, which CNPs it holds back, and how it meters each " +
		"flow (ADR 0018).",
}

// Rule is which rule changed with a version, a sentence; "" of one that is not known here.
func Rule(version int) string { return rules[version] }
