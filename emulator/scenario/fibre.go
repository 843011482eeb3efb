package scenario

import "github.com/rocelab/rocelab/plugins/cc/unit"

// fibre is a long link by its length.
type fibre struct {
	length    unit.Length
	equipment unit.Duration
}

// latency returns the latency of the fibre; it refuses a fibre without latency.
func (l *fibre) latency(r *reader, n *node, key string) unit.Duration {
	d := l.length.Propagation() + l.equipment
	if d <= 0 {
		r.add(n.Where(key),
			"%s is 0 and there is no equipment delay: a link without latency would leave the run's windows no "+
				"length; allowed is at least 1mm, or an equipment delay", key)
		return unit.Picosecond
	}
	return d
}
