package dcqcn

import (
	"fmt"
	"slices"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Algorithm is DCQCN as a cc.Algorithm.
type Algorithm struct{}

var _ cc.Algorithm = Algorithm{}

// Bounds. NVIDIA's tool takes periods of 1us to 131071us (min_time_between_cnps 0us to 4095us,
// rate_reduce_monitor_period up to 32 bits of us), rates of 1 Mb/s to the line rate and up to 32767
// units of 64 B (DCQCN CC parameters, MLNX_OFED). They are finer and wider here, so that a mechanism
// can be put out of a run's way: 1s outlasts most runs, and 1GB, a hundred times the paper's 10MB,
// takes 80 ms at 100 Gb/s. A rate beyond the fastest link differs from it in nothing. An RTT is
// bounded by the longest latency of a link.
const (
	longestPeriod = unit.Second
	longestRTT    = 10 * unit.Second
)

const (
	mlx   = "NVIDIA mlxconfig: "
	paper = "; Zhu et al., SIGCOMM 2015, sections 3.2 and 5"
)

// Describe implements cc.Algorithm. The parameters carry mlxconfig's names.
func (Algorithm) Describe() cc.Description {
	return cc.Description{
		Name:    "dcqcn",
		Version: "1.2.0",
		Summary: "ECN marks and CNPs: cut by alpha/2, recover by timer and byte counter",
		Source: "Zhu et al., Congestion Control for Large-Scale RDMA Deployments, SIGCOMM 2015; NVIDIA ConnectX " +
			"DCQCN parameters",
		// At R_HAI = 50 Mb/s, 80 % of 100 Gb/s took from 50 ms after two flows
		// to 230 ms after eight.
		Recovery: 400 * unit.Millisecond,
		Values: []cc.Value{
			{Name: "alpha", Doc: "estimate of congestion, as the last event left it: it decays between events"},
			{Name: "target_rate", Unit: "Gb/s", Doc: "R_T, which fast recovery returns to"},
			{Name: "time_stage", Doc: "T, expiries of the increase timer since the last cut"},
			{Name: "byte_stage", Doc: "BC, expiries of the byte counter since the last cut"},
		},
		Params: slices.Concat([]cc.Param{
			cc.Choice("set", "nvidia").Of("nvidia", "paper").
				Doc("rule for CNPs and defaults of all other parameters").
				From("package documentation"),
			cc.Number("g", "").In(0, 1).
				Doc("gain of alpha. Default by set: nvidia 5/1024 (the tool's 1019 means that 1019/1024 of alpha stays; " +
					"elsewhere quoted as 1/205), paper 1/256; with alpha fraction 1/16 in both, of the article's " +
					"\"typically 1/16 or 1/8\"").
				From(mlx + "DCE_TCP_G" + paper),
			cc.Duration("alpha_period", "").In(unit.Nanosecond, longestPeriod).
				Doc("period of the alpha clock; in set paper K, the time without a CNP after which alpha decays. Default " +
					"by set: nvidia 1us, paper 55us").
				From(mlx + "DCE_TCP_RTT" + paper),
			cc.Number("initial_alpha", "").In(0, 1).
				Doc("alpha at the first CNP. Default by set: nvidia 1023/1024, paper 1").
				From(mlx + "INITIAL_ALPHA_VALUE" + paper),
			cc.Duration("rate_reduce_monitor_period", "").In(unit.Nanosecond, longestPeriod).
				Doc("period of the cut clock, which starts at the first CNP. Set nvidia only, default 4us; in set paper " +
					"every CNP cuts").
				From(mlx + "RATE_REDUCE_MONITOR_PERIOD"),
			cc.Duration("rpg_time_reset", "").In(unit.Nanosecond, longestPeriod).
				Doc("period of the increase timer. Default by set: nvidia 300us, paper 55us").
				From(mlx + "RPG_TIME_RESET" + paper),
			cc.Bytes("rpg_byte_reset", "").In(0, unit.GB).
				Doc("wire bytes between two expiries of the byte counter, 0 for none. Default by set: nvidia 2097088B " +
					"(32767 units of 64 B), paper 10MB").
				From(mlx + "RPG_BYTE_RESET" + paper),
			cc.Number("rpg_threshold", "").In(0, 1000).
				Doc("F, the stage that ends fast recovery; whole. Default by set: nvidia 1, paper 5").
				From(mlx + "RPG_THRESHOLD" + paper),
			cc.Rate("rpg_ai_rate", "").In(0, cc.MostRate).
				Doc("R_AI. Default by set: nvidia 5Mbps, paper 40Mbps").
				From(mlx + "RPG_AI_RATE" + paper),
			cc.Rate("rpg_hai_rate", "").In(0, cc.MostRate).
				Doc("R_HAI. Default by set: nvidia 50Mbps, paper 400Mbps, which is rocelab's choice: the paper states none").
				From(mlx + "RPG_HAI_RATE"),
			cc.Choice("hai_growth", "").Of("stage", "constant").
				Doc("hyper increase by i x R_HAI, i = min(T,BC)-F+1, or only by R_HAI. Default by set: paper stage, as the " +
					"paper prints; nvidia constant, as the public RDMA simulator does: the NIC's own rule is not published").
				From("SIGCOMM 2015, section 3.2; alibaba-edu HPCC ns-3"),
			cc.Choice("hai_stages", "both").Of("both", "either").
				Doc("hyper increase once both stages are beyond F, or once either is: then, with only the timer, one " +
					"additive step and hyper increase forever, as in the public RDMA simulator. Only with recovery timer").
				From("SIGCOMM 2015, section 3.2; alibaba-edu HPCC ns-3, RateIncEventMlx"),
			cc.Number("rpg_min_dec_fac", "").In(0, 100).
				Doc("least share of the rate, in percent, that one cut leaves. Set nvidia only, default 50").
				From(mlx + "RPG_MIN_DEC_FAC"),
			cc.Rate("rpg_min_rate", "1Mbps").In(unit.BitPerSecond, cc.MostRate).
				Doc("floor of R_C. The paper has none; a rate of zero would never recover").
				From(mlx + "RPG_MIN_RATE"),
			cc.Number("rpg_gd", "").In(0, 15).
				Doc("a cut takes the share alpha x 2^(10-rpg_gd): alpha counts in 1/1024 in the NIC, so that 11 means " +
					"alpha/2; whole. Set nvidia only, default 11").
				From(mlx + "RPG_GD"),
			cc.Flag("clamp_tgt_rate", "").
				Doc("a cut first sets R_T to R_C. Set nvidia only, default false; in set paper always so").
				From(mlx + "CLAMP_TGT_RATE"),
			cc.Flag("clamp_tgt_rate_after_time_inc", "").
				Doc("as clamp_tgt_rate, if the increase timer expired since the last cut. Set nvidia only, default true").
				From(mlx + "CLAMP_TGT_RATE_AFTER_TIME_INC"),
			cc.Rate("rate_to_set_on_first_cnp", "").In(0, cc.MostRate).
				Doc("R_C and R_T at the first CNP, 0bps to keep the current rate. Set nvidia only, default 0bps").
				From(mlx + "RATE_TO_SET_ON_FIRST_CNP"),
			cc.Duration("min_time_between_cnps", "").In(0, longestPeriod).
				Doc("least time between two CNPs of a flow at the notification point. Default by set: nvidia 4us (sources " +
					"give 2 and 4), paper 50us").
				From(mlx + "MIN_TIME_BETWEEN_CNPS" + paper),
			cc.Choice("window", "off").Of("off", "fixed", "rate").
				Doc("bound of the payload in flight. off: none, as in the paper and in NICs; fixed: line rate x " +
					"window_rtt; rate: current rate x window_rtt").
				From("alibaba-edu HPCC ns-3, HAS_WIN and VAR_WIN"),
			cc.Duration("window_rtt", "0s").In(0, longestRTT).
				Doc("round-trip time of the window. 0s takes the flow's base RTT. For window fixed and rate").
				From("alibaba-edu HPCC ns-3, GLOBAL_T: there the longest base RTT of all pairs of hosts"),
		}, []cc.Param{rateParam}, extensionParams()),
	}
}

// nvidiaOnly are the parameters that set paper has no use for.
func nvidiaOnly() []string {
	return []string{"rate_reduce_monitor_period", "rpg_min_dec_fac", "rpg_gd", "clamp_tgt_rate",
		"clamp_tgt_rate_after_time_inc", "rate_to_set_on_first_cnp"}
}

// settings are the parameters as the reaction points use them: rates in bit/s.
type settings struct {
	paper                          bool
	g, initialAlpha                float64
	alphaPeriod, cutPeriod         unit.Duration
	timeReset                      unit.Duration
	byteReset                      unit.Bytes
	threshold                      int
	ai, hai                        float64
	haiByStage, haiByEither        bool
	minRate, firstRate             float64
	cutShare, leastLeft            float64 // a cut leaves max(leastLeft, 1 - cutShare x alpha)
	clampTarget, clampAfterTimeInc bool
	cnpInterval                    unit.Duration
	bound                          bound
	rateInCNP                      bool
	extensions
}

// defaults returns the named parameter set.
func defaults(set string) settings {
	if set == "paper" {
		return settings{
			paper:        true,
			g:            1.0 / 256,
			initialAlpha: 1,
			alphaPeriod:  55 * unit.Microsecond,
			timeReset:    55 * unit.Microsecond,
			byteReset:    10 * unit.MB,
			threshold:    5,
			ai:           40e6,
			hai:          400e6,
			haiByStage:   true,
			minRate:      1e6,
			cutShare:     0.5,
			clampTarget:  true,
			cnpInterval:  50 * unit.Microsecond,
		}
	}
	return settings{
		g:                 5.0 / 1024,
		initialAlpha:      1023.0 / 1024,
		alphaPeriod:       unit.Microsecond,
		cutPeriod:         4 * unit.Microsecond,
		timeReset:         300 * unit.Microsecond,
		byteReset:         32767 * 64,
		threshold:         1,
		ai:                5e6,
		hai:               50e6,
		minRate:           1e6,
		cutShare:          0.5,
		leastLeft:         0.5,
		clampAfterTimeInc: true,
		cnpInterval:       4 * unit.Microsecond,
	}
}

// read lays the given parameters over the set's defaults.
func read(params cc.Params) (settings, error) {
	settings := defaults(params.Choice("set"))
	if settings.paper {
		for _, name := range nvidiaOnly() {
			if params.Given(name) {
				return settings, &cc.ParamError{Param: name, Problem: "set paper has no such parameter; it belongs to set nvidia"}
			}
		}
	}
	for _, name := range []string{"rpg_threshold", "rpg_gd"} {
		if v := params.Number(name); v != float64(unit.Whole[int](v)) {
			return settings, &cc.ParamError{Param: name, Problem: fmt.Sprintf("%v is not a whole number", v)}
		}
	}
	var err error
	if settings.extensions, err = readExtensions(params); err != nil {
		return settings, err
	}
	if settings.fraction {
		settings.g = 1.0 / 16
	}
	number := func(name string, value *float64, scale float64) {
		if params.Given(name) {
			*value = params.Number(name) * scale
		}
	}
	duration := func(name string, value *unit.Duration) {
		if params.Given(name) {
			*value = params.Duration(name)
		}
	}
	rate := func(name string, value *float64) {
		if params.Given(name) {
			*value = float64(params.Rate(name))
		}
	}
	flag := func(name string, value *bool) {
		if params.Given(name) {
			*value = params.Switch(name)
		}
	}
	number("g", &settings.g, 1)
	number("initial_alpha", &settings.initialAlpha, 1)
	number("rpg_min_dec_fac", &settings.leastLeft, 0.01)
	duration("alpha_period", &settings.alphaPeriod)
	duration("rate_reduce_monitor_period", &settings.cutPeriod)
	duration("rpg_time_reset", &settings.timeReset)
	duration("min_time_between_cnps", &settings.cnpInterval)
	rate("rpg_ai_rate", &settings.ai)
	rate("rpg_hai_rate", &settings.hai)
	rate("rpg_min_rate", &settings.minRate)
	rate("rate_to_set_on_first_cnp", &settings.firstRate)
	flag("clamp_tgt_rate", &settings.clampTarget)
	flag("clamp_tgt_rate_after_time_inc", &settings.clampAfterTimeInc)
	if params.Given("rpg_byte_reset") {
		settings.byteReset = params.Bytes("rpg_byte_reset")
	}
	if params.Given("rpg_threshold") {
		settings.threshold = unit.Whole[int](params.Number("rpg_threshold"))
	}
	if params.Given("rpg_gd") {
		settings.cutShare = 1024 / float64(int(1)<<unit.Whole[int](params.Number("rpg_gd")))
	}
	if params.Given("hai_growth") {
		settings.haiByStage = params.Choice("hai_growth") == "stage"
	}
	settings.haiByEither = params.Choice("hai_stages") == "either"
	settings.rateInCNP = params.Switch("rate_in_cnp")
	settings.bound, err = readBound(params)
	return settings, err
}

// New implements cc.Algorithm.
func (Algorithm) New(params cc.Params) (cc.Controller, error) {
	settings, err := read(params)
	if err != nil {
		return nil, err
	}
	return &controller{settings}, nil
}

type controller struct{ settings }

// Signals implements cc.Controller: marks and CNPs; ACKs only for extensions
// that need the RTT or count packets.
func (c *controller) Signals() cc.Signals {
	return cc.Signals{
		ECT:         true,
		CNP:         true,
		CNPInterval: c.cnpInterval,
		Acks:        c.acks(),
		RTTInCNP:    c.rttInCNP,
		RateInCNP:   c.rateInCNP,
		Loss:        c.loss(),
	}
}

// NewSender implements cc.Controller.
func (c *controller) NewSender(facts cc.Facts) cc.Sender {
	r := newRates(&c.settings, facts)
	if c.paper {
		return &paperPoint{rates: r}
	}
	return &nvidiaPoint{rates: r}
}

// NewReceiver implements cc.Controller: the notification point is the NIC's.
func (c *controller) NewReceiver(cc.Facts) cc.Receiver { return nil }
