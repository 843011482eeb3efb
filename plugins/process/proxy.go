//go:build linux && !mem

package process

import (
	"context"
	"errors"
	"fmt"

	"google.golang.org/grpc"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/cc/ring"
)

var (
	_ hosting.Failing = (*sender)(nil)
	_ hosting.Batched = (*sender)(nil)
	_ cc.Valued       = (*sender)(nil)
	_ hosting.Failing = (*receiver)(nil)

	_ cc.Resolving = (*controller)(nil)
)

// algorithm forwards to the one that a plugin serves.
type algorithm struct{ *Plugin }

// Describe implements cc.Algorithm.
func (a algorithm) Describe() cc.Description { return a.description }

// Interpreter implements hosting.Interpreted.
func (a algorithm) Interpreter() hosting.Interpreter { return a.interpreter }

// New implements cc.Algorithm: it configures a controller in the process. Errors
// of the author's New come back as they are.
func (a algorithm) New(params cc.Params) (cc.Controller, error) {
	plugin := a.Plugin
	plugin.mu.Lock()
	defer plugin.mu.Unlock()
	if plugin.fault != nil {
		return nil, plugin.fault
	}
	ctx, cancel := context.WithTimeout(context.Background(), plugin.options.Deadline)
	defer cancel()
	configuration, err := plugin.configuration(params)
	if err != nil {
		return nil, err
	}
	configured, err := plugin.control.Configure(ctx, configuration, grpc.MaxCallRecvMsgSize(largestAnswer))
	if err != nil {
		plugin.fault = plugin.callError("its configuration", err)
		return nil, plugin.fault
	}
	if r := configured.GetRefusal(); r != nil {
		if r.Param != "" {
			return nil, &cc.ParamError{Param: shorten(r.Param, largestName), Problem: excerpt(r.Problem)}
		}
		return nil, errors.New(excerpt(r.Problem))
	}
	return &controller{
		plugin:   plugin,
		number:   configured.GetConfigured().GetNumber(),
		signals:  signals(configured.GetConfigured()),
		resolved: configured.GetResolved(),
	}, nil
}

// controller forwards to a configured algorithm in the process.
type controller struct {
	plugin  *Plugin
	number  uint32
	signals cc.Signals
	// resolved is the result of Resolved.
	resolved map[string]string
}

// Resolved implements cc.Resolving. The values are the program's: they may be anything.
func (c *controller) Resolved() map[string]string { return c.resolved }

// String names the controller in messages.
func (c *controller) String() string {
	return fmt.Sprintf("algorithm %s (plugin %s)", c.plugin.description.Name, c.plugin.program)
}

// Signals implements cc.Controller.
func (c *controller) Signals() cc.Signals { return c.signals }

// NewSender implements cc.Controller. From a broken plugin it returns a sender
// that fails.
func (c *controller) NewSender(facts cc.Facts) cc.Sender {
	of, none := c.plugin.add(ring.VerbSender, c.number, facts)
	if none {
		return nil
	}
	return &sender{plugin: c.plugin, of: of}
}

// NewReceiver implements cc.Controller. From a broken plugin it returns a
// receiver that fails.
func (c *controller) NewReceiver(facts cc.Facts) cc.Receiver {
	of, none := c.plugin.add(ring.VerbReceiver, c.number, facts)
	if none {
		return nil
	}
	return &receiver{c.plugin, of}
}

// add sets an end of a flow up in the process and returns its number there;
// none reports that the author's code made none.
func (p *Plugin) add(verb ring.Verb, controller uint32, facts cc.Facts) (of uint32, none bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	slot := p.post(question{verb: verb, of: facts.Flow})
	if slot == nil {
		return ring.NoEnd, false
	}
	slot.Of = controller
	body := slot.Setup()
	*body = ring.Setup{Facts: facts}
	body.Facts.Chance = nil
	if facts.Chance != nil {
		body.Chance = facts.Chance.State()
	}
	if !p.exchange() {
		return ring.NoEnd, false
	}
	switch of = slot.Of; { // read once: the program may write there at any time
	case of == ring.NoEnd:
		return ring.NoEnd, true
	case int(of) != len(p.flows):
		p.link.reached-- // that one has no answer
		p.fail(errNonsense)
		return ring.NoEnd, false
	}
	p.flows = append(p.flows, fmt.Sprint(facts.Flow))
	return of, false
}

// post returns the slot for a message, nil if the plugin is broken. The caller
// holds mu.
func (p *Plugin) post(asked question) *ring.Slot {
	if p.fault != nil || p.link.full() && !p.exchange() {
		return nil
	}
	return p.link.next(asked)
}

// exchange has the plugin answer all that was posted and reports whether it
// did. The caller holds mu.
func (p *Plugin) exchange() bool {
	err := p.link.exchange(p.options.Deadline)
	if err != nil {
		p.fail(err)
	}
	giveAnswers(p)
	return err == nil
}

// nameFlow gives an end of a flow a name in place of the flow's number.
func (p *Plugin) nameFlow(of uint32, name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if int(of) < len(p.flows) {
		p.flows[of] = name
	}
}

// Fault returns the reason why the plugin is broken or closed, nil while it works.
func (p *Plugin) Fault() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.fault
}

// sender forwards to one in the process.
type sender struct {
	plugin *Plugin
	of     uint32
	// batch is the last batch that the sender took part in.
	batch uint64
}

// Handle implements cc.Sender.
func (s *sender) Handle(event *cc.Event, decision *cc.Decision) {
	plugin := s.plugin
	plugin.mu.Lock()
	s.ask(event, decision)
	exchangeAsked(plugin)
	plugin.mu.Unlock()
}

// Values implements cc.Valued: of a broken plugin all are NaN. A program that names none, as one
// that is older than values, is not asked.
func (s *sender) Values(into []float64) {
	plugin := s.plugin
	plugin.mu.Lock()
	s.askValues(into)
	exchangeAsked(plugin)
	plugin.mu.Unlock()
}

// noWake is the absence of a wake-up, for calls before which the NIC has cleared it already.
const noWake = -1

// NameFlow implements hosting.Failing.
func (s *sender) NameFlow(name string) { s.plugin.nameFlow(s.of, name) }

// Err implements hosting.Failing.
func (s *sender) Err() error { return s.plugin.Fault() }

// Batcher implements hosting.Batched.
func (s *sender) Batcher() hosting.Batcher { return batcher{s.plugin} }

// batcher handles events of all senders of one plugin.
type batcher struct{ *Plugin }

// HandleAll implements hosting.Batcher: as many steps in a round trip as the ring
// has room for.
func (b batcher) HandleAll(steps []hosting.Step) {
	plugin := b.Plugin
	plugin.mu.Lock()
	plugin.batch++
	for len(steps) > 0 {
		n := plugin.handleSome(steps)
		if n == 0 {
			for i := range steps {
				steps[i].Decision.Rate = 0
			}
			break
		}
		steps = steps[n:]
	}
	plugin.mu.Unlock()
}

// handleSome handles the first steps and returns how many; none if the plugin is
// broken.
func (p *Plugin) handleSome(steps []hosting.Step) int {
	// A step may take two slots.
	if p.fault != nil || p.link.posted-p.link.done >= ring.Slots-1 && !p.exchange() {
		return 0
	}
	link := p.link
	from, answered := link.posted, 0
	for i := 0; i < len(steps) && link.posted-link.done < ring.Slots-1; i++ {
		step := &steps[i]
		s := step.Sender.(*sender)
		if step.Values != nil {
			link.next(question{ring.VerbValues, s.of, step.Event.Kind, step.Event.Now})
		}
		m := link.next(question{ring.VerbNext, s.of, step.Event.Kind, step.Event.Now})
		m.Fired = step.Fired
		*m.Event() = step.Event
		if s.batch != p.batch {
			s.batch = p.batch
			m.Verb = ring.VerbHandle
			*m.Decision() = step.Decision
		}
	}
	page, upTo := link.page, link.posted
	if !p.exchange() {
		upTo = max(link.reached, from)
	}
	for i := from; i < upTo; i++ {
		step := &steps[answered]
		if step.Values != nil && link.asked[i%ring.Slots].verb == ring.VerbValues {
			copy(step.Values, page.Slots[i%ring.Slots].Values()[:])
			continue
		}
		step.Decision = *page.Slots[i%ring.Slots].Decision()
		answered++
	}
	return answered
}

// receiver forwards to one in the process.
type receiver struct {
	plugin *Plugin
	of     uint32
}

// Data implements cc.Receiver.
func (r *receiver) Data(arrival *cc.Arrival, feedback *cc.Feedback) {
	plugin := r.plugin
	plugin.mu.Lock()
	r.ask(arrival, feedback)
	exchangeAsked(plugin)
	plugin.mu.Unlock()
}

// Group implements cc.Receiver. It needs no answer and travels with the next
// call.
func (r *receiver) Group(group cc.Group) {
	plugin := r.plugin
	plugin.mu.Lock()
	if m := plugin.post(question{verb: ring.VerbGroup, of: r.of}); m != nil {
		*m.Group() = group
	}
	plugin.mu.Unlock()
}

// NameFlow implements hosting.Failing.
func (r *receiver) NameFlow(name string) { r.plugin.nameFlow(r.of, name) }

// Err implements hosting.Failing.
func (r *receiver) Err() error { return r.plugin.Fault() }
