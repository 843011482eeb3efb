// Package hosting is the other side of the contract: what a program needs that runs algorithms, and
// their authors do not. A NIC, a plugin's process and the judge of algorithms are such programs.
//
// Parse makes the parameters of an algorithm, CheckParams and CheckValues read its description,
// CheckDecision its answers. Batched senders take many events at once, and Failing ones may break
// down, since their code runs in another process.
package hosting
