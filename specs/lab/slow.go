package lab

import (
	"os"

	"github.com/onsi/ginkgo/v2"
)

// SkipUnlessSlow skips a spec that takes long, unless ROCELAB_SLOW=1 asks for
// it. Such specs carry the label "slow".
func SkipUnlessSlow() {
	if os.Getenv("ROCELAB_SLOW") != "1" {
		ginkgo.Skip("takes long; ROCELAB_SLOW=1 runs it", 1)
	}
}
