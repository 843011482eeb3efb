package model

// Version is the version of the models: all that decides the trace of a run, from the
// emulator's rules to the shipped algorithms. Two programs of one version give one
// scenario and seed one trace, whatever else differs between them. Each change that
// alters a trace counts it up; testdata/traces.txt has the traces that guard it, and
// specs/determinism/fingerprint those of all that ships.
const Version = 3
