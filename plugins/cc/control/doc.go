// Package control is the gRPC service of a plugin, generated from
// control.proto: identity, version, parameters and configuration, and the stream
// of events and decisions for programs that share no memory with the host.
//
// The messages Configured, Event, Decision, Arrival and Feedback follow from the
// table in plugins/cc/contract. After a change of the table, or of another
// message,
//
//	go -C plugins/cc generate ./contract
//
// writes them into control.proto and makes protoc (3.21) generate the code for Go and Python. If the service itself
// changes, go generate in this folder makes control_grpc.pb.go, with protoc-gen-go-grpc (v1.6) in the path.
package control

//go:generate protoc --go-grpc_out=. --go-grpc_opt=paths=source_relative control.proto
