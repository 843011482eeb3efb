// Package registry finds congestion-control algorithms by name, built in or
// dropped into a folder as a plugin (package process).
//
// Every executable file in a plugin folder counts as a plugin and is started to ask its name; hidden files do not. The
// folder of the running program is searched too, but there only for the algorithms shipped beside it: rocelab-cc serves
// them all, and its argument chooses one; a program called cc-NAME, or a link of that name to cc, serves one. Plugins
// are distinguished by their paths: links to one program are as many plugins. Each name belongs to one algorithm: a
// name that two claim is an error that names both. Of a built-in algorithm and its shipped program the mode takes one.
//
// A program that was added by its path takes the name that it serves, even if another has it.
//
// Programs run from the first look-up until Close. A registry may be used by
// several goroutines.
package registry
