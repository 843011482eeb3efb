package veth

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/emulator/engine"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/crash"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/model"
	"github.com/rocelab/rocelab/testbed/nodes/daemon"
	"github.com/rocelab/rocelab/testbed/nodes/internal/interference"
	"github.com/rocelab/rocelab/testbed/nodes/live/realtime"
	"github.com/rocelab/rocelab/testbed/nodes/live/replay"
	"github.com/rocelab/rocelab/testbed/nodes/lockstep"
	"github.com/rocelab/rocelab/testbed/nodes/packet"
)

// Options say how to run a plan on a testbed; none of them changes the trace.
type Options struct {
	// Captures names the ports to capture, "leaf1:3"; CaptureTo takes the
	// pcapng.
	Captures  []string
	CaptureTo io.Writer
	// Plugins gives, by the names of algorithms, the host paths of the programs
	// that run as processes; the testbed must hold them. The others are built
	// in.
	Plugins map[string]string
	// PluginLog is the maximum size of a container's log; if zero, the size that it was deployed with.
	PluginLog unit.Bytes
	// PluginStart is the time limit for the start of a plugin; if zero, the usual.
	PluginStart time.Duration
	// Standstill is how long a run may stand still before it counts as hanging, six times that before its first window;
	// if zero, the package's Standstill. With plugins it is at least the time that they may take to start and to
	// answer: their daemons report which one is late.
	Standstill time.Duration
	// HostOutput, if not nil, opens what takes the output of a host's command.
	HostOutput func(host string) (*os.File, error)
	// Dilation, if above 0, holds the run to the wall clock: a unit of model time takes that many units of wall time.
	// Range: to pace.MaxDilation.
	Dilation int64
	// Realtime gives the thread on which a daemon runs its windows real-time priority (package realtime). It goes with
	// Dilation.
	Realtime bool
	// Silent leaves the devices of edges unused: nothing comes in there, and frames that leave are gone. It is for runs
	// without a clock.
	Silent bool
	// Journals take what comes in at the edges, in the order of the plan; none to keep
	// nothing. Their files stay the caller's.
	Journals []replay.Journal
	// Progress, if not nil, is called now and then, and once more when the run is over.
	Progress func(model.Progress)
}

// Open returns a testbed that is up.
func Open(name string) (*Testbed, error) {
	s, err := Load(name)
	if err != nil {
		return nil, err
	}
	return &Testbed{State: s, progress: func(string, int, int) {}}, nil
}

// Run carries out a plan on the testbed. If ctx is cancelled it returns what
// there is by then, marked interrupted. An error names what failed: the plan
// does not fit, a daemon or a plugin died, a frame was lost, an algorithm
// answered nonsense (*model.AlgorithmError).
func (t *Testbed) Run(ctx context.Context, p *plan.Plan, o Options) (out *result.Outcome, err error) {
	if err := t.Fits(p); err != nil {
		return nil, err
	}
	if err := t.checkPlugins(o.Plugins); err != nil {
		return nil, err
	}
	if o.Standstill == 0 {
		o.Standstill = Standstill
	}
	lock, err := t.lock()
	if err != nil {
		return nil, err
	}
	defer lock.Close()
	os.Remove(t.path(currentFile)) // of a run that was killed
	if err := t.checkDigests(o.Plugins); err != nil {
		return nil, err
	}
	r := &run{Testbed: t, plan: p, options: o, participants: t.participants()}
	if err := r.beginGuard(); err != nil {
		return nil, err
	}
	defer func() {
		r.endGuard()
		r.close()
		if left := r.giveBack(); left != nil && err == nil {
			out.Remarks = append(out.Remarks,
				fmt.Sprintf("not as it was before the run, `rocelab destroy` tries again: %v", left))
		} else {
			err = errors.Join(err, left)
		}
	}()
	if err := r.prepare(ctx); err != nil {
		return nil, err
	}
	r.began = interference.Read()
	timer := beginTimer(r)
	results, err := r.runWindows(ctx)
	r.beside = timer.End()
	if recorded := r.recording.close(); err == nil {
		err = recorded
	}
	if err != nil {
		return nil, err
	}
	end, why, err := r.ending()
	if err != nil {
		return nil, err
	}
	if err := r.compareCounters(results); err != nil {
		return nil, err
	}
	out, err = r.assemble(end, results)
	if err != nil {
		return nil, err
	}
	out.Interrupted, out.Exhausted = why == engine.Interrupted, why == engine.Exhausted
	out.Windows, out.Wall = r.page.Window()-1, r.page.Wall()
	out.Runner, out.Workers, out.Daemons = "veth", len(r.participants), string(r.Daemons)
	out.Remarks, out.Hosts = append(r.left, r.remarks(results)...), r.hosts
	if err := r.keptTime(out, results); err != nil {
		return nil, err
	}
	r.reportEnd(end)
	return out, nil
}

// run is a plan under way on a testbed.
type run struct {
	*Testbed
	plan         *plan.Plan
	options      Options
	participants []participant
	setup        lockstep.Setup
	page         *lockstep.Page
	orders       []daemon.Order      // by participant
	sockets      [][]*os.File        // by participant, in the order of its ports
	before       [][]packet.Counters // as sockets
	outsides     []outside           // in the plan's order
	left         []string            // what is said of interfaces that other runs left as they are
	sent         []int               // bytes of each order
	answered     []bool              // by participant
	began        interference.Reading

	// guard holds the threads with real-time priority, nil if there are to be none; raised marks the participants that
	// named their thread.
	guard  *realtime.Guard
	raised []bool
	beside result.BareTimer

	recording *recording
	hosts     []result.HostCommand // what became of the commands of hosts
	restored  []string             // interfaces that a killed run had left, put back before this one
	unplugged []result.Unplugged   // interfaces that went down by themselves
}

// newSetup returns what the windows follow from.
func (r *run) newSetup() (lockstep.Setup, error) {
	p := r.plan
	s := lockstep.Setup{
		// By this number a late frame of another run is never taken for one of this; models do not see it.
		Run:          rand.Uint32(),
		Participants: len(r.participants),
		Links:        2 * len(p.Links),
		Lookahead:    longestWindow(p),
		Schedule:     model.ScheduleOf(p),
		SamplePeriod: model.DeadlockPeriod(p),
	}
	if k := r.options.Dilation; k > 0 {
		s.Clock = &lockstep.Pace{Dilation: k}
	}
	looks := make([]bool, len(r.participants))
	if len(p.Edges()) > 0 && s.Clock != nil {
		s.Looks = looks
	}
	for i := range r.participants {
		sampled := false
		for _, n := range r.participants[i].nodes {
			kind, err := model.KindNamed(p.KindOf(plan.NodeID(n)))
			if err != nil {
				return s, err
			}
			sampled = sampled || kind.Sampled
			looks[i] = looks[i] || kind.Name == plan.KindEdge
		}
		s.Sampled = append(s.Sampled, sampled)
	}
	return s, nil
}

// runWindows starts the windows and returns the participants' results.
func (r *run) runWindows(ctx context.Context) ([]*daemon.Result, error) {
	answers := make(chan answer)
	for i := range r.conns {
		most := r.orders[i].MaxResult(r.plan, r.sent[i])
		go func() {
			defer crash.Guard()()
			a := receive(i, r.conns[i], most)
			if r.orders[i].Realtime && a.namesThread() {
				answers <- a
				a = receive(i, r.conns[i], most)
			}
			answers <- a
		}()
	}
	results := make([]*daemon.Result, len(r.conns))
	r.answered = make([]bool, len(r.conns))
	var first error
	watchdog := r.newWatchdog()
	fail := func(err error) {
		if first == nil {
			first = err
			r.page.Abort()
			watchdog.shorten()
		}
	}
	ticker := time.NewTicker(lookPeriod)
	defer ticker.Stop()
	looks := 0
	commands := &commands{run: r}
	defer func() { r.hosts = commands.end() }()
	carriers := beginCarriers(r)
	defer carriers.end()
	cancelled := ctx.Done()
	for left := len(results); left > 0; {
		select {
		case a := <-answers:
			if r.orders[a.participant].Realtime && !r.raised[a.participant] && a.namesThread() {
				r.raise(&a)
				continue
			}
			left--
			results[a.participant], r.answered[a.participant] = a.result, true
			if err := r.participantError(&a, first != nil); err != nil {
				fail(err)
			}
		case one := <-carriers.lost:
			if one.err != nil {
				fail(r.named(one.err))
				continue
			}
			r.unplugged = append(r.unplugged, one.Unplugged)
			r.page.Stop()
			watchdog.shorten()
		case <-cancelled:
			r.page.Stop()
			watchdog.shorten()
			cancelled = nil
		case <-ticker.C:
			if err := r.page.Check(); err != nil {
				fail(r.named(err))
			}
			if err := errors.Join(commands.start(), commands.check()); err != nil {
				fail(err)
			}
			if looks++; looks%2 == 0 {
				r.reportProgress()
			}
			if watchdog.expired() {
				fail(r.standstillError(watchdog.limit()))
				r.hangUp()
			}
		}
	}
	return results, first
}

// answer is an answer from a participant.
type answer struct {
	participant int
	sender      int // the process, where the connection asks for it
	result      *daemon.Result
	err         error
}

// participantError returns the error in an answer, nil for none. A participant that gave up because another failed does
// not count as a further error, if one did.
func (r *run) participantError(a *answer, failed bool) error {
	m := &r.participants[a.participant]
	switch {
	case errors.Is(a.err, io.EOF), errors.Is(a.err, io.ErrUnexpectedEOF), errors.Is(a.err, unix.ECONNRESET):
		return r.daemonDied(m)
	case a.err != nil:
		return fmt.Errorf("testbed %s: %s: %w", r.Name, r.participantName(m), a.err)
	}
	if err := a.result.Check(r.plan, &r.orders[a.participant]); err != nil {
		return fmt.Errorf("testbed %s: %s answers nonsense: %w", r.Name, r.participantName(m), err)
	}
	switch {
	case a.result.Plugin:
		return &model.AlgorithmError{Err: fmt.Errorf("%s: %s", r.participantName(m), a.result.Err)}
	case a.result.Err != "" && !a.result.Aborted:
		return fmt.Errorf("testbed %s: %s: %s", r.Name, r.participantName(m), a.result.Err)
	case a.result.Aborted && !failed:
		return fmt.Errorf("testbed %s: %s gave up the run without a request: one of the daemons writes nonsense "+
			"into the shared page", r.Name, r.participantName(m))
	}
	return nil
}

// named adds the testbed's name to an error.
func (r *run) named(err error) error { return fmt.Errorf("testbed %s: %w", r.Name, err) }

// lookPeriod is the time between two looks at the page; every second one is reported.
const lookPeriod = 100 * time.Millisecond
