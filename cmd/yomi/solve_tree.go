package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/shogi/mate"
)

// writeTree prints the proof of the mate that the solver has just found.
func (c *solveCmd) writeTree(w io.Writer, solver *mate.Solver, p *shogi.Position) error {
	proof, err := solver.Proof(p, c.Max)
	if err != nil {
		return err
	}
	if err := proof.Check(); err != nil {
		return err
	}
	if c.Tree == "dot" {
		return writeProofDOT(w, &proof)
	}
	return writeProofText(w, &proof)
}

// writeProofText prints the proof as an indented tree: each answer behind its defence. A position that has been printed before
// is referred to by the number in brackets.
//
//	[1] ☗１三龍(24) mate in 7
//	  ☖２一玉(32): [2] ☗…
func writeProofText(w io.Writer, proof *mate.Proof) error {
	out := bufio.NewWriter(w)
	numbers := make(map[int]int, len(proof.Nodes))
	var write func(pos *shogi.Position, node int, indent string)
	write = func(pos *shogi.Position, node int, indent string) {
		n := &proof.Nodes[node]
		if number, printed := numbers[node]; printed {
			fmt.Fprintf(out, "see [%d]\n", number)
			return
		}
		numbers[node] = len(numbers) + 1
		fmt.Fprintf(out, "[%d] %s %s, mate in %d\n", numbers[node], n.Move, pos.JapaneseMove(n.Move), n.Plies)
		after := *pos
		after.Do(n.Move)
		for _, d := range n.Defences {
			next := after
			next.Do(d.Move)
			fmt.Fprintf(out, "%s  %s %s: ", indent, d.Move, after.JapaneseMove(d.Move))
			write(&next, d.Node, indent+"  ")
		}
	}
	start := proof.Start
	write(&start, 0, "")
	return out.Flush()
}

// writeProofDOT prints the proof as a graph in Graphviz's language: nodes are the attacker's answers, edges the defences.
func writeProofDOT(w io.Writer, proof *mate.Proof) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "digraph mate {\n\tlabel=\"%s\";\n\tnode [shape=box];\n", strings.ReplaceAll(proof.Start.SFEN(), `"`, ""))
	for i, n := range proof.Nodes {
		fmt.Fprintf(out, "\tn%d [label=\"%s\\nmate in %d\"];\n", i, n.Move, n.Plies)
		for _, d := range n.Defences {
			fmt.Fprintf(out, "\tn%d -> n%d [label=\"%s\"];\n", i, d.Node, d.Move)
		}
	}
	fmt.Fprintln(out, "}")
	return out.Flush()
}
