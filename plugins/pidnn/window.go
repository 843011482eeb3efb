package pidnn

import "github.com/rocelab/rocelab/plugins/cc/unit"

// window returns the bytes that may be in flight at a rate (+WIN; thesis, section 4.4.2, after Li et al., HPCC, SIGCOMM
// 2019, which gives such a window to algorithms that only decide a rate):
//
//	inflight <= Winit rate/line
//
// in bytes of payload, at least 1: a window below one packet lets one packet out
// at a time.
func (c *settings) window(rate, line float64, baseRTT unit.Duration) unit.Bytes {
	if !c.windowed {
		return 0
	}
	winit := c.winit
	if winit == 0 {
		winit = line * float64(baseRTT) / psPerByte
	}
	return max(unit.Whole[unit.Bytes](winit*(rate/line)), 1)
}

// psPerByte is 8 bits x 1e12 ps: a rate in bit/s times ps over it is bytes.
const psPerByte = 8e12
