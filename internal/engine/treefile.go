package engine

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/yomi-shogi/yomi/internal/nn"
	"github.com/yomi-shogi/yomi/uct"
)

// A tree file is zstd (with its checksum) around a line of words and the tree as uct.Save writes it:
//
//	yomi-tree 2 policy=net:5f0c… value=net:88a1…⏎ MessagePack …
//
// The words name the evaluators that the tree was made with; a tree of others is refused, because its numbers would mix with theirs.

// treeFileMagic begins a tree file. The number goes up when the format changes.
const treeFileMagic = "yomi-tree 2"

// makers names the evaluators in use, nets by the hash of their weights.
func (e *Engine) makers() string {
	name := func(kind string, about func() *nn.File) string {
		if kind != policyNetwork && kind != valueCapture {
			return kind
		}
		return kind + ":" + about().Fingerprint()
	}
	return fmt.Sprintf("policy=%s value=%s",
		name(e.set.policy, func() *nn.File { return e.nets.policyNet().About() }),
		name(e.set.value, func() *nn.File { return e.nets.valueNet().About() }))
}

// saveTree writes the tree of the latest searches to the file of TreeFile, and says what it did.
func (e *Engine) saveTree() (string, error) {
	switch {
	case e.set.treePath == "":
		return "", fmt.Errorf("SaveTree: set TreeFile first")
	case e.searcher == nil:
		return "", fmt.Errorf("SaveTree: there is no tree yet")
	}
	partial := e.set.treePath + ".partial"
	if err := e.writeTree(partial); err != nil {
		_ = os.Remove(partial)
		return "", fmt.Errorf("SaveTree: %w", err)
	}
	if err := os.Rename(partial, e.set.treePath); err != nil {
		_ = os.Remove(partial)
		return "", fmt.Errorf("SaveTree: %w", err)
	}
	return fmt.Sprintf("%d nodes saved to %s", e.searcher.Stats().UsedSlots, e.set.treePath), nil
}

func (e *Engine) writeTree(path string) (err error) {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() {
		if closing := file.Close(); err == nil {
			err = closing
		}
	}()
	packed, err := zstd.NewWriter(file, zstd.WithEncoderCRC(true), zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(packed, "%s %s\n", treeFileMagic, e.makers()); err != nil {
		return err
	}
	if err := uct.Save(packed, e.searcher); err != nil {
		return err
	}
	if err := packed.Close(); err != nil {
		return err
	}
	return file.Sync()
}

// loadTree replaces the tree by that of TreeFile, and says what it did. After an error the tree is empty, or as it was when the file was
// refused before reading the tree.
func (e *Engine) loadTree() (string, error) {
	if e.set.treePath == "" {
		return "", fmt.Errorf("LoadTree: set TreeFile first")
	}
	if e.searcher == nil {
		return "", fmt.Errorf("LoadTree: only the tree search has a tree")
	}
	file, err := os.Open(e.set.treePath)
	if err != nil {
		return "", fmt.Errorf("LoadTree: %w", err)
	}
	defer file.Close()
	if err := e.readTree(file); err != nil {
		return "", fmt.Errorf("LoadTree: %s: %w", e.set.treePath, err)
	}
	return fmt.Sprintf("%d nodes loaded from %s", e.searcher.Stats().UsedSlots, e.set.treePath), nil
}

func (e *Engine) readTree(file io.Reader) error {
	unpacked, err := zstd.NewReader(file, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(1<<26))
	if err != nil {
		return err
	}
	defer unpacked.Close()
	in := bufio.NewReader(unpacked)
	head, err := readLine(in)
	if err != nil {
		return fmt.Errorf("no tree file: %w", err)
	}
	if want := treeFileMagic + " " + e.makers(); head != want {
		if !strings.HasPrefix(head, treeFileMagic+" ") {
			return fmt.Errorf("no tree file of this version")
		}
		return fmt.Errorf("made with other evaluators (%s)", strings.TrimPrefix(head, treeFileMagic+" "))
	}
	if err := uct.Load(in, e.searcher); err != nil {
		return err
	}
	// What is left is read, so that the checksum behind it is verified.
	if _, err := io.Copy(io.Discard, in); err != nil {
		e.searcher.Clear()
		return err
	}
	return nil
}

// readLine reads a line of at most 1 kB.
func readLine(in *bufio.Reader) (string, error) {
	var b strings.Builder
	for b.Len() < 1024 {
		c, err := in.ReadByte()
		if err != nil {
			return "", err
		}
		if c == '\n' {
			return b.String(), nil
		}
		b.WriteByte(c)
	}
	return "", fmt.Errorf("the first line is too long")
}
