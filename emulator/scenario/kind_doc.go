package scenario

import "strings"

// The doc of a key that several kinds have describes their differences. Its text has a place for that:
//
//	{kinds}     each kind with what the key is in it and its default
//	{meanings}  each kind with what the key is in it
//	{defaults}  each kind with its default
//	{words}     what the key is in each kind, in a whole phrase,
//	            with {default} for the default
//
// A default that finds no place there is given in a sentence at the end.

// documented fills the places in the doc of a key that several kinds have.
func documented(doc, name string) string {
	var all, meanings, defaults, words []string
	for _, kind := range kinds {
		k := kind.key(name)
		if k == nil {
			continue
		}
		def := k.documentedDefault()
		clause := kind.name
		if k.means != "" {
			clause += " " + k.means
			meanings = append(meanings, kind.name+" "+k.means)
			words = append(words, strings.Replace(k.means, "{default}", def, 1))
		}
		if def != "" {
			clause += ", by default " + def
			defaults = append(defaults, kind.name+" "+def)
		}
		if clause != kind.name {
			all = append(all, clause)
		}
	}
	placed := strings.NewReplacer(
		"{kinds}", joinClauses(all),
		"{meanings}", strings.Join(meanings, ", in "),
		"{defaults}", strings.Join(defaults, ", in "),
		"{words}", strings.Join(words, "; "),
	).Replace(doc)
	if placed == doc && len(all) > 0 {
		placed += " In " + joinClauses(all) + "."
	}
	return placed
}

// documentedDefault returns the default of a common key if the kind has another one, with the defaults of its scales.
func (k *key) documentedDefault() string {
	switch {
	case len(k.scaled) == 0 || k.field.def == "":
		return k.field.def
	case len(k.scaled) > 1 && sameDefaults(k.scaled):
		return k.field.def + " or when scaled " + k.scaled[0].def
	}
	return k.field.def + ", or " + listScaled(k.scaled, " and ")
}

// joinClauses joins the clauses on each kind.
func joinClauses(clauses []string) string {
	if last := len(clauses) - 1; last > 0 {
		return strings.Join(clauses[:last], ", in ") + ", and in " + clauses[last]
	}
	return strings.Join(clauses, "")
}

func sameDefaults(list []scaledDefault) bool {
	for _, s := range list {
		if s.def != list[0].def {
			return false
		}
	}
	return true
}

// listScaled lists defaults with their scales.
func listScaled(list []scaledDefault, joint string) string {
	var parts []string
	for i, s := range list {
		at := " at "
		if i == 0 {
			at = " at scale "
		}
		parts = append(parts, s.def+at+s.scale)
	}
	return strings.Join(parts, joint)
}
