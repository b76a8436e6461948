//go:build !linux

package usi

// pin does nothing here.
func pin(int, int) {}
