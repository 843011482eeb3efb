package profile

import (
	"math"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// XOFFAt returns how much a lossless class of a port other than a DCI port may hold before the port asks for a pause,
// with used bytes of the buffer in use: its reserve and alpha times the free memory. ports are the switch's, and
// maxFrame is the largest frame on the fabric.
func (s *Switch) XOFFAt(port int, ports []fabric.Attachment, maxFrame, used unit.Bytes) unit.Bytes {
	free := s.Buffer - used
	for _, lossless := range s.PFC.Lossless {
		for i := range ports {
			if lossless && s.PFC.Enabled && !ports[i].DCI {
				free -= s.Reserve + s.OfPort(i).HeadroomFor(&ports[i], maxFrame)
			}
		}
	}
	threshold := s.OfPort(port).AlphaAt(ports[port].Rx.Rate) * math.Max(0, float64(free))
	return s.Reserve + unit.Whole[unit.Bytes](threshold)
}
