// Command release builds the zips of a release and checks them. It is run by .ci/release from the top of the repository:
//
//	.ci/release                  version from git describe, into a folder yomi-VERSION for temporary files
//	.ci/release 0.2.0            that version, which the engine shows in id name and yomi --version
//	.ci/release 0.2.0 dist       into the folder dist
//
// Two runs on the same commit with the same Go and version give the same bytes: no path or time of the machine gets in, and
// the zips carry the time of the commit. The program for this machine's own system is run from its zip, and the checksums
// are verified from the files.
package main

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// target is a system for which there is a zip.
type target struct{ os, arch string }

// targets lists the systems.
var targets = []target{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"}}

// programs are the commands of the repository that go into the zip, by the name that they have there.
var programs = map[string]string{"yomi-usi": "./cmd/usi", "yomi": "./cmd/yomi"}

// documents are files of the repository that go into the zip, by the name that they have there.
var documents = map[string]string{"README.txt": "docs/players.md", "LICENSE": "LICENSE", "THIRD_PARTY.md": "THIRD_PARTY.md"}

// vendored are folders of the repository with files of others and their LICENSE.
const vendored = "internal/dashboard/web/vendor"

const (
	sumsName   = "SHA256SUMS"
	versionVar = "github.com/yomi-shogi/yomi/internal/engine.version"
	replyTime  = 20 * time.Second
)

// entry is a file of a zip.
type entry struct {
	name       string
	data       []byte
	executable bool
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	from := flag.String("from", ".", "folder to which FOLDER is relative")
	flag.Parse()
	if err := run(ctx, *from, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// run makes the release in a folder beside its place and then puts it there, so that there is never half a release.
func run(ctx context.Context, from string, args []string) error {
	version, folder, err := arguments(ctx, from, args)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(folder), 0o755); err != nil {
		return err
	}
	work, err := os.MkdirTemp(filepath.Dir(folder), ".release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	when := commitTime(ctx)
	fmt.Printf("yomi %s, files dated %s\n", version, when.Format(time.RFC3339))
	var zips []string
	for _, t := range targets {
		name := fmt.Sprintf("yomi-%s-%s-%s.zip", version, t.os, t.arch)
		if err := makeZip(ctx, filepath.Join(work, name), version, t, when); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		zips = append(zips, name)
	}
	if err := writeSums(work, zips); err != nil {
		return err
	}
	if err := check(ctx, work, version); err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, name := range append(zips, sumsName) {
		if err := os.Rename(filepath.Join(work, name), filepath.Join(folder, name)); err != nil {
			return err
		}
	}
	fmt.Println("the release is in", folder)
	return nil
}

// versionForm is what a version may look like: it becomes part of file names and of id name.
var versionForm = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z.+_-]*$`)

// arguments reads version and folder, or finds them.
func arguments(ctx context.Context, from string, args []string) (version, folder string, err error) {
	if len(args) > 2 {
		return "", "", fmt.Errorf("unknown argument %q: want .ci/release [VERSION] [FOLDER]", args[2])
	}
	if len(args) > 0 {
		version = args[0]
	} else if version, err = output(ctx, nil, "git", "describe", "--tags", "--always", "--dirty"); err != nil {
		return "", "", fmt.Errorf("no version: %w; give one, for example: .ci/release 0.2.0", err)
	}
	if len(version) > 1 && version[0] == 'v' && version[1] >= '0' && version[1] <= '9' {
		version = version[1:]
	}
	if !versionForm.MatchString(version) {
		return "", "", fmt.Errorf("bad version %q: want letters, digits, dots, dashes, for example 0.2.0", version)
	}
	folder = filepath.Join(os.TempDir(), "yomi-"+version)
	if len(args) > 1 {
		folder = args[1]
		if !filepath.IsAbs(folder) {
			folder = filepath.Join(from, folder)
		}
	}
	return version, folder, nil
}

// commitTime returns the time of the commit, or the first day that zips know where there is no git.
func commitTime(ctx context.Context) time.Time {
	if text, err := output(ctx, nil, "git", "log", "-1", "--format=%ct"); err == nil {
		if seconds, err := strconv.ParseInt(text, 10, 64); err == nil {
			return time.Unix(seconds, 0).UTC()
		}
	}
	return time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)
}

// output runs a command with additions to the environment and returns what it says, without blanks around.
func output(ctx context.Context, env []string, name string, args ...string) (string, error) {
	c := exec.CommandContext(ctx, name, args...)
	c.Env = append(os.Environ(), env...)
	var said, errs bytes.Buffer
	c.Stdout, c.Stderr = &said, &errs
	if err := c.Run(); err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, errs.String())
	}
	return strings.TrimSpace(said.String()), nil
}

// makeZip builds the programs for a system and packs them with the documents and licences.
func makeZip(ctx context.Context, file, version string, t target, when time.Time) error {
	began := time.Now()
	entries, err := licences(ctx, t)
	if err != nil {
		return err
	}
	for name, source := range documents {
		data, err := os.ReadFile(source)
		if err != nil {
			return err
		}
		entries = append(entries, entry{name: name, data: data})
	}
	for name, source := range programs {
		if t.os == "windows" {
			name += ".exe"
		}
		binary := file + "." + name
		if _, err := output(ctx, t.env(), "go", "build", "-trimpath", "-buildvcs=false",
			"-ldflags=-s -w -buildid= -X "+versionVar+"="+version, "-o", binary, source); err != nil {
			return err
		}
		data, err := os.ReadFile(binary)
		if err := errors.Join(err, os.Remove(binary)); err != nil {
			return err
		}
		entries = append(entries, entry{name: name, data: data, executable: true})
	}
	if err := pack(file, strings.TrimSuffix(filepath.Base(file), ".zip"), entries, when); err != nil {
		return err
	}
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	fmt.Printf("%-40s %5.1f MB in %.0f s\n", filepath.Base(file), float64(info.Size())/1e6, time.Since(began).Seconds())
	return nil
}

// env is the environment of a build for the system: no cgo, no settings of the machine that change the binary.
func (t target) env() []string {
	return []string{"GOOS=" + t.os, "GOARCH=" + t.arch, "CGO_ENABLED=0", "GOFLAGS=", "GOAMD64=v1", "GOARM64=v8.0", "GOEXPERIMENT=", "GOWORK=off"}
}

// licences returns the licences of Go and of all modules that are in the programs for the system.
func licences(ctx context.Context, t target) ([]entry, error) {
	args := []string{"list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Dir}}{{end}}{{end}}"}
	for _, source := range programs {
		args = append(args, source)
	}
	modules, err := output(ctx, t.env(), "go", args...)
	if err != nil {
		return nil, err
	}
	root, err := output(ctx, nil, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	folders := map[string]string{"go": root}
	for line := range strings.Lines(modules) {
		if module, dir, found := strings.Cut(strings.TrimSpace(line), "\t"); found {
			folders[strings.ReplaceAll(module, "/", "_")] = dir
		}
	}
	parts, err := os.ReadDir(vendored)
	if err != nil {
		return nil, err
	}
	for _, part := range parts {
		folders[part.Name()] = filepath.Join(vendored, part.Name())
	}
	var entries []entry
	for name, dir := range folders {
		var files []string
		for _, pattern := range []string{"*LICEN[SC]E*", "COPYING*"} {
			found, err := filepath.Glob(filepath.Join(dir, pattern))
			if err != nil {
				return nil, err
			}
			files = append(files, found...)
		}
		if len(files) == 0 {
			return nil, fmt.Errorf("no licence of %s in %s", name, dir)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			entries = append(entries, entry{name: path.Join("licences", name, filepath.Base(file)), data: data})
		}
	}
	return entries, nil
}

// pack writes a zip with one folder in it; the entries are sorted and carry the given time.
func pack(file, folder string, entries []entry, when time.Time) error {
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, e := range entries {
		header := &zip.FileHeader{Name: folder + "/" + e.name, Method: zip.Deflate, Modified: when}
		header.SetMode(0o644)
		if e.executable {
			header.SetMode(0o755)
		}
		w, err := z.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := w.Write(e.data); err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	return os.WriteFile(file, out.Bytes(), 0o644)
}

// sum returns a file's SHA-256 as text.
func sum(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return fmt.Sprintf("%x", h.Sum(nil)), err
}

// writeSums writes the checksums in the form that sha256sum -c reads.
func writeSums(folder string, names []string) error {
	var text strings.Builder
	for _, name := range names {
		s, err := sum(filepath.Join(folder, name))
		if err != nil {
			return err
		}
		fmt.Fprintf(&text, "%s  %s\n", s, name)
	}
	return os.WriteFile(filepath.Join(folder, sumsName), []byte(text.String()), 0o644)
}

// check verifies the list of checksums and runs the programs of this machine's system from its zip.
func check(ctx context.Context, folder, version string) error {
	list, err := os.ReadFile(filepath.Join(folder, sumsName))
	if err != nil {
		return err
	}
	lines := strings.Split(strings.TrimSpace(string(list)), "\n")
	if len(lines) != len(targets) {
		return fmt.Errorf("%s has %d lines, want %d", sumsName, len(lines), len(targets))
	}
	for _, line := range lines {
		want, name, _ := strings.Cut(line, "  ")
		if got, err := sum(filepath.Join(folder, name)); err != nil || got != want {
			return errors.Join(fmt.Errorf("%s: bad checksum of %q", sumsName, name), err)
		}
	}
	fmt.Printf("checked: %s\n", sumsName)
	if !slices.Contains(targets, target{runtime.GOOS, runtime.GOARCH}) {
		fmt.Printf("left out: there is no zip for %s/%s that could be tried here\n", runtime.GOOS, runtime.GOARCH)
		return nil
	}
	return try(ctx, filepath.Join(folder, fmt.Sprintf("yomi-%s-%s-%s.zip", version, runtime.GOOS, runtime.GOARCH)), version)
}

// try unpacks a zip and runs its programs.
func try(ctx context.Context, file, version string) error {
	dir := file + ".unpacked"
	defer os.RemoveAll(dir)
	z, err := zip.OpenReader(file)
	if err != nil {
		return err
	}
	defer z.Close()
	if err := unpack(&z.Reader, dir); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, replyTime)
	defer cancel()
	home := filepath.Join(dir, strings.TrimSuffix(filepath.Base(file), ".zip"))
	said, err := output(ctx, nil, filepath.Join(home, "yomi"), "--version")
	if err != nil || said != "yomi "+version {
		return fmt.Errorf("yomi --version said %q (%w)", said, err)
	}
	engine := exec.CommandContext(ctx, filepath.Join(home, "yomi-usi"))
	engine.Stdin = strings.NewReader("usi\nisready\nquit\n")
	answer, err := engine.Output()
	if err != nil {
		return fmt.Errorf("yomi-usi: %w", err)
	}
	wanted := []string{"id name yomi " + version, "usiok", "readyok"}
	for lines := bufio.NewScanner(bytes.NewReader(answer)); len(wanted) > 0 && lines.Scan(); {
		if lines.Text() == wanted[0] {
			wanted = wanted[1:]
		}
	}
	if len(wanted) > 0 {
		return fmt.Errorf("yomi-usi did not say %q to usi and isready, but:\n%s", wanted[0], answer)
	}
	fmt.Printf("checked: the programs in %s say %s, usiok and readyok\n", filepath.Base(file), "yomi "+version)
	return nil
}

// unpack writes the files of a zip below a folder.
func unpack(z *zip.Reader, dir string) error {
	for _, f := range z.File {
		data, err := fs.ReadFile(z, f.Name)
		if err != nil {
			return err
		}
		file := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, data, f.Mode()); err != nil {
			return err
		}
	}
	return nil
}
