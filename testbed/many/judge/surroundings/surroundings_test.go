//go:build linux && (amd64 || arm64)

package surroundings

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

func TestMain(m *testing.M) {
	Init()
	if len(os.Args) > 1 && os.Args[1] == "look" {
		look()
		return
	}
	os.Exit(m.Run())
}

// seen is a program's view of its surroundings.
type seen struct {
	Now        time.Time
	Seconds    int64 // by the system call time or gettimeofday
	Processors int
	Secret     string
	Page       uintptr
	Inherited  string
}

// look is the program: it prints what it sees, and ends with code 7.
func look() {
	s := seen{Now: time.Now(), Processors: runtime.NumCPU(), Secret: os.Getenv("SECRET")}
	var at unix.Timeval
	if err := unix.Gettimeofday(&at); err != nil {
		panic(err)
	}
	s.Seconds = at.Sec
	page, err := unix.Mmap(-1, 0, 1<<20, unix.PROT_READ, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		panic(err)
	}
	s.Page = uintptr(unsafe.Pointer(&page[0]))
	if f := os.NewFile(5, "inherited"); f != nil {
		text := make([]byte, 100)
		n, _ := f.Read(text)
		s.Inherited = string(text[:n])
	}
	json.NewEncoder(os.Stdout).Encode(s)
	os.Exit(7)
}

// in runs the program in other surroundings; a file comes with it as descriptor 5.
func in(t *testing.T, f Factors) (s seen) {
	t.Helper()
	through, err := f.Through()
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	name := t.TempDir() + "/file"
	if err := os.WriteFile(name, []byte("for the program"), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	c := exec.Command(through[0], append(through[1:], self, "look")...)
	c.Env = f.Environ(append(os.Environ(), "SECRET=seen"))
	c.ExtraFiles = []*os.File{nil, nil, file}
	c.Stderr = os.Stderr
	out, err := c.Output()
	if c.ProcessState.ExitCode() != 7 {
		t.Fatalf("the program's exit code is lost: %v, %q", err, out)
	}
	if err := json.Unmarshal(out, &s); err != nil {
		t.Fatalf("%v: %q", err, out)
	}
	if s.Inherited != "for the program" {
		t.Errorf("descriptor 5 reads %q", s.Inherited)
	}
	return s
}

func TestNothingDiffers(t *testing.T) {
	s := in(t, 0)
	if d := time.Since(s.Now); d < 0 || d > time.Hour {
		t.Errorf("the time is %v", s.Now)
	}
	if s.Processors != runtime.NumCPU() || s.Secret != "seen" {
		t.Errorf("%+v", s)
	}
}

func TestAnotherDay(t *testing.T) {
	before := time.Now()
	s := in(t, Day)
	if s.Now.Year() == before.Year() || s.Now.Month() == before.Month() || s.Now.Weekday() == before.Weekday() ||
		s.Now.Hour() == before.Hour() || s.Now.Before(before.Add(away)) {
		t.Errorf("the time is %v, here it was %v", s.Now, before)
	}
	if d := s.Seconds - s.Now.Unix(); d < 0 || d > 3600 {
		t.Errorf("gettimeofday says %d, clock_gettime %d", s.Seconds, s.Now.Unix())
	}
	if s.Processors != runtime.NumCPU() || s.Secret != "seen" {
		t.Errorf("more than the day differs: %+v", s)
	}
}

func TestOtherProcessors(t *testing.T) {
	var all unix.CPUSet
	if err := unix.SchedGetaffinity(0, &all); err != nil || all.Count() == 1 {
		t.Skip("this host has one processor")
	}
	if s := in(t, Processors); s.Processors != 1 || s.Secret != "seen" {
		t.Errorf("%+v", s)
	}
	runtime.LockOSThread() // and ends with this goroutine
	if err := changeProcessors(); err != nil {
		t.Fatal(err)
	}
	if s := in(t, Processors); s.Processors != all.Count() {
		t.Errorf("from one: %+v, want %d", s, all.Count())
	}
}

func TestOtherEnvironment(t *testing.T) {
	if s := in(t, Environment); s.Secret != "" {
		t.Errorf("%+v", s)
	}
}

// Pages are at the bottom of the address space there, and near its top here. What comes
// first is for the program's threads to race for.
func TestOtherAddresses(t *testing.T) {
	const region = 40 // bits of an address that are not looked at
	here, there, again := in(t, 0).Page>>region, in(t, Addresses).Page>>region, in(t, Addresses).Page>>region
	if there == here || there != again {
		t.Errorf("a page is in region %x here, in %x and %x there", here, there, again)
	}
}

// A script's interpreter is another program, executed by the first.
func TestTheDayIsAnotherForInterpreters(t *testing.T) {
	for _, line := range []string{"date +%s", "env date +%s", "python3 -c 'import time; print(int(time.time()))'"} {
		t.Run(line, func(t *testing.T) {
			program, _, _ := strings.Cut(line, " ")
			if _, err := exec.LookPath(program); err != nil {
				t.Logf("no %s here", program)
				return
			}
			through, err := Day.Through()
			if err != nil {
				t.Fatal(err)
			}
			c := exec.Command(through[0], append(through[1:], "/bin/sh", "-c", "exec "+line)...)
			out, err := c.CombinedOutput()
			seconds := int64(0)
			fmt.Sscan(string(out), &seconds)
			if d := time.Unix(seconds, 0).Sub(time.Now().Add(away)); err != nil || d.Abs() > time.Hour {
				t.Errorf("%s: %v, %q", line, err, out)
			}
		})
	}
}
