//go:build !unix

package usi

import "os/exec"

// ownGroup does nothing here: there are no process groups.
func ownGroup(*exec.Cmd) {}

// killGroup kills the command.
func killGroup(command *exec.Cmd) { _ = command.Process.Kill() }
