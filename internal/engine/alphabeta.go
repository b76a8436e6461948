package engine

import (
	"errors"
	"fmt"

	"github.com/yomi-shogi/yomi/uct"
	"github.com/yomi-shogi/yomi/value"
	"github.com/yomi-shogi/yomi/value/alphabeta"
)

// The words of the options that concern alpha-beta.
const (
	engineUCT       = "uct"
	engineAlphaBeta = "alphabeta"
	valueCapture    = "capture"
	judgeFeatures   = "features"
	judgeNet        = "net"
)

// newAlphaBeta returns the alpha-beta searcher that the settings ask for.
func (e *Engine) newAlphaBeta() (*alphabeta.Engine, error) {
	config, err := alphabeta.ParseConfig(alphabeta.Default(), e.set.alphaBeta)
	if err != nil {
		return nil, err
	}
	o := e.alphaBetaOptions()
	o.Config, o.HashMB = config, int(e.set.hashMB)
	if e.set.judge == judgeNet {
		o.NewValue = func() alphabeta.Value { return value.NewNetEvaluator(e.nets.valueNet()) }
	}
	return alphabeta.NewEngine(o)
}

// alphaBetaOptions returns the options of a search by alpha-beta.
func (e *Engine) alphaBetaOptions() alphabeta.Options {
	o := e.options()
	return alphabeta.Options{
		EvalCoef:        o.EvalCoef,
		DrawValue:       o.DrawValue,
		MaxMovesToDraw:  o.MaxMovesToDraw,
		Declaration:     o.Declaration,
		ResignThreshold: o.ResignThreshold,
		MultiPV:         o.MultiPV,
		PVInterval:      o.PVInterval,
		Clock:           o.Clock,
	}
}

// newCapture returns how to make the evaluator that looks at captures before the value net judges.
func (e *Engine) newCapture() uct.Value {
	return alphabeta.NewCaptureSearch(value.NewNetEvaluator(e.nets.valueNet()), alphabeta.DefaultCaptureOptions())
}

// checkAlphaBeta returns an error that names what is wrong in the settings of alpha-beta.
func (s *settings) checkAlphaBeta() error {
	c, err := alphabeta.ParseConfig(alphabeta.Default(), s.alphaBeta)
	switch d := alphabeta.Default(); {
	case err != nil:
		return fmt.Errorf("alpha-beta: %w", err)
	case c.MultiPV != d.MultiPV:
		return errors.New("alpha-beta: multipv has no effect here: set the option MultiPV")
	case c.TableSize != d.TableSize && c.TableSize != 0:
		return fmt.Errorf("alpha-beta: table=%d has no effect here: set the option USI_Hash, or table=0 for no table", c.TableSize)
	}
	return nil
}
