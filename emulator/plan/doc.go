// Package plan is an experiment with every question answered: which nodes, which links, which routes, which flows with
// which algorithm, when it ends and what it must show. A person writes a scenario; a runner builds a plan.
package plan
