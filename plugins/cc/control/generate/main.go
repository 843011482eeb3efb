// Command generate writes what follows from the table of package contract into
// control.proto and the Python module, and has protoc make the code of both
// languages from control.proto. It runs as go -C plugins/cc generate ./contract.
//
// It needs protoc (Debian's protobuf-compiler); the plugin for Go comes with the module google.golang.org/protobuf. The
// files for Python carry the version of protoc, so that Debian's older module protobuf can read its protoc's output.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	root, err := moduleRoot()
	if err == nil {
		err = generate(root)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// The files that are made from the table, from the root of the module.
const (
	controlFolder = "plugins/cc/control"
	protoFile     = controlFolder + "/control.proto"
	pythonFolder  = "plugins/python/rocelab"
	contractFile  = pythonFolder + "/contract.py"
)

func moduleRoot() (string, error) {
	out, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return "", fmt.Errorf("find the module: %w", err)
	}
	return filepath.Join(filepath.Dir(strings.TrimSpace(string(out))), "../.."), nil
}

// generate brings the module at root up to date.
func generate(root string) error {
	for path, render := range map[string]func(string) (string, error){protoFile: renderProto, contractFile: renderPython} {
		file := filepath.Join(root, path)
		old, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		text, err := render(string(old))
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if text == string(old) {
			continue
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return compile(root)
}

// compile makes protoc generate control.pb.go and control_pb2.py. The service has not changed: control_grpc.pb.go
// stays.
func compile(root string) error {
	folder, err := os.MkdirTemp("", "generate-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	plugin := filepath.Join(folder, "protoc-gen-go")
	build := exec.Command("go", "build", "-o", plugin, "google.golang.org/protobuf/cmd/protoc-gen-go")
	protoc := exec.Command("protoc", "--proto_path="+controlFolder, "--plugin="+plugin, "--go_out="+controlFolder,
		"--go_opt=paths=source_relative", "--python_out="+pythonFolder, filepath.Base(protoFile))
	for _, c := range []*exec.Cmd{build, protoc} {
		c.Dir = root
		if out, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", c, err, out)
		}
	}
	return nil
}
