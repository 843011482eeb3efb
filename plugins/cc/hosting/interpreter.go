package hosting

import "github.com/rocelab/rocelab/plugins/cc"

// Interpreter describes the interpreter of an algorithm's program, if the program is not a binary.
type Interpreter struct {
	// Runtime is its name and version, such as "CPython 3.13.5"; "" for none.
	Runtime string
	// Files are the program's files besides the file that is started.
	Files []SourceFile
}

// SourceFile is a file of a program.
type SourceFile struct {
	// Name is below the folder of the file that is started, with slashes; SHA256 is in
	// hexadecimal digits.
	Name, SHA256 string
}

// Interpreted is an algorithm that can report to the host whether it runs in an interpreter.
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
