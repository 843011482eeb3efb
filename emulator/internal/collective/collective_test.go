package collective

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

func config(op Operation, method Method, n, chunks, iterations int) *Config {
	c := &Config{
		Name:       "c",
		Operation:  op,
		Method:     method,
		Size:       unit.Bytes(720720 * 16),
		Chunks:     chunks,
		Iterations: iterations,
		Start:      7,
		CrossDSCP:  -1,
	}
	if method == Hierarchical {
		c.Groups = 2
	}
	for r := range n {
		c.Ranks = append(c.Ranks, 100+3*r)
		c.Compute = append(c.Compute, unit.Duration(1+r))
	}
	return c
}

func host(i int) string { return fmt.Sprintf("h%d", i) }

// all yields every operation by every method over several numbers of ranks.
func all(t *testing.T, check func(t *testing.T, c *Config, g *Graph)) {
	for op, methods := range methodsOf {
		for _, m := range methods {
			for _, n := range []int{2, 3, 4, 5, 8, 9, 11, 16} {
				for _, chunks := range []int{1, 4} {
					for _, iterations := range []int{1, 3} {
						for _, groups := range []int{0, 2, 3, 4} {
							c := config(Operation(op), m, n, chunks, iterations)
							c.Groups = groups
							if chunks > 1 && !c.chunked() || m == HalvingDoubling && n&(n-1) != 0 {
								continue
							}
							if (m == Hierarchical) != (groups > 0) || groups > 0 && (n%groups != 0 || n < 2*groups) {
								continue
							}
							t.Run(fmt.Sprintf("%s/%s/%d/%d/%d/%d",
								Operations[op], Methods[m], n, chunks, groups, iterations), func(t *testing.T) {
								if p := c.Check(); p != nil {
									t.Fatal(p)
								}
								check(t, c, c.Expand(host, plan.Flow{}))
							})
						}
					}
				}
			}
		}
	}
}

// sent returns what each rank sends in an iteration, in messages and bytes, as
// the sources count it.
func sent(c *Config, rank int) (messages int, bytes unit.Bytes) {
	n, s, k := len(c.Ranks), c.Size, c.Chunks
	children := min(2, max(0, n-1-2*rank))
	log := 0
	for 1<<log < n {
		log++
	}
	switch c.Method {
	case Ring:
		switch c.Operation {
		case AllReduce:
			return 2 * (n - 1), 2 * s * unit.Bytes(n-1) / unit.Bytes(n)
		case Broadcast:
			if rank == n-1 {
				return 0, 0
			}
			return k, s
		}
		return n - 1, s * unit.Bytes(n-1) / unit.Bytes(n)
	case HalvingDoubling: // S/2 + S/4 + .. S/n = S (n-1)/n
		if c.Operation == AllReduce {
			return 2 * log, 2 * s * unit.Bytes(n-1) / unit.Bytes(n)
		}
		return log, s * unit.Bytes(n-1) / unit.Bytes(n)
	case Tree:
		up := 0
		if c.Operation == AllReduce && rank > 0 {
			up = 1
		}
		return k * (children + up), s * unit.Bytes(children+up)
	case ParameterServer:
		if rank == 0 {
			return n - 1, s * unit.Bytes(n-1)
		}
		return 1, s
	case Hierarchical: // 2 (m-1) S/m around the ring, S/m to each other group
		m := n / c.Groups
		return 2*(m-1) + c.Groups - 1, s * unit.Bytes(2*(m-1)+c.Groups-1) / unit.Bytes(m)
	}
	if c.Operation == Permute {
		return 1, s
	}
	return n - 1, s * unit.Bytes(n-1) / unit.Bytes(n)
}

func TestStepsAndBytes(t *testing.T) {
	all(t, func(t *testing.T, c *Config, g *Graph) {
		messages, bytes := make([]int, len(c.Ranks)), make([]unit.Bytes, len(c.Ranks))
		total := int64(0)
		for i, f := range g.Flows {
			if f.Size != f.Message*unit.Bytes(len(f.Messages)) || f.Start != 7 || f.Ranks != len(c.Ranks) ||
				f.GroupN < 1 {
				t.Errorf("flow %d: %d messages of %v, size %v, start %v, %d ranks, %d flows",
					i, len(f.Messages), f.Message, f.Size, f.Start, f.Ranks, f.GroupN)
			}
			if want := fmt.Sprintf("c/h%d-h%d", f.Src, f.Dst); f.Name != want || f.Src == f.Dst {
				t.Errorf("flow %d is %s, want %s", i, f.Name, want)
			}
			r := (f.Src - 100) / 3
			messages[r] += len(f.Messages)
			bytes[r] += f.Size
			total += int64(len(f.Messages))
		}
		for r := range c.Ranks {
			m, b := sent(c, r)
			if messages[r] != m*c.Iterations || bytes[r] != b*unit.Bytes(c.Iterations) {
				t.Errorf("rank %d sends %d messages, %v; want %d, %v",
					r, messages[r], bytes[r], m*c.Iterations, b*unit.Bytes(c.Iterations))
			}
		}
		if f, m := c.Count(); f != int64(len(g.Flows)) || m != total {
			t.Errorf("Count says %d flows and %d messages, there are %d and %d", f, m, len(g.Flows), total)
		}
	})
}

// set is a set of events: bit r of word i is the computation of rank r in
// iteration i.
type set [3]uint64

func (s *set) add(o set) {
	for i := range s {
		s[i] |= o[i]
	}
}

// execution carries a graph out without time: what comes before each message
// and each phase.
type execution struct {
	*Graph
	rankOf   map[int]int
	messages [][]set
	phases   [][]set
}

// before returns the data that must have arrived before an Await, false if it has not.
func (e *execution) before(rank int, after []plan.Await) (s set, ok bool) {
	for _, a := range after {
		have := e.phases[rank]
		if a.Flow != plan.OwnPhases {
			have = e.messages[a.Flow]
		}
		if a.Count < 1 || int(a.Count) > len(have) {
			return s, false
		}
		s.add(have[a.Count-1])
	}
	return s, true
}

func execute(c *Config, g *Graph) *execution {
	e := &execution{Graph: g, rankOf: map[int]int{}, messages: make([][]set, len(g.Flows)),
		phases: make([][]set, len(c.Ranks))}
	for r, nic := range c.Ranks {
		e.rankOf[nic] = r
	}
	for moved := true; moved; {
		moved = false
		for r := range g.Ranks {
			if k := len(e.phases[r]); k < len(g.Ranks[r].Phases) {
				if s, ok := e.before(r, g.Ranks[r].Phases[k].After); ok {
					if k > 0 {
						s.add(e.phases[r][k-1])
					}
					if k%g.PhasesPerIteration[r] == 0 {
						s[k/g.PhasesPerIteration[r]] |= 1 << r
					}
					e.phases[r] = append(e.phases[r], s)
					moved = true
				}
			}
		}
		for i := range g.Flows {
			f := &g.Flows[i]
			if k := len(e.messages[i]); k < len(f.Messages) {
				if s, ok := e.before(e.rankOf[f.Src], f.Messages[k].After); ok {
					if k > 0 {
						s.add(e.messages[i][k-1])
					}
					e.messages[i] = append(e.messages[i], s)
					moved = true
				}
			}
		}
	}
	return e
}

// Every graph comes to its end, so it has no cycle; a rank is done after the computations whose data it needs; and
// everything that a rank sends follows its own computation.
func TestOrder(t *testing.T) {
	all(t, func(t *testing.T, c *Config, g *Graph) {
		n := len(c.Ranks)
		e := execute(c, g)
		for i := range g.Flows {
			if len(e.messages[i]) != len(g.Flows[i].Messages) {
				t.Fatalf("%s stands still at message %d", g.Flows[i].Name, len(e.messages[i]))
			}
			perIteration := len(g.Flows[i].Messages) / c.Iterations
			for k, s := range e.messages[i] {
				if r := e.rankOf[g.Flows[i].Src]; s[k/perIteration]>>r&1 == 0 {
					t.Errorf("%s sends message %d before it has computed", g.Flows[i].Name, k)
				}
			}
		}
		for r := range n {
			if len(e.phases[r]) != len(g.Ranks[r].Phases) || len(e.phases[r]) != g.PhasesPerIteration[r]*c.Iterations {
				t.Fatalf("rank %d stands still at phase %d", r, len(e.phases[r]))
			}
			needs := uint64(1)<<n - 1
			switch c.Operation {
			case Broadcast:
				needs = 1
			case Permute:
				needs = 1 << ((r + n - 1) % n)
			}
			for i := range c.Iterations {
				compute, done := i*g.PhasesPerIteration[r], (i+1)*g.PhasesPerIteration[r]-1
				if s := e.phases[r][done]; s[i]&needs != needs {
					t.Errorf("rank %d is done with iteration %d after the computations %b, want %b", r, i, s[i], needs)
				}
				if d := g.Ranks[r].Phases[compute].Duration; d != c.Compute[r] {
					t.Errorf("rank %d computes for %v, want %v", r, d, c.Compute[r])
				}
			}
		}
	})
}

// A step of the pairwise exchange begins at a rank when its step before is over at both ends: the rank's own
// message has arrived, and that to it.
func TestPairwiseStepsWaitForBothEnds(t *testing.T) {
	for _, n := range []int{2, 3, 4, 7} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			c := config(AllToAll, Pairwise, n, 1, 3)
			g := c.Expand(host, plan.Flow{})
			flow := map[[2]int]int{}
			for i, f := range g.Flows {
				flow[[2]int{(f.Src - 100) / 3, (f.Dst - 100) / 3}] = i
			}
			for r := range n {
				for s := 2; s < n; s++ {
					sent := flow[[2]int{r, (r + s - 1) % n}]
					received := flow[[2]int{(r + n - s + 1) % n, r}]
					for k, m := range g.Flows[flow[[2]int{r, (r + s) % n}]].Messages {
						if len(m.After) != 1 || m.After[0].Flow != plan.OwnPhases {
							t.Fatalf("rank %d, step %d waits for %v, want its own phases", r, s, m.After)
						}
						begins := g.Ranks[r].Phases[m.After[0].Count-1].After
						for _, i := range []int{sent, received} {
							if !slices.Contains(begins, plan.Await{Flow: i, Count: int64(k + 1)}) {
								t.Errorf("%d ranks: step %d of rank %d begins after %v, want message %d of %s, too",
									n, s, r, begins, k+1, g.Flows[i].Name)
							}
						}
					}
				}
			}
		})
	}
}

// What waits, waits for flows that start or end at its own rank.
func TestWaitsAreLocal(t *testing.T) {
	all(t, func(t *testing.T, c *Config, g *Graph) {
		local := func(nic int, after []plan.Await) {
			for _, a := range after {
				if a.Flow != plan.OwnPhases && g.Flows[a.Flow].Src != nic && g.Flows[a.Flow].Dst != nic {
					t.Errorf("%s waits for %s", host(nic), g.Flows[a.Flow].Name)
				}
			}
		}
		for i := range g.Flows {
			for _, m := range g.Flows[i].Messages {
				local(g.Flows[i].Src, m.After)
			}
		}
		for r := range g.Ranks {
			for _, p := range g.Ranks[r].Phases {
				local(c.Ranks[r], p.After)
			}
		}
	})
}

func grouped(n, groups int) *Config {
	c := config(AllReduce, Hierarchical, n, 1, 1)
	c.Groups = groups
	return c
}

// Between groups each rank sends one message of S/m to the rank in its place in each other group, and nothing else: S
// from a group to another. It waits for the computations of all of the sender's own group, and for none of the other.
// Within a group a message hands on the data received in the step before, and the gathered result is the sum of all.
func TestHierarchy(t *testing.T) {
	for _, x := range []struct{ n, groups int }{{4, 2}, {8, 2}, {16, 4}, {9, 3}} {
		t.Run(fmt.Sprintf("n=%v", x.n), func(t *testing.T) {
			c := grouped(x.n, x.groups)
			m := x.n / x.groups
			g := c.Expand(host, plan.Flow{})
			e := execute(c, g)
			flowOf := map[[2]int]int{}
			for i := range g.Flows {
				flowOf[[2]int{e.rankOf[g.Flows[i].Src], e.rankOf[g.Flows[i].Dst]}] = i
			}
			crossed := map[[2]int]unit.Bytes{}
			for i := range g.Flows {
				from, to := e.rankOf[g.Flows[i].Src], e.rankOf[g.Flows[i].Dst]
				if from/m == to/m {
					before := flowOf[[2]int{from - from%m + (from+m-1)%m, from}]
					for k, msg := range g.Flows[i].Messages {
						if s := e.messages[i][k][0]; k >= m-1 && s != uint64(1)<<x.n-1 {
							t.Errorf("rank %d of %d gathers in message %d what comes after the computations %b",
								from, x.n, k, s)
						}
						if hands := (plan.Await{Flow: before, Count: int64(k)}); k > 0 && k != m-1 &&
							!slices.Contains(msg.After, hands) {
							t.Errorf("rank %d of %d sends message %d after %v, want %v", from, x.n, k, msg.After, hands)
						}
					}
					continue
				}
				if len(g.Flows[i].Messages) != 1 || from%m != to%m {
					t.Errorf("%d messages from rank %d to %d", len(g.Flows[i].Messages), from, to)
				}
				crossed[[2]int{from / m, to / m}] += g.Flows[i].Size
				if own := (uint64(1)<<m - 1) << (from / m * m); e.messages[i][0][0] != own {
					t.Errorf("rank %d of %d sends to rank %d after the computations %b, want %b",
						from, x.n, to, e.messages[i][0][0], own)
				}
			}
			if len(crossed) != x.groups*(x.groups-1) {
				t.Errorf("%d ranks: %d pairs of groups exchange", x.n, len(crossed))
			}
			for pair, b := range crossed {
				if b != c.Size {
					t.Errorf("%v go from group %d to %d, want %v", b, pair[0], pair[1], c.Size)
				}
			}
		})
	}
}

// Messages between groups have a code point of their own if one is set, and no others have it.
func TestCrossDSCP(t *testing.T) {
	for _, cross := range []int{-1, 0, 34} {
		t.Run(fmt.Sprintf("cross=%v", cross), func(t *testing.T) {
			c := grouped(8, 2)
			c.CrossDSCP = cross
			for _, f := range c.Expand(host, plan.Flow{DSCP: 26}).Flows {
				from, to, want := (f.Src-100)/3, (f.Dst-100)/3, 26
				if from/4 != to/4 && cross >= 0 {
					want = cross
				}
				if f.DSCP != want {
					t.Errorf("cross_dscp %d: from rank %d to %d DSCP is %d, want %d", cross, from, to, f.DSCP, want)
				}
			}
		})
	}
}

// GroupN is the number of flows that meet at a receiver in one step.
func TestMeeting(t *testing.T) {
	for _, x := range []struct {
		c        *Config
		from, to int
		want     int
	}{
		{config(AllReduce, Ring, 8, 1, 1), 2, 3, 1},
		{config(AllReduce, HalvingDoubling, 8, 1, 1), 0, 4, 1},
		{config(AllReduce, ParameterServer, 8, 1, 1), 3, 0, 7},
		{config(AllReduce, ParameterServer, 8, 1, 1), 0, 3, 1},
		{config(AllReduce, Tree, 8, 1, 1), 3, 1, 2},
		{config(AllReduce, Tree, 8, 1, 1), 7, 3, 1},
		{config(AllReduce, Tree, 8, 1, 1), 0, 1, 1},
		{config(AllReduce, Tree, 8, 4, 1), 0, 1, 3},
		{grouped(8, 2), 3, 0, 1},
		{grouped(8, 2), 0, 4, 1},
		{grouped(8, 4), 0, 1, 1},
		{grouped(8, 4), 6, 0, 3},
		{config(AllToAll, Direct, 8, 1, 1), 3, 1, 7},
		{config(AllToAll, Pairwise, 8, 1, 1), 3, 1, 1},
	} {
		for _, f := range x.c.Expand(host, plan.Flow{}).Flows {
			if f.Src == x.c.Ranks[x.from] && f.Dst == x.c.Ranks[x.to] && f.GroupN != x.want {
				t.Errorf("%s by %s in %d chunks: %s meets %d flows, want %d",
					Operations[x.c.Operation], Methods[x.c.Method], x.c.Chunks, f.Name, f.GroupN, x.want)
			}
		}
	}
	for _, f := range config(AllReduce, ParameterServer, 8, 1, 1).Expand(host, plan.Flow{GroupN: 3}).Flows {
		if f.GroupN != 3 {
			t.Errorf("%s announces %d flows in spite of the 3 of the template", f.Name, f.GroupN)
		}
	}
}

func TestCheck(t *testing.T) {
	for _, x := range []struct {
		change    func(*Config)
		key, text string
	}{
		{func(c *Config) { c.Ranks = c.Ranks[:1] }, "hosts", "over 1 rank"},
		{func(c *Config) { c.Method = Direct }, "method", "has no method direct"},
		{func(c *Config) { c.Chunks = 2 }, "chunks", "not cut into chunks"},
		{func(c *Config) { c.Method, c.Ranks = HalvingDoubling, c.Ranks[:6] }, "hosts", "a power of two"},
		{func(c *Config) { c.Size++ }, "size", "multiples of 8"},
		{func(c *Config) { c.Groups = 2 }, "groups", "allowed is hierarchical"},
		{func(c *Config) { c.CrossDSCP = 0 }, "cross_dscp", "by ring has no messages between groups"},
		{func(c *Config) { c.Method, c.Groups = Hierarchical, 3 }, "groups",
			"8 ranks do not divide into 3 equal groups of two and more: allowed are 2, 4"},
		{func(c *Config) { c.Method, c.Groups = Hierarchical, 8 }, "groups", "allowed are 2, 4"},
		{func(c *Config) { c.Method, c.Groups, c.Ranks = Hierarchical, 2, c.Ranks[:3] }, "groups",
			"allowed are none for so many ranks: take other hosts, or another method"},
		{func(c *Config) { c.Method, c.Groups, c.Size = Hierarchical, 2, c.Size+1 }, "size",
			"one for each rank of a group: allowed are multiples of 4"},
		{func(c *Config) { c.Size = 0 }, "size", "multiples of 8"},
		{func(c *Config) { c.Size = 8 * (2<<30 + 1) }, "size", "up to 2 GiB"},
	} {
		c := config(AllReduce, Ring, 8, 1, 1)
		x.change(c)
		if p := c.Check(); p == nil || p.Key != x.key || !strings.Contains(p.Text, x.text) {
			t.Errorf("Check says %v, want %s: ..%s", p, x.key, x.text)
		}
	}
}

// nccl-tests, doc/PERFORMANCE.md: 2(n-1)/n, (n-1)/n or 1.
func TestBusFactor(t *testing.T) {
	for op, want := range map[Operation]float64{
		AllReduce:     1.75,
		AllGather:     0.875,
		ReduceScatter: 0.875,
		AllToAll:      0.875,
		Broadcast:     1,
		Permute:       1,
	} {
		t.Run(fmt.Sprintf("op=%v", op), func(t *testing.T) {
			if got := op.busFactor(8); got != want {
				t.Errorf("%s over 8 ranks: %v, want %v", Operations[op], got, want)
			}
		})
	}
}
