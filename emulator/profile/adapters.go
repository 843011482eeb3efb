package profile

// The sources of figures of adapters.
const (
	iba      = "InfiniBand Architecture Specification, volume 1, 9.7.5: one NAK until the missing packet arrives"
	perftest = "defaults of perftest for any NIC: timeout 14, 7 retries"
	counters = "Linux, counters of mlx5: roce_slow_restart_cnps counts CNPs that RoCE slow restart generated; " +
		"openfabric-systems/simllm, paper/mlx5: CNPs of a ConnectX-5 Ex without a mark"
	forumCNP = "NVIDIA developer forum, thread 270587: CNPs of a ConnectX-6 Dx without a mark, accelerations on"
	noneCNP  = "no figure found for a ConnectX-7: assumed to be as of a ConnectX-5"
	adpGuide = "docs.nvidia.com, Adaptive Retransmission: Parameters Control, August 2025, for the rule; " +
		"linux-rdma/perftest, issue 251, for 2 ms to 16 ms, of a ConnectX-5; "
	leastTime = "no figure found for the first range: of 256 us, 512 us and 2 ms the shortest time that meets the " +
		"loss in an incast of a ConnectX-5"
	accl       = "NVIDIA's sample of register ROCE_ACCL, for no NIC in particular: "
	acclCX5    = "register ROCE_ACCL of a ConnectX-5 Ex, quoted in public notes on RDMA, and NVIDIA's sample of it: "
	irnPaper   = "Mittal et al., Revisiting Network Support for RDMA, SIGCOMM 2018, sections 3.1 and 4.1"
	lossHeard  = "dcqcn, with loss both and loss_alpha true"
	lossSource = "rocelab's default reading of RoCE slow restart, on by default in NVIDIA's sample of register " +
		"ROCE_ACCL; all other parameters are the set nvidia's, none is fitted"
)

// connectXKeys returns the figures of a ConnectX: register is the source of samples of its register ROCE_ACCL, cnp the
// source on its CNPs without marks.
func connectXKeys(register, cnp string, of Evidence) []sourcedKey {
	return []sourcedKey{
		{"receiver", Quoted, register + "no selective repeat is forced"},
		{"nak", Quoted, iba},
		{"gap_cnp", of, cnp},
		{"rto", Estimated, adpGuide + leastTime},
		{"retries", Quoted, perftest},
		{"send_window", Quoted, register + "roce_tx_window_en is 0"},
		{"idle_restart", Estimated, register + "roce_slow_restart_idle_en is 0, so not slow; keep is rocelab's default"},
	}
}

// plainKeys returns the figures of a NIC whose sources cover only the timer.
func plainKeys(source string) []sourcedKey {
	return []sourcedKey{
		{"receiver", Quoted, source},
		{"nak", Quoted, iba},
		{"rto", Quoted, perftest},
		{"retries", Quoted, perftest},
	}
}

// adapters are the adapters that scenarios may name.
var adapters = []Adapter{
	{
		Name:      "connectx5",
		Title:     "NVIDIA ConnectX-5, accelerations of lossy fabrics on",
		set:       connectX,
		known:     connectXKeys(acclCX5, counters, Quoted),
		algorithm: sourcedKey{lossHeard, Estimated, lossSource},
	},
	{
		Name:      "connectx6",
		Title:     "NVIDIA ConnectX-6, accelerations of lossy fabrics on",
		set:       connectX,
		known:     connectXKeys(accl, forumCNP, Quoted),
		algorithm: sourcedKey{lossHeard, Estimated, lossSource},
	},
	{
		Name:      "connectx7",
		Title:     "NVIDIA ConnectX-7, accelerations of lossy fabrics on",
		set:       connectX,
		known:     connectXKeys(accl, noneCNP, Estimated),
		algorithm: sourcedKey{lossHeard, Estimated, lossSource},
	},
	{
		Name:  "e810",
		Title: "Intel E810",
		set:   fixedTimeout,
		known: []sourcedKey{
			{"nak", Quoted, iba},
			{"rto", Quoted, perftest},
			{"retries", Quoted, perftest},
		},
	},
	{
		Name:  "softroce",
		Title: "Linux soft-RoCE",
		set:   fixedTimeout,
		known: plainKeys("Linux, drivers/infiniband/sw/rxe"),
	},
	{
		Name:  "irn",
		Title: "IRN's NIC, without its bitmap",
		set:   irn,
		known: []sourcedKey{
			{"receiver", Quoted, irnPaper + "; the sender only learns of the first gap"},
			{"rto", Quoted, irnPaper},
		},
	},
	{
		Name:  "ideal",
		Title: "A NIC that keeps early packets and sends NAKs at once",
		set:   ideal,
		known: []sourcedKey{
			{"receiver", Estimated, "rocelab's default for a bound from above"},
			{"rto", Estimated, "rocelab's default for it, of IRN's paper"},
		},
	},
}
