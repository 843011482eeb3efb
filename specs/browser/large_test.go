package browser

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/specs/tier"
)

var _ = Describe("a page of 10 million samples", func() {
	It("is below 10 MB, and is drawn", func() {
		tier.Night(GinkgoT())
		f := copied("two", "huge")
		f.fill("dcqcn", 10_000, 250)
		f.seal()
		begun := time.Now()
		rocelab("report", "huge", "-o", "huge.html")
		took := time.Since(begun)
		info, err := os.Stat(filepath.Join(work, "huge.html"))
		Expect(err).NotTo(HaveOccurred())
		Expect(info.Size()).To(BeNumerically("<", 10_000_000))
		var found looked
		do(job{Do: "look", File: "huge.html"}, &found)
		Expect(found.Pictures).To(Equal(found.Plots))
		AddReportEntry("report", fmt.Sprintf("%v, %d B, ready after %d ms", took, info.Size(), found.MS),
			ReportEntryVisibilityAlways)
	})
})

// fill gives a variant flows with the given number of bins, of four values each.
func (f folder) fill(variant string, flows, bins int) {
	GinkgoHelper()
	f.multiply(variant, flows)
	file, err := os.Create(filepath.Join(work, string(f), variant, "series_flows.csv"))
	Expect(err).NotTo(HaveOccurred())
	defer file.Close()
	out := bufio.NewWriter(file)
	fmt.Fprintln(out, "variant,seed,time_us,flow,goodput_gbps,rate_gbps,acked_bytes,cnps_received,naks_received,timeouts")
	for flow := range flows {
		name := fmt.Sprintf("incast/h%d-h4", flow%4)
		if flow >= 4 {
			name += fmt.Sprintf("/%d", flow/4)
		}
		for bin := range bins {
			fmt.Fprintf(out, "%s,1,%d.000000,%s,%d.%03d,%d.000,%d,%d,,\n",
				variant, 2*bin, name, flow%90, bin, bin%100, 250*flow, bin%2)
		}
	}
	Expect(out.Flush()).To(Succeed())
}
