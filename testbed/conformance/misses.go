package conformance

// Misses are the checks that algorithms which ship with rocelab miss at their
// defaults, with the reason: by algorithm, then by check.
var Misses = map[string]map[string]string{}
