// Command spy is an algorithm that reports in its summary the files and calls open to it, and misbehaves as its
// parameter demands.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/serve"
)

type spy struct{}

func (spy) Describe() cc.Description {
	if strings.HasPrefix(filepath.Base(os.Args[0]), "cc-silent") {
		select {}
	}
	return cc.Description{
		Name:    "spy",
		Version: "1",
		Summary: seen(),
		Source:  "tests",
		Params: []cc.Param{
			cc.Choice("do", "nothing").Of("nothing", "refuse", "blame", "exit", "brood").Doc("how it misbehaves").From("tests"),
		},
	}
}

// seen reports the program's view of its surroundings.
func seen() string {
	var words []string
	status, _ := os.ReadFile("/proc/self/status")
	for _, line := range strings.Split(string(status), "\n") {
		for _, what := range []string{"Uid:", "CapPrm:", "CapEff:", "NoNewPrivs:", "Seccomp:"} {
			if strings.HasPrefix(line, what) {
				words = append(words, strings.Join(strings.Fields(line), ""))
			}
		}
	}
	for _, space := range []string{"mnt", "net", "pid", "ipc", "uts"} {
		link, _ := os.Readlink("/proc/self/ns/" + space)
		words = append(words, link)
	}
	root, _ := filepath.Glob("/*")
	plugins, _ := filepath.Glob("/plugins/*")
	interfaces, _ := filepath.Glob("/proc/sys/net/ipv4/conf/*")
	return fmt.Sprintln(words, root, plugins, interfaces, "write:", os.WriteFile("/plugins/x", nil, 0o600))
}

func (spy) New(params cc.Params) (cc.Controller, error) {
	fmt.Fprintln(os.Stderr, "the spy prints")
	switch params.Choice("do") {
	case "refuse":
		return nil, fmt.Errorf("it refuses")
	case "blame":
		return nil, &cc.ParamError{Param: "do", Problem: "is to blame"}
	case "exit":
		os.Exit(9)
	case "brood":
		for range 3 {
			child := exec.Command("/proc/self/exe")
			child.Args = []string{"cc-silent-child"}
			child.Env = append(os.Environ(), "SPY_CHILD=1")
			child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
			child.Start()
		}
	}
	return controller{}, nil
}

type controller struct{}

func (controller) Signals() cc.Signals              { return cc.Signals{INT: true, CNP: true} }
func (controller) NewSender(cc.Facts) cc.Sender     { return nil }
func (controller) NewReceiver(cc.Facts) cc.Receiver { return nil }

func main() {
	if os.Getenv("SPY_CHILD") != "" {
		select {}
	}
	serve.Algorithm(spy{})
}
