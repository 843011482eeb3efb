// Package schemata builds test programs that hold many mutants at once. Which one acts is a number in the environment
// of the process, NumberVariable, so that a mutant costs a process and not a build. No file of the tree changes: the go
// command is handed an overlay. Any package of the module then imports chosen, so this is not below internal/.
//
// Source: Untch, Offutt and Harrold, "Mutation analysis using mutant schemata", ISSTA 1993.
//
// An Edit is any change inside a function. The function's body stands in the overlay once more for each edit, in front
// of the body as it is:
//
//	func f(a int) int {
//		if chosen.Mutant == 17 {
//			return a - 1
//			panic(...)
//		}
//		return a + 1
//	}
//
// Receivers, type parameters, results with names and deferred calls are therefore the function's own. An edit outside
// every function, of a function with labels, or of a body that the compiler refuses beside the others is not in the
// program; Build returns it with the reason, and a caller that tries all edits builds it by itself.
//
// A Comparison is a <, <=, > or >= of the source; its mutant includes or excludes the edge of equal sides. It becomes a
// call, chosen.Less(17, a, b), that evaluates both sides once and records whether they were ever equal: if they never
// are, the program's tests cannot see the mutant, and that is known without a process.
//
// The package chosen is written into the overlay. In it the number is read once, before any other package of the
// project begins. Programs that a test builds by itself do not have the overlay.
package schemata
