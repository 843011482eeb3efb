package rxe

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/specs/rxe/image"
	"github.com/rocelab/rocelab/specs/tier"
)

func TestRxe(t *testing.T) { lab.Suite(t, "Rxe", "rxe", "slow") }

// booted is the image that the machines boot.
var booted image.Image

var _ = BeforeSuite(func(ctx SpecContext) {
	lab.SkipUnlessSlow()
	tier.Root(GinkgoT(), "a network interface for a virtual machine")
	if _, err := os.Stat("/dev/net/tun"); err != nil {
		Skip("taps are needed, the kernel's module tun: " + err.Error())
	}
	booted = prepare(ctx)
})

// prepare makes the image, or skips the specs with the name of the missing program.
func prepare(ctx context.Context) image.Image {
	folder, err := image.Folder()
	Expect(err).NotTo(HaveOccurred())
	made, err := image.Prepare(ctx, folder, func(step string) { fmt.Fprintln(GinkgoWriter, step) })
	if missing, ok := errors.AsType[*image.UnavailableError](err); ok {
		Skip(missing.Error())
	}
	Expect(err).NotTo(HaveOccurred())
	return made
}
