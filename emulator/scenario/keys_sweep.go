package scenario

import "github.com/rocelab/rocelab/emulator/document"

var sweepKeys = &object[Sweep]{
	what: "sweep",
	doc:  "Runs that `rocelab sweep` makes of the scenario. It does not change `rocelab run`.",
	fields: []field[Sweep]{
		{
			key: "grid",
			doc: "Keys, each with a list of values: every value of one is combined with every value of the " +
				"others. A key is a path, as in --set: switch.ecn.kmin, traffic.size.",
			schema: func(*outline) schema {
				return schema{"type": "object", "additionalProperties": schema{"type": "array", "minItems": 1}}
			},
			read: readGrid,
		},
		{
			key: "list",
			doc: "Combinations of keys that change together, each a mapping of paths to values.",
			schema: func(*outline) schema {
				return schema{"type": "array", "minItems": 1, "items": schema{"type": "object"}}
			},
			read: readList,
		},
		{
			key: "draw",
			doc: "Keys whose values are drawn, each with its range: 100KB..1MB, 0.01..0.2 or 1..8, both ends included, and " +
				":log after it for as many draws in each decade. A drawn value has four digits.",
			schema: func(*outline) schema {
				return schema{"type": "object", "additionalProperties": schema{"type": "string"}}
			},
			read: readDraw,
		},
		integerField("draws", "", 1, 1_000_000, "Number of draws of the keys of draw.",
			func(s *Sweep) *int { return &s.Draws }),
		integerField("draw_seed", "1", 0, 1<<62, "Seed of the draws.", func(s *Sweep) *uint64 { return &s.DrawSeed }),
		{
			key: "variants",
			doc: "Names of the variants to run. Default all.",
			schema: func(s *outline) schema {
				return schema{"type": "array", "minItems": 1, "items": nameSchema(s)}
			},
			read: readSweepVariants,
		},
		{
			key: "seeds",
			doc: "Seeds of each combination: a number of seeds, 5 for 1 to 5, a range as in 1..5, or a list. Default the " +
				"scenario's own seed.",
			schema: func(*outline) schema {
				return schema{"type": []string{"integer", "string", "array"}}
			},
			read: readSweepSeeds,
		},
		switchField("record", "false", "Keeps the time series of the runs in their folders. By default a sweep "+
			"leaves them out: they are most of a folder's bytes.",
			func(s *Sweep) *bool { return &s.Record }),
	},
	check: func(r *reader, n *node, s *Sweep) {
		if (len(s.Draw) > 0) != (s.Draws > 0) {
			r.add(n.At, "draw and draws go together: the keys, and the number of draws")
		}
		seen := map[string]bool{}
		again := func(path string, at position) {
			if seen[path] {
				r.add(at, "%s is in the sweep twice", path)
			}
			seen[path] = true
		}
		for i := range s.Grid {
			again(s.Grid[i].Path, s.Grid[i].Values[0].at)
		}
		for i := range s.List[:min(1, len(s.List))] {
			for _, setting := range s.List[i] {
				again(setting.Path, setting.at)
			}
		}
		for i := range s.Draw {
			again(s.Draw[i].Path, s.Draw[i].at)
		}
	},
}

func readGrid(r *reader, n *node, s *Sweep) {
	if n.Kind != document.Mapping {
		r.add(n.At, "grid is %s: it must be a mapping of keys to lists of values", document.KindNames[n.Kind])
		return
	}
	for _, e := range n.Entries {
		if e.Value.Kind != document.Sequence || len(e.Value.Items) == 0 {
			r.add(e.At, "grid: %s is %s: it must be a list of values, such as [100KB, 200KB]", shorten(e.Key),
				document.KindNames[e.Value.Kind])
			continue
		}
		checkSweepPath(e.At, e.Key, r.problems)
		axis := Axis{Path: e.Key}
		for _, value := range e.Value.Items {
			axis.Values = append(axis.Values, Setting{Path: e.Key, Text: value.Write(), at: e.At, value: value})
		}
		s.Grid = append(s.Grid, axis)
	}
}

func readList(r *reader, n *node, s *Sweep) {
	if n.Kind != document.Sequence || len(n.Items) == 0 {
		r.add(n.At, "list is %s: it must be a list of mappings of keys to values", document.KindNames[n.Kind])
		return
	}
	for _, item := range n.Items {
		if item.Kind != document.Mapping || len(item.Entries) == 0 {
			r.add(item.At, "an entry of list is %s: it must be a mapping of keys to values", document.KindNames[item.Kind])
			continue
		}
		var row []Setting
		for _, e := range item.Entries {
			checkSweepPath(e.At, e.Key, r.problems)
			row = append(row, Setting{Path: e.Key, Text: e.Value.Write(), at: e.At, value: e.Value})
		}
		if len(s.List) > 0 && !samePaths(s.List[0], row) {
			r.add(item.At, "an entry of list has other keys than the first: all must have the same")
		}
		s.List = append(s.List, row)
	}
}

// samePaths reports whether two combinations are of the same keys.
func samePaths(a, b []Setting) bool {
	of := map[string]bool{}
	for i := range a {
		of[a[i].Path] = true
	}
	for i := range b {
		if !of[b[i].Path] {
			return false
		}
	}
	return len(a) == len(b)
}

func readDraw(r *reader, n *node, s *Sweep) {
	if n.Kind != document.Mapping {
		r.add(n.At, "draw is %s: it must be a mapping of keys to ranges", document.KindNames[n.Kind])
		return
	}
	for _, e := range n.Entries {
		if text, ok := r.scalar(e.Value, e.Key, "a range such as 100KB..1MB"); ok {
			s.Draw = append(s.Draw, newRange(e.At, e.Key, text, r.problems))
		}
	}
}

func readSweepVariants(r *reader, n *node, s *Sweep) {
	if n.Kind != document.Sequence || len(n.Items) == 0 {
		r.add(n.At, "variants is %s: it must be a list of names", document.KindNames[n.Kind])
		return
	}
	s.variantsAt = n.At
	for _, item := range n.Items {
		if name, ok := r.name(item, "variant"); ok {
			s.Variants = append(s.Variants, name)
		}
	}
}

func readSweepSeeds(r *reader, n *node, s *Sweep) {
	text := n.Text
	if n.Kind == document.Sequence {
		text = ""
		for i, item := range n.Items {
			part, ok := r.scalar(item, "a seed", "a number")
			if !ok {
				return
			}
			if text += part; i < len(n.Items)-1 || len(n.Items) == 1 {
				text += ","
			}
		}
		if len(n.Items) == 1 { // a list of one is that seed, not that many
			text = n.Items[0].Text + ".." + n.Items[0].Text
		}
	}
	seeds, err := ParseSeeds(text)
	if err != nil || len(seeds) == 0 {
		r.add(n.At, "seeds %q: %s", shorten(text), ErrSeeds)
		return
	}
	s.Seeds = seeds
}
