package hosting

import "github.com/rocelab/rocelab/plugins/cc"

// Interpreter runs the program of an algorithm that is not a binary.
type Interpreter struct {
	// Runtime is its name and version, such as "CPython 3.13.5"; "" for none.
	Runtime string
	// Files are the other files of the program, besides the one that is started.
	Files []SourceFile
}

// SourceFile is a file of a program.
type SourceFile struct {
	// Name is below the folder of the file that is started, with slashes; SHA256 is in
	// hexadecimal digits.
	Name, SHA256 string
}

// Interpreted is an algorithm that may run in an interpreter.
type Interpreted interface {
	cc.Algorithm
	Interpreter() Interpreter
}

// InterpreterOf returns the interpreter of an algorithm, the zero value if it has none.
func InterpreterOf(algorithm cc.Algorithm) (none Interpreter) {
	if interpreted, is := algorithm.(Interpreted); is {
		return interpreted.Interpreter()
	}
	return none
}
