package architecture

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// heavy are the modules that a run in one process has no need of. They are two
// thirds of what a build of everything compiles.
var heavy = []string{
	"google.golang.org/grpc",
	"github.com/hashicorp/go-plugin",
	"github.com/onsi/ginkgo/v2",
	"golang.org/x/tools",
	"github.com/vishvananda/netlink",
	"github.com/containernetworking",
}

// The first command of the README compiles none of the heavy modules, and the
// whole program has them all: else this looks for the wrong names.
func TestTheFirstBuildIsSmall(t *testing.T) {
	first, whole := modulesOf(t, "-tags", "mem"), modulesOf(t)
	for _, module := range heavy {
		t.Run(module, func(t *testing.T) {
			has := func(path string) bool { return strings.HasPrefix(path+"/", module+"/") }
			if i := slices.IndexFunc(first, has); i >= 0 {
				t.Errorf("with the tag mem rocelab imports %s", first[i])
			}
			if !slices.ContainsFunc(whole, has) {
				t.Errorf("rocelab does not import %s", module)
			}
		})
	}
}

// The types of Kubernetes are there to hold a manifest to them in a spec: no program of the
// project has them.
func TestNoProgramHasKubernetes(t *testing.T) {
	for _, path := range modulesOf(t) {
		if strings.Contains(path, "k8s.io/") && !strings.HasPrefix(path, nftables) {
			t.Errorf("rocelab imports %s", path)
		}
	}
}

// nftables is a library of the plugins for CNI, which comes from the same place.
const nftables = "sigs.k8s.io/knftables"

// modulesOf lists the packages that rocelab is made from.
func modulesOf(t *testing.T, tags ...string) []string {
	t.Helper()
	arguments := append(append([]string{"list"}, tags...), "-deps", "../../cmd/rocelab")
	out, err := exec.Command("go", arguments...).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(out))
}
