package profile

import "github.com/rocelab/rocelab/plugins/cc/unit"

// The sources of figures. A compilation quotes data sheets of makers of switches.
const (
	compilation  = "data sheets of switches, as quoted at port-buffers.forwardingplane.net"
	warner       = "people.ucsc.edu/~warner/Bufs/Trident-4.html, which quotes Juniper's QFX5130 data sheet"
	warnerDeep   = "people.ucsc.edu/~warner/Bufs/7280R3.html, which quotes Arista's architecture paper"
	linleyTH3    = "Linley Newsletter, 26 December 2017, on Broadcom's announcement"
	linleyTH4    = "Linley Newsletter, 17 December 2019, on Broadcom's announcement"
	linleyJ2     = "Linley Newsletter, 13 March 2018, on Broadcom's announcement"
	tomahawk5    = "Broadcom's announcement of Tomahawk 5, August 2022"
	tomahawk6    = "Broadcom's announcement of Tomahawk 6, June 2025"
	servethehome = "servethehome.com, June 2025, on Broadcom's announcement of Tomahawk 6"
	nexthop      = "sonic-buildimage#28657 (Nexthop, maker of the NH-4210): 636,183 cells of 420 B"
	spectrum2    = "Mellanox's announcement of Spectrum-2, 6 July 2017, as quoted in encyclopedias"
	spectrum3    = "NVIDIA's announcement of Spectrum-3, 9 March 2020, as quoted in encyclopedias"
	spectrum4    = "NVIDIA's announcement of Spectrum-4, March 2022"
	spectrum6    = "NVIDIA's announcement of Spectrum-X Photonics, 18 March 2025, as quoted by notebookcheck.net"
	spectrum6SAI = "NVIDIA's SONiC files for SN6600_LD: size of egress_lossless_pool, all that packets may use"
	spectrumSAI  = "NVIDIA's SONiC files for SN5600: size of egress_lossless_pool, all that packets may use"
	asterfusion  = "Asterfusion's pages on its CX732Q-N"
	teralynx10   = "wheelersnetwork.com, March 2023, on Marvell's announcement"
	sonicMgmt    = "fitted on sonic-mgmt#25347"
	spectrumRoCE = "NVIDIA's RoCE defaults, as quoted in public repositories"
)

// Values that are not public are rocelab's own defaults.
var (
	noLatency = Sourced[unit.Duration]{0, Estimated, "no figure found: rocelab's default, only store and forward"}
	ownAlpha  = Sourced[float64]{1.0 / 8, Estimated, "set by the operating system: rocelab's default"}
	ownECN    = Sourced[WRED]{DefaultSwitch().ECN[3], Estimated, "set by the operating system: rocelab's default"}
	roceECN   = Sourced[WRED]{WRED{Enabled: true, Kmin: 150 * unit.KB, Kmax: 1500 * unit.KB, Pmax: 1}, Quoted,
		spectrumRoCE}
)

func size(b unit.Bytes, e Evidence, source string) Sourced[unit.Bytes] {
	return Sourced[unit.Bytes]{b, e, source}
}

func rate(gbps int64, e Evidence, source string) Sourced[unit.BitRate] {
	return Sourced[unit.BitRate]{unit.BitRate(gbps) * unit.Gbps, e, source}
}

func ports(n int, e Evidence, source string) Sourced[int] { return Sourced[int]{n, e, source} }

// chips are the chips that scenarios may name. A maker's MB is taken as 1 000 000 bytes.
var chips = []Chip{
	{
		Name:     "tomahawk3",
		Title:    "Broadcom Tomahawk 3 (BCM56980)",
		Buffer:   size(64*unit.MB, Quoted, compilation),
		Capacity: rate(12_800, Quoted, linleyTH3),
		Fastest:  rate(400, Quoted, linleyTH3),
		Ports:    ports(128, Quoted, linleyTH3),
		Latency:  noLatency,
		Alpha:    ownAlpha,
		Marking:  ownECN,
	},
	{
		Name:     "tomahawk4",
		Title:    "Broadcom Tomahawk 4 (BCM56990)",
		Buffer:   size(113_660*unit.KB, Quoted, compilation),
		Capacity: rate(25_600, Quoted, linleyTH4),
		Fastest:  rate(400, Quoted, linleyTH4),
		Ports:    ports(256, Quoted, linleyTH4),
		Latency:  noLatency,
		Alpha:    ownAlpha,
		Marking:  ownECN,
	},
	{
		Name:     "tomahawk5",
		Title:    "Broadcom Tomahawk 5 (BCM78900)",
		Buffer:   size(165_200*unit.KB, Quoted, compilation),
		Capacity: rate(51_200, Vendor, tomahawk5),
		Fastest:  rate(800, Vendor, tomahawk5),
		Ports:    ports(256, Vendor, tomahawk5),
		Latency:  noLatency,
		Alpha:    ownAlpha,
		Marking:  ownECN,
	},
	{
		Name:     "tomahawk6",
		Title:    "Broadcom Tomahawk 6 (BCM78910)",
		Buffer:   size(636_183*420, Quoted, nexthop),
		Cell:     size(420, Quoted, nexthop),
		Capacity: rate(102_400, Vendor, tomahawk6),
		Fastest:  rate(1_600, Quoted, servethehome),
		Ports:    ports(512, Quoted, servethehome+": 512 ports of 200 Gb/s"),
		Latency:  noLatency,
		Alpha:    ownAlpha,
		Marking:  ownECN,
	},
	{
		Name:     "trident4",
		Title:    "Broadcom Trident 4 X11 (BCM56880)",
		Buffer:   size(132*unit.MB, Quoted, warner),
		Capacity: rate(12_800, Quoted, warner),
		Fastest:  rate(400, Quoted, warner),
		Ports:    ports(128, Quoted, warner),
		Latency:  noLatency,
		Alpha:    ownAlpha,
		Marking:  ownECN,
	},
	{
		Name:     "jericho2",
		Title:    "Broadcom Jericho2 (BCM88690), with HBM",
		Buffer:   size(8*unit.GB, Quoted, warnerDeep+"; held per output there, as one shared memory here"),
		Capacity: rate(4_800, Quoted, linleyJ2),
		Fastest:  rate(400, Quoted, linleyJ2),
		Ports:    ports(96, Estimated, "no figure found: 4.8 Tb/s in lanes of 50 Gb/s"),
		Latency:  noLatency,
		Alpha:    ownAlpha,
		Marking:  ownECN,
	},
	{
		Name:     "spectrum2",
		Title:    "NVIDIA Spectrum-2",
		Buffer:   size(42*unit.MB, Quoted, spectrum2),
		Capacity: rate(6_400, Quoted, spectrum2),
		Fastest:  rate(400, Quoted, spectrum2),
		Ports:    ports(128, Estimated, "no figure found: 6.4 Tb/s in lanes of 50 Gb/s"),
		Latency:  noLatency,
		Alpha:    ownAlpha,
		Marking:  roceECN,
	},
	{
		Name:     "spectrum3",
		Title:    "NVIDIA Spectrum-3",
		Buffer:   size(64*unit.MB, Quoted, spectrum3),
		Capacity: rate(12_800, Quoted, spectrum3),
		Fastest:  rate(400, Quoted, spectrum3),
		Ports:    ports(128, Estimated, "no figure found: 12.8 Tb/s in ports of 100 Gb/s"),
		Latency:  noLatency,
		Alpha:    ownAlpha,
		Marking:  roceECN,
	},
	{
		Name:     "spectrum4",
		Title:    "NVIDIA Spectrum-4",
		Buffer:   size(158_229_504, Vendor, spectrumSAI),
		Capacity: rate(51_200, Vendor, spectrum4),
		Fastest:  rate(800, Vendor, spectrum4),
		Ports:    ports(256, Vendor, "NVIDIA's SONiC files for SN5600: 256 ports in Mellanox-SN5600-V256"),
		Latency:  noLatency,
		Alpha:    ownAlpha,
		Marking:  roceECN,
	},
	{
		Name:     "spectrum6",
		Title:    "NVIDIA Spectrum-6",
		Buffer:   size(224_143_360, Vendor, spectrum6SAI),
		Cell:     size(256, Quoted, "sonic-mgmt#27108, on queues of the SN6600_LD"),
		Capacity: rate(102_400, Quoted, spectrum6+": 128 ports of 800 Gb/s"),
		Fastest:  rate(800, Vendor, "NVIDIA's SONiC files for SN6600_LD: 1x800G"),
		Ports:    ports(512, Quoted, spectrum6+": 512 ports of 200 Gb/s"),
		Latency:  noLatency,
		Alpha:    ownAlpha,
		Marking:  roceECN,
	},
	{
		Name:     "teralynx7",
		Title:    "Marvell Teralynx 7",
		Buffer:   size(70*unit.MB, Quoted, asterfusion),
		Capacity: rate(12_800, Quoted, asterfusion),
		Fastest:  rate(400, Quoted, asterfusion),
		Ports:    ports(128, Estimated, "no figure found: 12.8 Tb/s in ports of 100 Gb/s"),
		Latency: Sourced[unit.Duration]{500 * unit.Nanosecond, Quoted,
			asterfusion + ": end to end, taken whole as the time after the last bit"},
		Alpha:   ownAlpha,
		Marking: ownECN,
	},
	{
		Name:     "teralynx10",
		Title:    "Marvell Teralynx 10",
		Buffer:   size(200*unit.MB, Quoted, teralynx10+": \"greater than 200MB\""),
		Capacity: rate(51_200, Quoted, teralynx10),
		Fastest:  rate(800, Estimated, "no figure found: the figure of other chips of 51.2 Tb/s"),
		Ports:    ports(512, Quoted, teralynx10+": 512 ports of 100 Gb/s"),
		Latency:  noLatency,
		Alpha:    ownAlpha,
		Marking:  ownECN,
	},
	{
		Name:  "sonic-400g",
		Title: "a SONiC box of 400 Gb/s whose chip is not named",
		Buffer: size(63_500*unit.KB, Fitted, sonicMgmt+
			", record R01: all that packets may use, 1 MB of headroom of the record's ports among it"),
		Capacity: rate(12_800, Estimated, "no figure found: the figure of other chips with ports of 400 Gb/s"),
		Fastest:  rate(400, Quoted, "sonic-mgmt#25347: the ports of the record"),
		Ports:    ports(128, Estimated, "no figure found: 12.8 Tb/s in ports of 100 Gb/s"),
		Latency:  Sourced[unit.Duration]{450 * unit.Nanosecond, Fitted, sonicMgmt + ", records R01 and R02"},
		Alpha:    Sourced[float64]{1, Fitted, sonicMgmt + ", record R01"},
		Resume:   size(120*unit.KB, Fitted, sonicMgmt+", record R03"),
		Marking:  ownECN,
	},
}
