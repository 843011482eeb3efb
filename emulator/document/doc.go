// Package document reads texts of YAML and JSON into trees whose nodes know file, line and column, so that a mistake is
// named at its value: scenarios are YAML, configurations of SONiC JSON.
//
//   - A Language bounds what is read, and names it in messages.
//   - A Node is a mapping, a sequence, a scalar or nothing. It is changed by Set and Drop, and copied by Clone.
//   - An Error is one problem with its place, Errors are all of a file, and Problems collects up to MaxProblems.
//
// No input panics, or takes more time and memory than its size and the bounds of its language allow.
package document
