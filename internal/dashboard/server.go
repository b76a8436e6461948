package dashboard

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/coder/websocket"
)

//go:embed all:web/dist
var assets embed.FS

// Config says where and for whom to serve.
type Config struct {
	// Address is host:port. Port 0 picks one. Without a token the host must be a loopback address, or localhost.
	Address string
	// Token, where not empty, lets a page that gives it set breakpoints, stop and step. Where the address is not a loopback one it is needed
	// for reading too.
	Token string
	// Version is the program's name and version.
	Version string
}

// Source is what a server shows: NewLive or NewTrace.
type Source interface {
	// attach gives the source the hub that it talks to.
	attach(h *hub)
	// greet sends a page that has just come what it needs to know.
	greet(c *client)
	// do executes a command.
	do(c *client, command any) error
	// look is called up to ten times a second while there are pages.
	look(now time.Time)
	// changed tells that pages came or went.
	changed()
}

// Server serves a source.
type Server struct {
	config   Config
	listener net.Listener
	http     *http.Server
	hub      *hub
	loopback bool
	hosts    []string // names under which it may be called, beside addresses and localhost
	token    [sha256.Size]byte
	files    map[string]file
}

// file is an asset.
type file struct {
	kind string
	data []byte
}

// The limits of requests.
const (
	headerTimeout = 5 * time.Second
	assetTimeout  = 30 * time.Second
	idleTimeout   = time.Minute
	maxHeader     = 16 << 10
	maxClients    = 128
)

// Listen starts to serve the source. The error says what is wrong with the address.
func Listen(c Config, source Source) (*Server, error) {
	host, err := checkAddress(c)
	if err != nil {
		return nil, err
	}
	files, err := loadAssets()
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", c.Address)
	if err != nil {
		return nil, err
	}
	s := &Server{config: c, listener: listener, loopback: isLoopback(host), hosts: []string{host}, token: sha256.Sum256([]byte(c.Token)), files: files}
	s.hub = newHub(source, &s.config)
	s.http = &http.Server{Handler: http.HandlerFunc(s.serve), ReadHeaderTimeout: headerTimeout, ReadTimeout: assetTimeout, WriteTimeout: assetTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader,
		DisableGeneralOptionsHandler: true, ErrorLog: log.New(io.Discard, "", 0)} // what strangers send is not the engine's to report
	source.attach(s.hub)
	go func() { _ = s.http.Serve(listener) }()
	return s, nil
}

// checkAddress returns the host of the address.
func checkAddress(c Config) (host string, err error) {
	host, port, err := net.SplitHostPort(c.Address)
	if err != nil {
		return "", fmt.Errorf("bad address %q: want host:port, for example 127.0.0.1:0", c.Address)
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil {
		return "", fmt.Errorf("bad port %q: want a number up to 65535", port)
	} else if !isLoopback(host) && c.Token == "" {
		return "", fmt.Errorf("%q is not a loopback address, so others could look on: set a token (Inspect_Token) or use 127.0.0.1:%d", host, n)
	}
	return host, nil
}

// isLoopback reports whether only this machine reaches the host.
func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	a, err := netip.ParseAddr(host)
	return err == nil && a.IsLoopback()
}

// URL returns the page's address, the token included.
func (s *Server) URL() string {
	host, _, _ := net.SplitHostPort(s.config.Address)
	_, port, _ := net.SplitHostPort(s.listener.Addr().String())
	if host == "" || host == "0.0.0.0" || host == "::" {
		host = "127.0.0.1"
	}
	text := "http://" + net.JoinHostPort(host, port) + "/"
	if s.config.Token != "" {
		text += "?token=" + url.QueryEscape(s.config.Token)
	}
	return text
}

// Close ends all connections and waits until their goroutines have ended.
func (s *Server) Close() error {
	err := s.http.Close()
	s.hub.close()
	return err
}

// loadAssets returns the embedded files by path.
func loadAssets() (map[string]file, error) {
	files := make(map[string]file)
	err := fs.WalkDir(assets, "web/dist", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := assets.ReadFile(name)
		at := strings.TrimPrefix(name, "web/dist")
		files[at] = file{contentType(at), data}
		if at == "/index.html" {
			files["/"] = files[at]
		}
		return err
	})
	return files, err
}

// contentType returns the media type of a file by its name.
func contentType(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".js", ".mjs":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".json":
		return "application/json"
	case ".txt", "":
		return "text/plain; charset=utf-8"
	}
	return "application/octet-stream"
}

// contentPolicy lets a page load what this server has, and nothing else from anywhere.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// serve answers a request.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", contentPolicy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cache-Control", "no-cache")
	switch {
	case !s.ownHost(r.Host):
		http.Error(w, "this name is not served here", http.StatusForbidden)
	case !ownOrigin(r):
		http.Error(w, "requests from other pages are refused", http.StatusForbidden)
	case r.Method != http.MethodGet:
		h.Set("Allow", http.MethodGet)
		http.Error(w, "only GET", http.StatusMethodNotAllowed)
	case r.URL.Path == "/ws":
		s.connect(w, r)
	default:
		f, ok := s.files[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		h.Set("Content-Type", f.kind)
		_, _ = w.Write(f.data) // a reader that is gone needs no answer
	}
}

// ownHost reports whether a request means this server: names of others that lead here are how a foreign page would get around the check of
// its origin (DNS rebinding). An address cannot be such a name.
func (s *Server) ownHost(hostport string) bool {
	host := hostport
	if h, _, err := net.SplitHostPort(hostport); err == nil {
		host = h
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	if isLoopback(host) {
		return true
	}
	if s.loopback {
		return false
	}
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	for _, h := range s.hosts {
		if h != "" && strings.EqualFold(h, host) {
			return true
		}
	}
	return false
}

// ownOrigin reports whether the request comes from a page of this server, or from no page.
func ownOrigin(r *http.Request) bool {
	origins := r.Header.Values("Origin")
	if len(origins) == 0 {
		return true
	}
	u, err := url.Parse(origins[0])
	return len(origins) == 1 && err == nil && u.Scheme == "http" && strings.EqualFold(u.Host, r.Host)
}

// knows reports whether the text is the token, in a time that does not depend on how much of it is right.
func (s *Server) knows(text string) bool {
	if s.config.Token == "" {
		return false
	}
	sum := sha256.Sum256([]byte(text))
	return subtle.ConstantTimeCompare(sum[:], s.token[:]) == 1
}

// connect makes a WebSocket of the request and serves it.
func (s *Server) connect(w http.ResponseWriter, r *http.Request) {
	given, trusted := r.URL.Query()["token"], false
	if len(given) > 0 {
		if trusted = s.knows(given[0]); !trusted {
			http.Error(w, "wrong token", http.StatusForbidden)
			return
		}
	}
	if !s.hub.reserve() {
		http.Error(w, "too many pages are open", http.StatusServiceUnavailable)
		return
	}
	defer s.hub.release()
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true, CompressionMode: websocket.CompressionDisabled}) // the origin was checked
	if err != nil {
		return // Accept has answered
	}
	defer func() { _ = conn.CloseNow() }()
	conn.SetReadLimit(maxCommand)
	if !trusted && !s.loopback && !s.authenticate(conn) {
		_ = conn.Close(websocket.StatusPolicyViolation, "the token is wanted first")
		return
	}
	c := newClient(s, conn, trusted || !s.loopback)
	c.serve()
}

// authTimeout is how long a page may take to give its token where that is needed.
const authTimeout = 10 * time.Second

// authenticate reads the first command, which must give the token.
func (s *Server) authenticate(conn *websocket.Conn) bool {
	ctx, cancel := context.WithTimeout(s.hub.ctx, authTimeout)
	defer cancel()
	_, text, err := conn.Read(ctx)
	if err != nil {
		return false
	}
	command, _, err := parseCommand(text)
	auth, ok := command.(*Auth)
	return err == nil && ok && s.knows(auth.Token)
}

var errReadOnly = errors.New("this needs the token: open the page with ?token=, as the engine's info string says")
