package dcqcn

import (
	"fmt"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// The ways back up after a cut.
type recovery uint8

const (
	byTimer recovery = iota // timer, byte counter and target rate: the standard
	byRTT
	byClock // RIR
)

// extensions are the options beyond DCQCN; the zero value is DCQCN.
type extensions struct {
	recovery       recovery
	stepOfRate     bool    // the step per RTT is a share of R_C, not of the line rate
	share          float64 // of it
	rirStep        float64 // bit/s
	rirPeriod      unit.Duration
	cnpJitter      unit.Duration
	recoveryJitter float64 // RTTs
	fraction       bool
	rttInCNP       bool
	lossHeard      [4]bool // by cc.LossCause
	lossAlpha      bool
}

// article is where the extensions come from.
const article = `"The Signal Before the Stall", article on ECN and DCQCN in AI fabrics, `

// slowRestart is where the reaction to losses comes from: its existence is public, its rule is not.
const slowRestart = "rocelab's reading of RoCE slow restart, which NVIDIA's register ROCE_ACCL and counters " +
	"roce_slow_restart name without a rule"

// extensionParams documents the extensions. All are off by default.
func extensionParams() []cc.Param {
	return []cc.Param{
		cc.Choice("recovery", "timer").Of("timer", "rtt", "rir").
			Doc("how the rate rises after a cut: timer as the parameter set says; rtt by rtt_share for each RTT without " +
				"a CNP; rir (RTT-independent rate recovery) by rir_step at each tick of one clock. The article takes rtt " +
				"for DCQCN's own rule, which it is not: DCQCN rises by a timer and a byte counter, and the DCQCN paper " +
				"mentions no RTT").
			From(article + "sections on alpha scaling and on RTT fairness"),
		cc.Choice("rtt_step", "linear").Of("linear", "factor").
			Doc("base of rtt_share: linear, the line rate; factor, the current rate. The article has \"increases the " +
				"rate by approximately 5% per RTT\" and calls the increase linear. Only with recovery rtt").
			From(article + "section on alpha scaling"),
		cc.Number("rtt_share", "5").In(0.1, 100).
			Doc("rise of the rate for each RTT without a CNP, in percent. Only with recovery rtt").
			From(article + "section on alpha scaling"),
		cc.Rate("rir_step", "1Gbps").In(unit.BitPerSecond, cc.MostRate).
			Doc("by how much the rate rises at each tick. Only with recovery rir").
			From(article + "section on RTT fairness"),
		cc.Duration("rir_period", "100us").In(unit.Microsecond, longestPeriod).
			Doc("time between ticks of the NIC's recovery clock, which no CNP stops. Only with recovery rir").
			From(article + "section on RTT fairness"),
		cc.Duration("cnp_jitter", "0s").In(0, longestPeriod).
			Doc("each CNP is handled after a random time between 0 and this; a CNP that arrives meanwhile replaces the " +
				"waiting one. 0s handles it on arrival. The article uses 50us").
			From(article + "section on flow synchronization"),
		cc.Number("recovery_jitter", "0").In(0, 1000).
			Doc("bound, in RTTs, of a random offset, to either side, of the first step up after each cut, which never " +
				"comes before the cut. The article uses 1. Not with recovery rir").
			From(article + "section on alpha scaling"),
		cc.Choice("alpha", "event").Of("event", "fraction").
			Doc("average in alpha: event, whether CNPs came, as in the parameter set; fraction, the CNPs per packet of " +
				"each alpha_period. The article gives fraction as DCQCN's rule, yet it is DCTCP's, which counts marks: " +
				"CNPs are at most one per min_time_between_cnps, so that alpha settles below one over the packets of that " +
				"time, and a fast flow cuts less than a slow one").
			From(article + "section on alpha scaling; Alizadeh et al., Data Center TCP, SIGCOMM 2010, equation 1"),
		cc.Choice("loss", "ignore").Of("ignore", "nak", "timeout", "both").
			Doc("losses that cut the rate as a CNP does. nak: losses shown by a NAK or a later packet's ACK. timeout: " +
				"losses shown by a timeout. both: either. ignore: none, as DCQCN itself, which was made for lossless " +
				"fabrics").
			From(slowRestart),
		cc.Flag("loss_alpha", "false").
			Doc("a loss sets alpha to its initial value, so that the cut goes down to what rpg_gd and rpg_min_dec_fac " +
				"leave: a single loss, long after the last, would otherwise not cut at all. Only with loss").
			From(slowRestart),
		cc.Flag("rtt_in_cnp", "false").
			Doc("data carry the sender's RTT estimate, CNPs bring it back, and it sets both the time between steps and, " +
				"as RTT/10us, their size, so that flows of any RTT gain alike. Such an RTT was measured in congestion: " +
				"steps become rarer and larger, at a cost in throughput. Only with recovery rtt. rocelab's reading of the " +
				"article's \"DCQCN Extended\", whose description is not published").
			From(article + "section on RTT fairness"),
	}
}

// standardRecovery are the parameters of the way up by timer and byte counter.
var standardRecovery = [...]string{"rpg_time_reset", "rpg_byte_reset", "rpg_threshold", "rpg_ai_rate",
	"rpg_hai_rate", "hai_growth", "hai_stages",
	"clamp_tgt_rate", "clamp_tgt_rate_after_time_inc"}

// readExtensions reads the extensions, and refuses parameters that have no
// meaning beside each other.
func readExtensions(params cc.Params) (extensions, error) {
	way := params.Choice("recovery")
	ext := extensions{
		recovery:       map[string]recovery{"timer": byTimer, "rtt": byRTT, "rir": byClock}[way],
		stepOfRate:     params.Choice("rtt_step") == "factor",
		share:          params.Number("rtt_share") / 100,
		rirStep:        float64(params.Rate("rir_step")),
		rirPeriod:      params.Duration("rir_period"),
		cnpJitter:      params.Duration("cnp_jitter"),
		recoveryJitter: params.Number("recovery_jitter"),
		fraction:       params.Choice("alpha") == "fraction",
		rttInCNP:       params.Switch("rtt_in_cnp"),
		lossAlpha:      params.Switch("loss_alpha"),
	}
	loss := params.Choice("loss")
	nak, timeout := loss == "nak" || loss == "both", loss == "timeout" || loss == "both"
	ext.lossHeard = [4]bool{cc.LossGap: nak, cc.LossNak: nak, cc.LossTimeout: timeout}
	if ext.lossAlpha && !ext.loss() {
		return ext, &cc.ParamError{Param: "loss_alpha",
			Problem: "true has no meaning with loss ignore, allowed is loss nak, timeout or both"}
	}
	only := func(wanted string, names ...string) error {
		for _, name := range names {
			if params.Given(name) && way != wanted {
				return &cc.ParamError{Param: name, Problem: fmt.Sprintf("has no meaning with recovery %s, allowed is recovery %s",
					way, wanted)}
			}
		}
		return nil
	}
	if err := only("rtt", "rtt_step", "rtt_share"); err != nil {
		return ext, err
	}
	if err := only("rir", "rir_step", "rir_period"); err != nil {
		return ext, err
	}
	if err := only("timer", standardRecovery[:]...); err != nil {
		return ext, err
	}
	if ext.rttInCNP && ext.recovery != byRTT {
		return ext, &cc.ParamError{Param: "rtt_in_cnp",
			Problem: fmt.Sprintf("true has no meaning with recovery %s, allowed is recovery rtt", way)}
	}
	if ext.recoveryJitter > 0 && ext.recovery == byClock {
		return ext, &cc.ParamError{Param: "recovery_jitter",
			Problem: fmt.Sprintf("%v has no meaning with recovery rir, whose clock no cut starts; allowed is recovery "+
				"timer or rtt", ext.recoveryJitter)}
	}
	return ext, nil
}

// needsRTT reports whether the RTT matters, loss whether losses do, acks whether the sender needs EventAck.
func (x *extensions) needsRTT() bool { return x.recovery == byRTT || x.recoveryJitter > 0 }
func (x *extensions) loss() bool     { return x.lossHeard[cc.LossNak] || x.lossHeard[cc.LossTimeout] }
func (x *extensions) acks() bool     { return x.fraction || x.needsRTT() && !x.rttInCNP }
