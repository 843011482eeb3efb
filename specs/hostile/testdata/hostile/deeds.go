package main

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// deeds are the actions at a call. One that returns lets the plugin go on as if nothing had happened.
var deeds = map[string]func(){
	"panic": func() { panic("out of cheese") },
	"exit":  func() { fmt.Fprintln(os.Stderr, "I am off"); os.Exit(3) },
	"leave": func() { os.Exit(0) },
	"hang":  func() { time.Sleep(time.Hour) },
	"loop": func() {
		for {
		}
	},
	"stop": func() { unix.Kill(os.Getpid(), unix.SIGSTOP); time.Sleep(time.Hour) },
	"kill": func() { unix.Kill(os.Getpid(), unix.SIGKILL) },
	"deep": func() { deeper(0) },

	"rubbish": func() { fmt.Println("\x1b[2Jno handshake") },
	"elsewhere": func() {
		fmt.Println("1|2|unix|/nonexistent/socket|grpc")
		time.Sleep(time.Hour)
	},
	"silence": func() { os.Stdout.Close(); time.Sleep(time.Hour) },

	"flood":  flood,
	"memory": memory,
	"tasks":  tasks,
	"orphan": func() { children("outlive", 10) },
	"orphans": func() { // and is gone
		children("outlive", 10)
		os.Exit(3)
	},
	"bells":    bells,
	"page":     func() { scribble(1); time.Sleep(time.Hour) },
	"ahead":    func() { page()[8].Store(1 << 40); time.Sleep(time.Hour) },
	"behind":   func() { page()[8].Store(0); time.Sleep(time.Hour) },
	"truncate": func() { impossible("cut the shared page", unix.Ftruncate(3, 0)) },
	"punch":    func() { unix.Fallocate(3, unix.FALLOC_FL_PUNCH_HOLE|unix.FALLOC_FL_KEEP_SIZE, 0, 1<<16); os.Exit(3) },
	"close": func() {
		for fd := range 64 {
			unix.Close(fd)
		}
		time.Sleep(time.Hour) // or the runtime misses its own descriptors, and gives up
	},
	"keeper": func() { unix.Kill(os.Getppid(), unix.SIGKILL); unix.Kill(os.Getppid(), unix.SIGSTOP) },
	"break":  breakOut,
	"rights": rights,
}

func deeper(n int) int { return deeper(n+1) + 1 }

func impossible(what string, err error) {
	if err == nil {
		panic("it let me " + what)
	}
}

// flood writes 60 MB to stderr.
func flood() {
	line := []byte(strings.Repeat("no limit ", 1<<16/9) + "\n")
	for range 60 << 20 / len(line) {
		os.Stderr.Write(line)
	}
}

// memory takes up to 1 GB.
func memory() {
	var held [][]byte
	for range 64 {
		part, err := unix.Mmap(-1, 0, 16<<20, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
		if err != nil {
			break
		}
		for i := 0; i < len(part); i += 4096 {
			part[i] = 1
		}
		held = append(held, part)
	}
	panic(fmt.Sprintf("it let me have %d MB", 16*len(held)))
}

// tasks starts up to 300 processes.
func tasks() {
	started := children("sleep", 300)
	if started > 200 {
		panic(fmt.Sprintf("it let me start %d processes", started))
	}
	os.Exit(3) // or the runtime would, for want of a thread
}

// children starts processes of this program in sessions of their own and returns how
// many there are.
func children(what string, most int) int {
	for i := range most {
		c := exec.Command("/proc/self/exe", what)
		c.Args[0] = os.Args[0]
		c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if c.Start() != nil {
			return i
		}
	}
	return most
}

// live is the life of a child: it ignores all signals that can be.
func live(string) {
	signal.Ignore()
	unix.Prctl(unix.PR_SET_PDEATHSIG, 0, 0, 0, 0)
	time.Sleep(2 * time.Minute)
	os.Exit(0)
}

// page is the memory that is shared with the host, as 64-bit words.
func page() []word {
	var stat unix.Stat_t
	if err := unix.Fstat(3, &stat); err != nil {
		panic(err)
	}
	memory, err := unix.Mmap(3, 0, int(stat.Size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		panic(err)
	}
	return unsafe.Slice((*word)(unsafe.Pointer(&memory[0])), len(memory)/8)
}

type word struct{ value uint64 }

func (w *word) Store(value uint64) { w.value = value }

// scribble fills the page with noise.
func scribble(seed uint64) {
	words := page()
	for i := range words {
		seed = seed*6364136223846793005 + 1442695040888963407
		words[i].Store(seed)
	}
}

// bells fills up all that could be a counter of the kernel, and rings all bells.
func bells() {
	full := [8]byte{0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}
	for fd := 4; fd < 16; fd++ {
		unix.SetNonblock(fd, true)
		unix.Read(fd, make([]byte, 8)) // what was counted before would leave no room
		unix.Write(fd, full[:])
		unix.SetNonblock(fd, false)
	}
	page()[1].Store(^uint64(0))
	page()[9].Store(^uint64(0))
}

// rights panics if this process has a capability; the bounding set by itself gives none.
func rights() {
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		name, set, _ := strings.Cut(line, ":")
		if strings.HasPrefix(name, "Cap") && name != "CapBnd" && strings.Trim(strings.TrimSpace(set), "0") != "" {
			panic("it let me have " + line)
		}
	}
}

// breakOut tries what a container must not let it.
func breakOut() {
	_, err := os.OpenFile("/proc/1/mem", os.O_RDWR, 0)
	impossible("open the daemon's memory", err)
	for _, name := range []string{"/run/rocelab", "/etc/shadow", "/proc/1/fd"} {
		_, err = os.ReadDir(name)
		if _, file := os.ReadFile(name); file == nil {
			err = nil
		}
		impossible("read "+name, err)
	}
	_, err = unix.Socket(unix.AF_PACKET, unix.SOCK_RAW, 0)
	impossible("open a raw socket", err)
	impossible("mount", unix.Mount("none", "/tmp", "tmpfs", 0, ""))
	impossible("enter a new user namespace", unix.Unshare(unix.CLONE_NEWUSER))
	impossible("trace process 1", unix.PtraceAttach(1))
	impossible("kill process 1", unix.Kill(1, unix.SIGKILL))
	impossible("write into its root", os.WriteFile("/owned", nil, 0o600))
	_, err = os.StartProcess("/bin/sh", []string{"sh", "-c", "true"}, &os.ProcAttr{})
	impossible("run a shell", err)
}
