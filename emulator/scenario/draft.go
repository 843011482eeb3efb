package scenario

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Draft is the description of a new scenario.
type Draft struct {
	// Name of the scenario.
	Name string
	// Hosts in all, from 2 to 65536, and Rate of every link.
	Hosts int
	Rate  unit.BitRate
	// Topology is star, leaf-spine or fat-tree.
	Topology string
	// Jobs, at least one: incast, all-reduce, all-to-all or poisson. Collectives share the hosts in equal parts; an incast
	// ends at the last host, and a poisson load comes from all hosts.
	Jobs []string
	// Algorithms by name, at least one; several become variants.
	Algorithms []string
	// Length of the traffic at line rate, with the fabric to itself; above 0.
	Length unit.Duration
}

// Topologies and JobKinds of drafts, the default first.
var (
	Topologies = []string{"star", "leaf-spine", "fat-tree"}
	JobKinds   = []string{"incast", "all-reduce", "all-to-all", "poisson"}
)

const (
	leastHosts = 2
	mostHosts  = 65536
)

// Text returns the scenario, in YAML with comments. An error names the value and the allowed ones.
func (d *Draft) Text() ([]byte, error) {
	filled := drafted{Draft: d}
	if err := filled.fill(); err != nil {
		return nil, err
	}
	w := &draftWriter{}
	w.head(d.Name)
	w.topology(&filled)
	w.traffic(&filled)
	w.rest(&filled)
	return []byte(w.String()), nil
}

// drafted is a draft with what follows from it.
type drafted struct {
	*Draft
	// Leaves, PerLeaf and K are the dimensions of a leaf-spine and a fat tree.
	Leaves, PerLeaf, K int
	// Traffic has an entry for each job.
	Traffic []draftedJob
	// Incast reports whether one of the jobs is an incast: its run without congestion proves nothing.
	Incast bool
}

// draftedJob is an entry of the traffic.
type draftedJob struct {
	Name, Kind  string
	First, Last int
	Size        unit.Bytes
}

// Collective reports whether the job is an operation of ranks.
func (j *draftedJob) Collective() bool { return j.Kind == "all-reduce" || j.Kind == "all-to-all" }

func (d *drafted) fill() error {
	if d.Hosts < leastHosts || d.Hosts > mostHosts {
		return fmt.Errorf("hosts %d: allowed are %d to %d", d.Hosts, leastHosts, mostHosts)
	}
	if d.Rate <= 0 {
		return fmt.Errorf("rate %v: allowed is above 0, such as 400Gbps", d.Rate)
	}
	if d.Length <= 0 {
		return fmt.Errorf("length %v: allowed is above 0, such as 1ms", d.Length)
	}
	if len(d.Algorithms) == 0 || len(d.Jobs) == 0 {
		return errors.New("a scenario has at least one job and one algorithm")
	}
	if err := d.dimensions(); err != nil {
		return err
	}
	return d.jobs()
}

// dimensions lays the hosts out.
func (d *drafted) dimensions() error {
	switch d.Topology {
	case "star":
		return nil
	case "leaf-spine":
		if d.PerLeaf = leafOf(d.Hosts); d.PerLeaf < 2 {
			return fmt.Errorf("hosts %d: leaves have the same number of hosts, two or more: allowed is a product, such as "+
				"%d", d.Hosts, nearProduct(d.Hosts))
		}
		d.Leaves = d.Hosts / d.PerLeaf
		return nil
	case "fat-tree":
		var sizes []string
		for k := 4; k*k*k/4 <= mostHosts; k += 2 {
			if k*k*k/4 == d.Hosts {
				d.K = k
				return nil
			}
			sizes = append(sizes, fmt.Sprint(k*k*k/4))
		}
		return fmt.Errorf("hosts %d: a fat tree of k-port switches has k*k*k/4: allowed are %s and so on", d.Hosts,
			strings.Join(sizes[:6], ", "))
	}
	return fmt.Errorf("topology %s: allowed are %s", d.Topology, strings.Join(Topologies, ", "))
}

// leafOf is the number of hosts at a leaf: the largest divisor that is at most the number of leaves; 1 for a prime.
func leafOf(hosts int) int {
	best := 1
	for n := 2; n*n <= hosts; n++ {
		if hosts%n == 0 {
			best = n
		}
	}
	return best
}

// nearProduct is the number of hosts nearest to n that leaves can share.
func nearProduct(n int) int {
	for far := 1; ; far++ {
		if n+far <= mostHosts && leafOf(n+far) > 1 {
			return n + far
		}
		if n-far >= 4 && leafOf(n-far) > 1 {
			return n - far
		}
	}
}

// jobs sizes the traffic such that each job takes about the length at line rate.
func (d *drafted) jobs() error {
	collectives := 0
	for _, job := range d.Jobs {
		if !slices.Contains(JobKinds, job) {
			return fmt.Errorf("job %s: allowed are %s", job, strings.Join(JobKinds, ", "))
		}
		if job == "all-reduce" || job == "all-to-all" {
			collectives++
		}
	}
	ranks := 0
	if collectives > 0 {
		if ranks = d.Hosts / collectives; ranks < 2 {
			return fmt.Errorf("hosts %d: %d collectives have at least two hosts each", d.Hosts, collectives)
		}
	}
	sent := d.Rate.BytesIn(d.Length)
	first := 0
	for i, kind := range d.Jobs {
		job := draftedJob{Name: fmt.Sprintf("%s%d", kind, i), Kind: kind, Last: d.Hosts - 1}
		switch kind {
		case "incast":
			d.Incast = true
			job.Size = sent / unit.Bytes(d.Hosts-1)
		case "all-reduce": // a ring sends 2 (n-1)/n of the size
			job.Size = sent * unit.Bytes(ranks) / unit.Bytes(2*(ranks-1))
		case "all-to-all": // a rank sends (n-1)/n of the size
			job.Size = sent * unit.Bytes(ranks) / unit.Bytes(ranks-1)
		}
		if job.Collective() {
			job.First, job.Last = first, first+ranks-1
			first += ranks
		}
		job.Size = max(rounded(job.Size), 1000)
		d.Traffic = append(d.Traffic, job)
	}
	return nil
}

// rounded keeps two digits of a size.
func rounded(b unit.Bytes) unit.Bytes {
	step := unit.Bytes(1)
	for b/step >= 100 {
		step *= 10
	}
	return b / step * step
}
