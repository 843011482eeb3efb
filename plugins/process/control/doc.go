// Package control is the gRPC service of a plugin, generated from
// control.proto: identity, version, parameters and configuration, and the stream
// of events and decisions for programs that share no memory with the host.
//
// To generate it anew, protoc (3.21), protoc-gen-go (v1.36) and
// protoc-gen-go-grpc (v1.6) must be in the path. The second command makes the
// Python module.
package control

//go:generate protoc --go_out=. --go_opt=paths=source_relative --go-grpc_out=. --go-grpc_opt=paths=source_relative control.proto
//go:generate protoc --python_out=../../python/rocelab control.proto
