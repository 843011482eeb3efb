// Package authoring holds the specs of what an author of an algorithm meets: the
// commands of the guide, docs/algorithms.md, from an empty folder to a judged
// algorithm, and what `rocelab algorithm new` makes.
package authoring
