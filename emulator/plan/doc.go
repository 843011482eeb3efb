// Package plan is an experiment with every question answered: which nodes,
// which links, which routes, which flows with which algorithm, when it ends and
// what it must show. A scenario is what a person writes; a plan is what a runner
// builds.
package plan
