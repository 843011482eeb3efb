// Package tune finds values of a scenario's keys, and measures their quality.
//
// A Search runs candidates on patterns of traffic, each with several seeds: all with the first seed, and candidates
// that come near the front with the others. A Score is, for each metric, the geometric mean over the patterns as a
// multiple of the best candidate's: 1.10 is 10 % worse than the best on average. The front is the set of non-dominated
// candidates: no other is at least as good in every metric, and better in one.
//
// The advice is one point of the front: among the candidates whose first score is within Slack of the best, the one
// with the least product of the others. It is then run on patterns and seeds that the search did not see, together with
// the front and the known rules, and its Excess there is its distance behind their front: in its worst metric, against
// the front's nearest point.
//
// Values are the same for any number of jobs. A memory, which is a store of testbed/many/sweep,
// keeps the row of each run, so that a search that was stopped goes on.
package tune
