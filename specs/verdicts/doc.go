// Package verdicts shows that every criterion of a run can turn it red: for each metric that an expectation may name,
// each finding that is more than a remark and each status of a run there is a scenario, and the command line that meets
// it ends as it should. A metric, or a finding in the source, without such a run fails a test. At night specs/mutant
// runs some of them with faults in a run's conclusions.
package verdicts
