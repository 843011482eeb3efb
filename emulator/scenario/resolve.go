package scenario

import (
	"errors"
	"path"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/traffic"
)

// resolveHosts finds the hosts that an entry's selectors mean.
func (b *builder) resolveHosts(d *trafficDraft) bool {
	all := make([]int, len(b.plan.NICs))
	for i := range all {
		all[i] = i
	}
	ok := true
	switch d.Kind {
	case traffic.Flow:
		if d.from == nil || d.to == nil {
			return false
		}
		d.Receivers, ok = b.hosts(d.to, "to", all)
		senders, ok2 := b.hosts(d.from, "from", all)
		d.Senders, ok = senders, ok && ok2
	case traffic.Incast:
		ok = b.resolveIncast(d, all)
		if d.SendersPerEvent > 0 {
			return ok
		}
	default:
		d.Senders = all
		if d.from != nil {
			d.Senders, ok = b.hosts(d.from, "hosts", all)
		}
		if ok && len(d.Senders) < 2 {
			b.add(d.at, "traffic %q has %d host: %s needs at least two",
				d.Name, len(d.Senders), article(traffic.KindNames[d.Kind]))
			return false
		}
	}
	if ok && d.Kind != traffic.Poisson && d.Kind != traffic.Collective && d.Count() == 0 {
		b.add(d.at, "traffic %q has no flow: its only sender is its receiver", d.Name)
		return false
	}
	return ok
}

// resolveIncast finds an incast's receiver and its senders, or the hosts among
// whom both are drawn.
func (b *builder) resolveIncast(d *trafficDraft, all []int) (ok bool) {
	if d.SendersPerEvent > 0 && d.to == nil {
		return b.resolvePool(d, all, 1)
	}
	d.Receivers = all[len(all)-1:]
	if d.to != nil {
		if d.to.kind == scalar && !d.to.quoted && isNumber(d.to.text) {
			b.add(d.to.at, "receiver is %s: an incast has one receiver, written by its name", d.to.text)
			return false
		}
		if d.Receivers, ok = b.hosts(d.to, "receiver", all); !ok {
			return false
		}
		if len(d.Receivers) != 1 {
			b.add(d.to.at, "receiver means %d hosts: an incast has one", len(d.Receivers))
			return false
		}
	}
	if d.SendersPerEvent > 0 {
		return b.resolvePool(d, without(all, d.Receivers[0]), 0)
	}
	d.Senders = without(all, d.Receivers[0])
	if d.from == nil {
		return true
	}
	if d.Senders, ok = b.hosts(d.from, "senders", d.Senders); ok {
		d.Senders = without(d.Senders, d.Receivers[0])
	}
	return ok
}

func isNumber(s string) bool {
	_, err := strconv.Atoi(s)
	return err == nil
}

func without(list []int, host int) []int {
	var rest []int
	for _, h := range list {
		if h != host {
			rest = append(rest, h)
		}
	}
	return rest
}

// hosts returns the hosts that a selector means, each once, in the order in
// which it names them; pool is what a number counts through.
func (b *builder) hosts(n *node, key string, pool []int) ([]int, bool) {
	if n.kind == scalar && !n.quoted && isNumber(n.text) {
		count, ok := b.integer(n, key, 1, int64(len(pool)))
		if !ok {
			return nil, false
		}
		return pool[:count], true
	}
	items := n.items
	if n.kind != sequence {
		items = []*node{n}
	}
	if len(items) == 0 {
		b.add(n.at, "%s is empty: write at least one host", key)
		return nil, false
	}
	seen := make([]bool, len(b.plan.NICs))
	var list []int
	ok := true
	for _, item := range items {
		text, isText := b.scalar(item, key, "a number of hosts, a host, or a list of hosts")
		if !isText {
			return nil, false
		}
		found := b.hostsMatching(text)
		if len(found) == 0 {
			b.add(item.at, "%s: %q means no host: known are %s", key, shorten(text), listEnds(b.graph.Hosts))
			ok = false
		}
		for _, h := range found {
			if !seen[h] {
				seen[h] = true
				list = append(list, h)
			}
		}
	}
	return list, ok && len(list) > 0
}

// hostsMatching returns the hosts that one word means: a name, a range as in
// h0..h7, or a pattern.
func (b *builder) hostsMatching(word string) []int {
	if from, to, ok := strings.Cut(word, ".."); ok {
		return b.hostRange(from, to)
	}
	var list []int
	for i, name := range b.graph.Hosts {
		if ok, _ := path.Match(word, name); ok || word == name {
			list = append(list, i)
		}
	}
	return list
}

// hostRange returns the hosts from one to another, in the order of the fabric;
// none unless both exist and stand in that order.
func (b *builder) hostRange(from, to string) []int {
	first, last := -1, -1
	for i, name := range b.graph.Hosts {
		if name == from {
			first = i
		}
		if name == to {
			last = i
		}
	}
	if first < 0 || last < first {
		return nil
	}
	var list []int
	for i := first; i <= last; i++ {
		list = append(list, i)
	}
	return list
}

// resolveAlgorithm finds what congestion control an entry has: its own, else
// the scenario's. A name among the named sets brings that set's parameters,
// over which the entry's are laid.
func (b *builder) resolveAlgorithm(d *trafficDraft) *plan.Algorithm {
	n := d.algorithm
	if n == nil {
		n = b.algorithm
	}
	if n == nil {
		if written := b.root.child("algorithm"); written != nil {
			b.requireReported(written)
			return nil
		}
		b.add(d.at, "traffic %q has no congestion control: write algorithm here or for the whole scenario", d.Name)
		return nil
	}
	a := b.readAlgorithm(n)
	if a.name == "" {
		b.requireReported(n)
		return nil
	}
	if set := b.algorithms[a.name]; set != nil {
		base := b.readAlgorithm(set)
		base.params = append(base.params, a.params...)
		a = base
		if a.name == "" {
			b.requireReported(set)
			return nil
		}
	}
	out := &plan.Algorithm{Name: a.name, Params: map[string]string{}}
	at := map[string]position{}
	for _, p := range a.params {
		out.Params[p.name], at[p.name] = p.value, p.at
	}
	b.checkAlgorithm(out, a.nameAt, at)
	return out
}

func (b *builder) readAlgorithm(n *node) algorithmDraft {
	if n.kind == scalar {
		name, _ := b.algorithmName(n, "algorithm")
		return algorithmDraft{name: name, nameAt: n.at}
	}
	a := algorithmDraft{}
	algorithmKeys.read(b.reader, n, &a)
	return a
}

func (b *builder) checkAlgorithm(a *plan.Algorithm, at position, params map[string]position) {
	if b.check == nil {
		return
	}
	err := b.check(a.Name, a.Params)
	if err == nil {
		return
	}
	var problem *ParamProblem
	if errors.As(err, &problem) {
		where, ok := params[problem.Param]
		if !ok {
			where = at
		}
		b.add(where, "%s: parameter %s: %s", a.Name, problem.Param, problem.Problem)
		return
	}
	b.add(at, "%s", err)
}
