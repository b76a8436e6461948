package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/yomi-shogi/yomi/internal/dashboard"
	"github.com/yomi-shogi/yomi/internal/engine"
)

// serve shows the trace in a browser until Ctrl-C.
func (c *treeShowCmd) serve(ctx context.Context, s streams) error {
	trace, err := dashboard.NewTrace(c.Trace)
	if err != nil {
		return err
	}
	server, err := dashboard.Listen(dashboard.Config{Address: c.Address, Token: c.Token, Version: "yomi " + engine.Version()}, trace)
	if err != nil {
		return fmt.Errorf("--address: %w", err)
	}
	fmt.Fprintf(s.Out, "%s\nOpen this address in a browser; Ctrl-C ends.\n", server.URL())
	<-ctx.Done()
	return server.Close()
}

// checkServe refuses flags that do not go with --serve.
func (c *treeShowCmd) checkServe() error {
	switch {
	case !c.Serve && c.Token != "":
		return errors.New("--token needs --serve")
	case !c.Serve:
		return nil
	case c.Trace == "":
		return errors.New("--serve needs a trace, for example: yomi tree --serve think.trace")
	case c.Picture != "" || c.Script != "":
		return errors.New("--serve goes with neither --picture nor --script")
	}
	return nil
}
