package profile

import "github.com/rocelab/rocelab/plugins/cc/unit"

// ByRate is a PauseResponse that follows from the rate of the port.
const ByRate unit.Duration = -1

// quantum is the unit of pauses, 512 bit, in bytes.
const quantum unit.Bytes = 64

// responses are the longest times that IEEE 802.3, 31B.3.7, allows from a pause to the last frame that is begun, in
// quanta, by the operating speed; as SONiC has them (sonic-net/sonic-swss, cfgmgr/buffer_headroom_mellanox.lua, with
// 800 Gb/s since pull request 2860).
var responses = []struct {
	rate   unit.BitRate
	quanta unit.Bytes
}{
	{unit.Gbps / 10, 1},
	{unit.Gbps, 2},
	{10 * unit.Gbps, 67},
	{25 * unit.Gbps, 80},
	{40 * unit.Gbps, 118},
	{50 * unit.Gbps, 147},
	{100 * unit.Gbps, 394},
	{200 * unit.Gbps, 453},
	{400 * unit.Gbps, 905},
	{800 * unit.Gbps, 905},
}

// ResponseAt returns the time after which a port of the given rate obeys a pause whose PauseResponse is given: that
// time, or for ByRate the longest that IEEE 802.3 allows. A rate between two of the standard's has the quanta of the
// faster one, a rate above all of them the quanta of the fastest.
func ResponseAt(response unit.Duration, rate unit.BitRate) unit.Duration {
	if response != ByRate {
		return response
	}
	quanta := unit.Bytes(0)
	for _, r := range responses {
		if quanta = r.quanta; rate <= r.rate {
			break
		}
	}
	return rate.SerialTime(quanta * quantum)
}
