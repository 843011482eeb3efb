// Command rocelab runs experiments on the congestion control of AI fabrics:
// switch and NIC models that exchange real RoCEv2 frames.
//
// rocelab.pgo is a CPU profile of the benchmarks, from which the compiler chooses the hot functions to inline
// (https://go.dev/doc/pgo); it makes runs 3 to 5 % faster and changes no result. Installed programs are built with it,
//
//	go build -pgo=cmd/rocelab/rocelab.pgo ./cmd/...
//
// and others are not: under the name default.pgo, go run would compile each dependency for it, separately from the
// builds of tests and other programs. To make it again:
//
//	go test -trimpath -run - -bench Incast -benchtime 8s -cpuprofile incast.prof ./testbed/mem
//	go test -trimpath -run - -bench Cases/permutation -benchtime 1x -cpuprofile permutation.prof ./testbed/many/bench
//	go test -trimpath -run - -bench 'Cases/two-dc/proximal$' -benchtime 1x -cpuprofile two-dc.prof ./testbed/many/bench
//	go tool pprof -proto incast.prof permutation.prof two-dc.prof > cmd/rocelab/rocelab.pgo
package main
