//go:build unix

package usi

import (
	"os/exec"
	"syscall"
)

// ownGroup makes the command the leader of a process group, so that what it starts can be ended with it and Ctrl-C in a
// terminal reaches only the program that plays the match.
func ownGroup(command *exec.Cmd) { command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills the command, even if it has left its group, and its descendants. Those that have ended are no error.
func killGroup(command *exec.Cmd) {
	_ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL)
	_ = command.Process.Kill()
}
