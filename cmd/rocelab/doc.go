// Command rocelab runs experiments on the congestion control of AI fabrics:
// switch and NIC models that exchange real RoCEv2 frames.
//
// rocelab.pgo is a CPU profile of the benchmarks, by which the compiler
// inlines what is hot (https://go.dev/doc/pgo); it makes runs 3 to 5 % faster
// and changes no result. Programs that are installed are built with it,
//
//	go build -pgo=cmd/rocelab/rocelab.pgo ./cmd/...
//
// and others are not: under the name default.pgo, go run would compile each
// dependency for it, apart from what tests and other programs have compiled. It
// is made anew with
//
//	go test -trimpath -run - -bench Incast -benchtime 8s -cpuprofile incast.prof ./testbed/mem
//	go test -trimpath -run - -bench Cases/permutation -benchtime 1x -cpuprofile permutation.prof ./testbed/many/bench
//	go test -trimpath -run - -bench 'Cases/two-dc/proximal$' -benchtime 1x -cpuprofile two-dc.prof ./testbed/many/bench
//	go tool pprof -proto incast.prof permutation.prof two-dc.prof > cmd/rocelab/rocelab.pgo
package main
