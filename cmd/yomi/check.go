package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/yomi-shogi/yomi/internal/match"
)

// checkEngine prints how well an engine keeps to the USI protocol. A failed scenario that matters is an error.
func checkEngine(ctx context.Context, s streams, command string) error {
	spec, err := match.ParseSpec(command)
	if err != nil {
		return err
	}
	if len(spec.Command) == 0 {
		return errors.New("the check needs a program, for example: yomi match --check ./usi")
	}
	passed, skipped, failed, mustFailed := 0, 0, 0, 0
	err = match.CheckUSI(ctx, spec.Command, func(r match.CheckResult) {
		level, verdict := "should", "pass"
		if r.Must {
			level = "MUST"
		}
		switch {
		case r.Skipped:
			verdict = "skip"
			skipped++
		case r.Err != nil:
			verdict = "FAIL"
			failed++
			if r.Must {
				mustFailed++
			}
		default:
			passed++
		}
		fmt.Fprintf(s.Out, "%-4s  %-4s %-6s  %s\n", verdict, r.ID, level, r.Title)
		if r.Err != nil {
			fmt.Fprintf(s.Out, "                   %v\n", r.Err)
		}
	})
	if ctx.Err() != nil {
		err = errInterrupted
	}
	fmt.Fprintf(s.Out, "%d passed, %d failed (%d of them MUST), %d skipped\n", passed, failed, mustFailed, skipped)
	if err == nil && mustFailed > 0 {
		err = errors.New("the engine does not keep to the protocol")
	}
	return err
}
