package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/rocelab/rocelab/plugins/cc/contract"
	"github.com/rocelab/rocelab/plugins/cc/control"
)

const root = "../../../.."

const stale = "%s is not what the table of plugins/cc/contract makes: run go -C plugins/cc generate ./contract"

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The files in the tree equal the ones made from the table.
func TestSourcesFollowTheTable(t *testing.T) {
	for path, render := range map[string]func(string) (string, error){protoFile: renderProto, contractFile: renderPython} {
		t.Run(path, func(t *testing.T) {
			text := read(t, path)
			if made, err := render(text); err != nil {
				t.Errorf("%s %v", path, err)
			} else if made != text {
				t.Errorf(stale, path)
			}
		})
	}
}

// The code made of control.proto for Go knows the table's fields.
func TestGoFollowsTheTable(t *testing.T) {
	same(t, contract.Signals, &control.Configured{}, 1)
	same(t, contract.Event, &control.Event{}, 0)
	same(t, contract.Decision, &control.Decision{}, 0)
	same(t, contract.Arrival, &control.Arrival{}, 0)
	same(t, contract.Feedback, &control.Feedback{}, 0)
}

// same compares a table with a message, which has more fields of its own.
func same[T any](t *testing.T, table []contract.Field[T], m proto.Message, more int) {
	t.Helper()
	d := m.ProtoReflect().Descriptor()
	if d.Fields().Len() != len(table)+more {
		t.Errorf("message %s: "+stale, d.Name(), "control.pb.go")
	}
	for _, f := range table {
		in := d.Fields().ByNumber(protoreflect.FieldNumber(f.Number))
		if in == nil || string(in.Name()) != f.SnakeName() || typeName(in) != protoType(f) {
			t.Errorf("field %s of message %s: "+stale, f.SnakeName(), d.Name(), "control.pb.go")
		}
	}
}

func typeName(f protoreflect.FieldDescriptor) string {
	if m := f.Message(); m != nil {
		return string(m.Name())
	}
	return f.Kind().String()
}

func inGo() *descriptorpb.FileDescriptorProto {
	return protodesc.ToFileDescriptorProto(control.File_control_proto)
}

// The code for Python is made of the same control.proto as that for Go.
func TestPythonFollowsGo(t *testing.T) {
	const path = pythonFolder + "/control_pb2.py"
	literal := regexp.MustCompile(`AddSerializedFile\(b'(.*)'\)`).FindStringSubmatch(read(t, path))
	if literal == nil {
		t.Fatalf("%s has no descriptor", path)
	}
	var file descriptorpb.FileDescriptorProto
	if err := proto.Unmarshal(unquote(t, literal[1]), &file); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if !proto.Equal(plain(&file), plain(inGo())) {
		t.Errorf(stale, path)
	}
}

// plain leaves out what compilers fill in or not, names in JSON.
func plain(f *descriptorpb.FileDescriptorProto) *descriptorpb.FileDescriptorProto {
	for _, m := range f.MessageType {
		for _, n := range append(m.NestedType, m) {
			for _, field := range n.Field {
				field.JsonName = nil
			}
		}
	}
	return f
}

// unquote reads the inside of a literal of bytes in Python.
func unquote(t *testing.T, s string) (b []byte) {
	t.Helper()
	for s != "" {
		if strings.HasPrefix(s, `\"`) || strings.HasPrefix(s, `\'`) {
			b, s = append(b, s[1]), s[2:]
			continue
		}
		if s[0] == '"' {
			b, s = append(b, '"'), s[1:]
			continue
		}
		if s[0] == '\\' && s[1] >= '0' && s[1] <= '7' { // up to three digits
			n := 1
			for n < 4 && n < len(s) && s[n] >= '0' && s[n] <= '7' {
				n++
			}
			v, err := strconv.ParseUint(s[1:n], 8, 8)
			if err != nil {
				t.Fatal(err)
			}
			b, s = append(b, byte(v)), s[n:]
			continue
		}
		r, _, rest, err := strconv.UnquoteChar(s, 0)
		if err != nil {
			t.Fatalf("%q: %v", s[:min(len(s), 20)], err)
		}
		b, s = append(b, byte(r)), rest
	}
	return b
}

// control.pb.go is made of the control.proto that is in the tree, its hand-written
// messages included.
func TestGoFollowsControlProto(t *testing.T) {
	protoc, err := exec.LookPath("protoc")
	if err != nil {
		t.Skip("no protoc (Debian's protobuf-compiler) to read control.proto with")
	}
	out := filepath.Join(t.TempDir(), "set")
	c := exec.Command(protoc, "--proto_path="+controlFolder, "--descriptor_set_out="+out, filepath.Base(protoFile))
	c.Dir = root
	if text, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var set descriptorpb.FileDescriptorSet
	if err := proto.Unmarshal(data, &set); err != nil {
		t.Fatal(err)
	}
	if len(set.File) != 1 || !proto.Equal(plain(set.File[0]), plain(inGo())) {
		t.Errorf("control.pb.go is not what control.proto makes: run go -C plugins/cc generate ./contract")
	}
}
