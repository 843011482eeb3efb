//go:build linux && !mem

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/nodes/live/bump"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

// wireFlags are the options as words.
type wireFlags struct {
	rate, length, ecn, burst, jitter, buffer, mtu, until string
	loss                                                 float64
	dilate                                               int64
	seed                                                 uint64
	force, print, realtime                               bool
}

func wireCommand(code *int) *cobra.Command {
	var flags wireFlags
	c := &cobra.Command{
		Use:   "wire INTERFACE INTERFACE",
		Short: "Put a piece of network between two interfaces: delay, bottleneck, marks, losses",
		Long: `Carry every frame that comes in at one interface of this machine to the other, as two
switches with a long-haul path between them would: a bump in the wire, until Ctrl-C.
Hosts behind the interfaces need not know. Only the ECN field of a frame changes, and
every frame crosses, including LLDP, tagged frames and pauses.

The long haul has the rate and the length. Frames wait for it in the switch before it,
which marks by --ecn and drops when --buffer is full. The links of the interfaces are
ten times as fast and take 100us each: within that time this process must read or send
a frame, and it adds 200us to the delay of the long haul. A frame that is sent late is
counted, and the verdict at the end shows how well time was kept: green, amber, or red,
which is exit code 3.

Every second it prints a line: frames that left in each direction, frames marked and
dropped, frames waiting, how late frames were sent, and how far model time is behind.
The interfaces are restored at the end.`,
		Example: `  sudo rocelab wire eth1 eth2 --rate 1Gbps --length 120km
  sudo rocelab wire veth0 veth1 --rate 1Gbps --length 120km --ecn 150KB,450KB --loss 1e-5
  sudo rocelab wire veth0 veth1 --length 80km --burst 1e-5,0.1 --jitter 20us --until 60s
  rocelab wire veth0 veth1 --length 120km --print`,
		Args: usageArgs(cobra.ExactArgs(2)),
		RunE: func(c *cobra.Command, args []string) error {
			options, err := flags.options(args)
			if err != nil {
				return usage(err)
			}
			if flags.print {
				_, err := io.WriteString(c.OutOrStdout(), options.Scenario())
				return err
			}
			status, err := carry(c.Context(), options, c.OutOrStdout())
			if status == result.Red {
				*code = exit.CodeVerdict
			}
			return err
		},
	}
	usual := bump.Default()
	f := c.Flags()
	f.StringVar(&flags.rate, "rate", usual.Rate.String(), "rate of the long haul, in each direction")
	f.StringVar(&flags.length, "length", usual.Length.String(), "length of its fibre, of 5us a kilometre")
	f.StringVar(&flags.ecn, "ecn", "", "mark by the queue: KMIN,KMAX, such as 150KB,450KB (default no marks)")
	f.Float64Var(&flags.loss, "loss", 0, "probability that a frame is lost")
	f.StringVar(&flags.burst, "burst", "", "lose frames in bursts: ENTER,LEAVE, the probabilities that a frame is the "+
		"last of the good and of the bad state")
	f.StringVar(&flags.jitter, "jitter", "0s", "largest random delay of a frame; frames keep their order")
	f.StringVar(&flags.buffer, "buffer", usual.Buffer.String(), "memory before the long haul, of each direction")
	f.StringVar(&flags.mtu, "mtu", usual.MTU.String(), "largest payload of an Ethernet frame")
	f.Int64Var(&flags.dilate, "dilate", usual.Dilation, "slow model time down: wall time = K x model time")
	f.StringVar(&flags.until, "until", "", "model time to end at (default at Ctrl-C)")
	f.Uint64Var(&flags.seed, "seed", usual.Seed, "seed of losses and jitter")
	f.BoolVar(&flags.realtime, "realtime", false, realtimeHelp)
	f.BoolVar(&flags.force, "force", false, "take interfaces even if they are in use")
	f.BoolVar(&flags.print, "print", false, "print the equivalent scenario, and exit")
	return c
}

// options reads the flags. The error names the flag.
func (f *wireFlags) options(interfaces []string) (*bump.Options, error) {
	o := bump.Default()
	o.Interfaces = [2]string(interfaces)
	if o.Interfaces[0] == o.Interfaces[1] {
		return nil, fmt.Errorf("a wire has two ends: %s is given twice", o.Interfaces[0])
	}
	o.Loss, o.Dilation, o.Seed, o.Force, o.Realtime = f.loss, f.dilate, f.seed, f.force, f.realtime
	errs := []error{
		read("rate", f.rate, unit.ParseBitRate, &o.Rate),
		read("length", f.length, unit.ParseLength, &o.Length),
		read("jitter", f.jitter, unit.ParseDuration, &o.Jitter),
		read("buffer", f.buffer, unit.ParseBytes, &o.Buffer),
		read("mtu", f.mtu, unit.ParseBytes, &o.MTU),
	}
	if f.until != "" {
		var until unit.Duration
		errs = append(errs, read("until", f.until, unit.ParseDuration, &until))
		if until <= 0 {
			errs = append(errs, fmt.Errorf("--until %q: allowed are times above 0", f.until))
		}
		o.Until = unit.Time(until)
	}
	if f.ecn != "" {
		kmin, kmax, _ := strings.Cut(f.ecn, ",")
		errs = append(errs, read("ecn", kmin, unit.ParseBytes, &o.Kmin), read("ecn", kmax, unit.ParseBytes, &o.Kmax))
		if o.Kmax <= 0 {
			errs = append(errs, fmt.Errorf("--ecn %q: KMAX must be above 0", f.ecn))
		}
	}
	if f.burst != "" {
		enter, leave, _ := strings.Cut(f.burst, ",")
		o.Burst = &profile.WANLoss{Bad: 1}
		errs = append(errs, read("burst", enter, probability, &o.Burst.Enter),
			read("burst", leave, probability, &o.Burst.Leave))
		if f.loss != 0 {
			errs = append(errs, errors.New("--loss and --burst are two kinds of channel: give one of them"))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	_, err := o.Plan()
	return &o, err
}

// read reads a flag's value.
func read[T any](flag, text string, parse func(string) (T, error), to *T) error {
	value, err := parse(text)
	if err != nil {
		return fmt.Errorf("--%s %q: %w", flag, text, err)
	}
	*to = value
	return nil
}

func probability(text string) (float64, error) {
	p, err := strconv.ParseFloat(text, 64)
	if err != nil || !(p >= 0 && p <= 1) {
		return 0, errors.New("allowed are numbers from 0 to 1")
	}
	return p, nil
}

// carry runs the wire and prints what it counts.
func carry(ctx context.Context, o *bump.Options, w io.Writer) (result.Status, error) {
	if err := veth.CheckRoot(); err != nil {
		return result.Pass, host(err)
	}
	seconds, headed := 0.0, false
	row := func(label string, r *bump.Reading) {
		if !headed {
			headed = true
			printHeads(w, o)
		}
		printReading(w, label, r)
	}
	out, err := bump.Run(ctx, veth.Root(), o, func(r bump.Reading) {
		seconds += r.Span.Seconds()
		row(strconv.FormatFloat(seconds, 'f', 0, 64), &r)
	})
	if out == nil {
		return result.Pass, testbedError(err)
	}
	row("all", &out.Total)
	for i := range out.Total.Ways {
		way := &out.Total.Ways[i]
		fmt.Fprintf(w, "%s > %s: %d frames in, %d out, %d marked%s\n", o.Interfaces[i], o.Interfaces[1-i], way.In.Frames,
			way.Out.Frames, way.Marked, losses(way))
	}
	for _, remark := range append(out.Remarks, out.Timing.Remarks()...) {
		fmt.Fprintln(w, remark)
	}
	for _, f := range out.Timing.Findings() {
		fmt.Fprintf(w, "time: %s\n", f.Text)
	}
	status := out.Timing.Status()
	for _, f := range out.Violations {
		fmt.Fprintf(w, "conservation: %s\n", f.Text)
		status = result.Red
	}
	return status, host(err)
}

// printHeads prints the heads of the columns of printReading.
func printHeads(w io.Writer, o *bump.Options) {
	const heads = "%7s %12s %12s %8s %8s %9s %9s %9s %9s\n"
	fmt.Fprintf(w, heads, "", o.Interfaces[0]+">", o.Interfaces[1]+">", "", "", "", "late p50", "p99", "lag p99")
	fmt.Fprintf(w, heads, "s", "Mb/s", "Mb/s", "marked", "dropped", "queued", "us", "us", "us")
}

func printReading(w io.Writer, label string, r *bump.Reading) {
	us := func(ns int64) float64 { return float64(ns) / 1e3 }
	rate := func(way int) float64 { return float64(r.Ways[way].Out.Bytes) * 8 / r.Span.Seconds() / 1e6 }
	a, b := &r.Ways[0], &r.Ways[1]
	fmt.Fprintf(w, "%7s %12.1f %12.1f %8d %8d %9v %9.0f %9.0f %9.0f\n", label, rate(0), rate(1), a.Marked+b.Marked,
		a.Dropped()+b.Dropped()+a.Outside+b.Outside, max(a.Queued, b.Queued), us(r.Lateness.Quantile(0.5)),
		us(r.Lateness.Quantile(0.99)), us(r.Lag.Quantile(0.99)))
}

// losses lists what a direction lost, by reason.
func losses(way *bump.Way) string {
	var b strings.Builder
	for reason, n := range way.Drops {
		if n > 0 {
			fmt.Fprintf(&b, ", %d %v", n, fabric.DropReason(reason))
		}
	}
	if way.Unfit > 0 {
		fmt.Fprintf(&b, ", %d passed on unfinished", way.Unfit)
	}
	if way.Outside > 0 {
		fmt.Fprintf(&b, ", %d outside the models", way.Outside)
	}
	return b.String()
}
