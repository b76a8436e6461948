package engine

import (
	"context"
	"errors"

	"github.com/yomi-shogi/yomi/internal/dashboard"
	"github.com/yomi-shogi/yomi/internal/search"
)

// pages is the live dashboard, while Inspect_Address is set.
type pages struct {
	address, token string // as set when the server was started or could not be
	live           *dashboard.Live
	server         *dashboard.Server
}

// openPages starts or ends the dashboard as the settings want it, and returns what to say about it. What failed is not tried again until the
// settings change.
func (e *Engine) openPages() []string {
	p, s := &e.pages, &e.set.inspect
	if s.address == p.address && s.token == p.token {
		return nil
	}
	err := p.close()
	p.address, p.token = s.address, s.token
	if p.address == "" || err != nil {
		return nil
	}
	live := dashboard.NewLive(e.subject())
	server, err := dashboard.Listen(dashboard.Config{Address: p.address, Token: p.token, Version: "yomi " + Version()}, live)
	if err != nil {
		return []string{"Error: Inspect_Address: " + err.Error()}
	}
	p.live, p.server = live, server
	return []string{"dashboard at " + server.URL()}
}

// close ends the server.
func (p *pages) close() error {
	if p.server == nil {
		return nil
	}
	err := p.server.Close()
	p.live, p.server = nil, nil
	return err
}

// subject returns what the dashboard shows.
func (e *Engine) subject() dashboard.Subject {
	s := dashboard.Subject{Engine: search.EngineUCT, Searcher: e.searcher, EvalCoef: e.evalCoef(), UCB1: e.set.formula == formulaUCB1,
		Options: e.values(), Value: e.nets.value, Policy: e.nets.policy}
	if e.set.engine == engineAlphaBeta {
		s.Engine = search.EngineAlphaBeta
	}
	return s
}

// values returns the options with their values; the token is left out.
func (e *Engine) values() []dashboard.Option {
	var list []dashboard.Option
	for i := range e.table {
		o := &e.table[i]
		if o.field == nil || o.Name == tokenOption {
			continue
		}
		list = append(list, dashboard.Option{Name: o.Name, Value: o.get(&e.set), Default: o.Default})
	}
	return list
}

// beginPages has the dashboard watch the search that comes. The function that it returns ends that.
func (e *Engine) beginPages(ctx context.Context) (end func()) {
	if e.pages.live == nil {
		return func() {}
	}
	return e.pages.live.Begin(ctx, e.subject())
}

// apart calls a function that changes or gives up the tree, while the dashboard does not look at it.
func (e *Engine) apart(do func()) {
	if e.pages.live == nil {
		do()
		return
	}
	e.pages.live.Forget(do)
}

// Close ends what the engine holds open beside memory: the trace and the dashboard. It may be used again afterwards.
func (e *Engine) Close() error {
	e.watching.path, e.pages.address, e.pages.token = "", "", ""
	return errors.Join(e.watching.close(), e.pages.close())
}
