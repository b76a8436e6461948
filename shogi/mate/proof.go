package mate

import (
	"fmt"

	"github.com/yomi-shogi/yomi/shogi"
)

// Proof is a mate written out: for every defence the answer. Positions that are reached in several ways stand in it once, so it
// is a graph without cycles rather than a tree. Node 0 is the position of the question.
type Proof struct {
	Start shogi.Position
	Nodes []ProofNode
}

// ProofNode is a position with the attacker to move.
type ProofNode struct {
	// Move is what the attacker plays.
	Move shogi.Move
	// Plies is the length of the mate from here.
	Plies int
	// Defences is all legal replies. It is empty when the move mates.
	Defences []Defence
}

// Defence is a reply of the defender and the node behind it.
type Defence struct {
	Move shogi.Move
	Node int
}

// Proof writes out the proof of a mate, which the last Solve or Quick of this solver must have found for this position. It
// searches again what the table has lost. An error says that the position is not the one, that the proof has more than maxNodes
// positions (0 for no limit), or that so many more positions were searched in vain.
func (s *Solver) Proof(p *shogi.Position, maxNodes int) (Proof, error) {
	s.ctx = nil
	s.grant(s.count + proofExtra)
	k, found := s.table.find(p.BoardKey(), p.Hand(p.Side()), unlimited)
	if !found || k.proof != 0 {
		return Proof{}, fmt.Errorf("no mate is known for %s", p.SFEN())
	}
	b := proofBuilder{solver: s, seen: make(map[uint64]int), maxNodes: maxNodes}
	_, err := b.add(p, int(k.plies))
	return Proof{Start: *p, Nodes: b.nodes}, err
}

// proofExtra is the number of positions to look at for parts of a proof that the table has lost.
const proofExtra = 50_000_000

type proofBuilder struct {
	solver   *Solver
	nodes    []ProofNode
	seen     map[uint64]int
	maxNodes int
}

// add returns the node of a position with mate within the plies.
func (b *proofBuilder) add(p *shogi.Position, plies int) (int, error) {
	i, seen := b.seen[p.Key()]
	if seen && b.nodes[i].Plies <= plies {
		return i, nil
	}
	if b.maxNodes > 0 && len(b.nodes) >= b.maxNodes {
		return 0, fmt.Errorf("the proof has more than %d positions", b.maxNodes)
	}
	k, settled := b.solver.run(p, uint16(plies))
	if !settled || k.proof != 0 {
		return 0, fmt.Errorf("the proof of %s is lost", p.SFEN())
	}
	i = len(b.nodes)
	b.nodes = append(b.nodes, ProofNode{Move: k.move, Plies: int(k.plies)})
	b.seen[p.Key()] = i
	after := *p
	after.Do(k.move)
	var defences []Defence
	for _, m := range after.AppendLegal(make([]shogi.Move, 0, 64)) {
		next := after
		next.Do(m)
		j, err := b.add(&next, int(k.plies)-2)
		if err != nil {
			return 0, err
		}
		defences = append(defences, Defence{m, j})
	}
	b.nodes[i].Defences = defences
	return i, nil
}

// Check plays the proof through: every attacker's move must be a legal check, every legal reply must be there, and every line
// must end in mate within the length that its node tells. It returns what is wrong.
func (p *Proof) Check() error {
	if len(p.Nodes) == 0 {
		return fmt.Errorf("the proof is empty")
	}
	type state struct {
		node int
		key  uint64
	}
	done := make(map[state]bool)
	var check func(pos *shogi.Position, node int) error
	check = func(pos *shogi.Position, node int) error {
		at := state{node, pos.Key()}
		if done[at] {
			return nil
		}
		n := &p.Nodes[node]
		if !pos.IsLegal(n.Move) || !pos.GivesCheck(n.Move) {
			return fmt.Errorf("%s is no legal check in %s", n.Move, pos.SFEN())
		}
		after := *pos
		after.Do(n.Move)
		replies := after.AppendLegal(make([]shogi.Move, 0, 64))
		if len(replies) != len(n.Defences) || len(replies) == 0 && n.Plies < 1 {
			return fmt.Errorf("%d of %d replies to %s are answered in %s", len(n.Defences), len(replies), n.Move, pos.SFEN())
		}
		answers := make(map[shogi.Move]int, len(n.Defences))
		for _, d := range n.Defences {
			answers[d.Move] = d.Node
		}
		for _, m := range replies {
			next, answered := answers[m]
			if !answered || p.Nodes[next].Plies > n.Plies-2 {
				return fmt.Errorf("%s %s is not answered within %d plies in %s", n.Move, m, n.Plies-2, pos.SFEN())
			}
			reached := after
			reached.Do(m)
			if err := check(&reached, next); err != nil {
				return err
			}
		}
		done[at] = true
		return nil
	}
	start := p.Start
	return check(&start, 0)
}
