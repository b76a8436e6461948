//go:build !purego

package simd

import "golang.org/x/sys/cpu"

func hasAVX2() bool { return cpu.X86.HasAVX2 }
