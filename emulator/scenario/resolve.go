package scenario

import (
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/document"
	"github.com/rocelab/rocelab/emulator/internal/traffic"
	"github.com/rocelab/rocelab/emulator/plan"
)

// resolveHosts finds the hosts that an entry's selectors mean.
func (b *builder) resolveHosts(draft *trafficDraft) bool {
	if len(b.plan.NICs) == 0 {
		b.add(draft.at, "traffic %q needs emulated NICs: every host of the topology is an edge", draft.Name)
		return false
	}
	all := make([]int, len(b.plan.NICs))
	for i := range all {
		all[i] = i
	}
	ok := true
	switch draft.Kind {
	case traffic.Flow:
		if draft.from == nil || draft.to == nil {
			return false
		}
		draft.Receivers, ok = b.hosts(draft.to, "to", all)
		senders, ok2 := b.hosts(draft.from, "from", all)
		draft.Senders, ok = senders, ok && ok2
	case traffic.Incast:
		ok = b.resolveIncast(draft, all)
		if draft.SendersPerEvent > 0 {
			return ok
		}
	default:
		draft.Senders = all
		if draft.from != nil {
			draft.Senders, ok = b.hosts(draft.from, "hosts", all)
		}
		if ok && len(draft.Senders) < 2 {
			b.add(draft.at, "traffic %q has %d host: %s needs at least two",
				draft.Name, len(draft.Senders), withArticle(traffic.KindNames[draft.Kind]))
			return false
		}
	}
	if ok && draft.Kind != traffic.Poisson && draft.Kind != traffic.Collective && draft.Count() == 0 {
		b.add(draft.at, "traffic %q has no flow: its only sender is its receiver", draft.Name)
		return false
	}
	return ok
}

// resolveIncast finds an incast's receiver and its senders, or the hosts among
// whom both are drawn.
func (b *builder) resolveIncast(draft *trafficDraft, all []int) (ok bool) {
	if draft.SendersPerEvent > 0 && draft.to == nil {
		return b.resolvePool(draft, all, 1)
	}
	draft.Receivers = all[len(all)-1:]
	if draft.to != nil {
		if draft.to.Kind == document.Scalar && !draft.to.Quoted && isNumber(draft.to.Text) {
			b.add(draft.to.At, "receiver is %s: an incast has one receiver, written by its name", draft.to.Text)
			return false
		}
		if draft.Receivers, ok = b.hosts(draft.to, "receiver", all); !ok {
			return false
		}
		if len(draft.Receivers) != 1 {
			b.add(draft.to.At, "receiver means %d hosts: an incast has one", len(draft.Receivers))
			return false
		}
	}
	if draft.SendersPerEvent > 0 {
		return b.resolvePool(draft, without(all, draft.Receivers[0]), 0)
	}
	draft.Senders = without(all, draft.Receivers[0])
	if draft.from == nil {
		return true
	}
	if draft.Senders, ok = b.hosts(draft.from, "senders", draft.Senders); ok {
		draft.Senders = without(draft.Senders, draft.Receivers[0])
	}
	return ok
}

func isNumber(text string) bool {
	_, err := strconv.Atoi(text)
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

// hosts returns the hosts with a NIC of ours that a selector means, each once, in the order in
// which it names them; pool is what a number counts through.
func (b *builder) hosts(n *node, key string, pool []int) ([]int, bool) {
	if n.Kind == document.Scalar && !n.Quoted && isNumber(n.Text) {
		count, ok := b.integer(n, key, 1, int64(len(pool)))
		if !ok {
			return nil, false
		}
		return pool[:count], true
	}
	items := n.Items
	if n.Kind != document.Sequence {
		items = []*node{n}
	}
	if len(items) == 0 {
		b.add(n.At, "%s is empty: write at least one host", key)
		return nil, false
	}
	var seen []bool
	var list []int
	ok := true
	for _, item := range items {
		text, isText := b.scalar(item, key, "a number of hosts, a host, or a list of hosts")
		if !isText {
			return nil, false
		}
		found := b.hostsMatching(text)
		if len(items) == 1 && len(found) > 0 {
			return slices.Clone(found), true
		} else if seen == nil {
			seen = make([]bool, len(b.plan.NICs))
		}
		if len(found) == 0 {
			b.add(item.At, "%s: %s; all is every host", key, b.meansNoHost(text))
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
// h0..h7, a pattern, or all, where no host has that name. The list is not to be written to: each word is
// looked for once.
func (b *builder) hostsMatching(word string) []int {
	if b.words == nil {
		b.words = map[string][]int{}
		for i, name := range b.nicNames() {
			if !strings.ContainsAny(name, `*?[\`) && !strings.Contains(name, "..") { // a name and nothing else
				b.words[name] = append(b.words[name], i)
			}
		}
	}
	list, ok := b.words[word]
	if !ok {
		list = findHosts(b.nicNames(), word)
		b.words[word] = list
	}
	return list
}

// findHosts returns the hosts that a word means, of those with these names.
func findHosts(names []string, word string) []int {
	if from, to, ok := strings.Cut(word, ".."); ok {
		return hostRange(names, from, to)
	}
	var list []int
	for i, name := range names {
		if ok, _ := path.Match(word, name); ok || word == name {
			list = append(list, i)
		}
	}
	if len(list) == 0 && word == "all" {
		return findHosts(names, "*")
	}
	return list
}

// hostRange returns the hosts from one to another, in the order of the fabric;
// none unless both exist and stand in that order.
func hostRange(names []string, from, to string) []int {
	first, last := -1, -1
	for i, name := range names {
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
func (b *builder) resolveAlgorithm(draft *trafficDraft) *plan.Algorithm {
	n := draft.algorithm
	if n == nil {
		n = b.algorithm
	}
	if n == nil {
		if written := b.root.Child("algorithm"); written != nil {
			b.requireReported(written)
			return nil
		}
		b.add(draft.at, "traffic %q has no congestion control: write algorithm here or for the whole scenario, "+
			"or name one with --algorithm", draft.Name)
		return nil
	}
	return b.algorithmOf(n)
}

// algorithmOf is the algorithm that is written at n, nil if it is refused.
func (b *builder) algorithmOf(n *node) *plan.Algorithm {
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
	if n.Kind == document.Scalar {
		name, _ := b.algorithmName(n, "algorithm")
		return algorithmDraft{name: name, nameAt: n.At}
	}
	a := algorithmDraft{}
	algorithmKeys.read(b.reader, n, &a)
	return a
}

func (b *builder) checkAlgorithm(algorithm *plan.Algorithm, at position, params map[string]position) {
	if b.check == nil {
		return
	}
	err := b.check(algorithm.Name, algorithm.Params)
	if err == nil {
		return
	}
	var problem *ParamProblem
	if errors.As(err, &problem) {
		where, ok := params[problem.Param]
		if !ok {
			where = at
		}
		b.add(where, "%s: parameter %s: %s", algorithm.Name, problem.Param, problem.Problem)
		return
	}
	b.add(at, "%s", err)
}
