package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hexcc/hexcc"
)

// This file keeps translations of hexcc cc, and takes one from there where all that it was made of is the same: hexcc, its arguments, the source, and what the compiler's
// preprocessor makes of it, with all macros and headers.

// noCache asks for translations that are made anew, and not kept.
const noCache = "--no-cache"

// cacheVariable names the folder of what is kept; "": hexcc in the user's folder for caches. Python's package keeps what it builds there, too.
const cacheVariable = "HEXCC_CACHE"

// mostKept is how many bytes of translations are kept, and mostAge how old one may become that nothing asks for.
const (
	mostKept = 256 << 20
	mostAge  = 30 * 24 * time.Hour
)

// What is kept lies in folders of these names.
const (
	keptTranslations = "cc"
	keptRegions      = "regions"
	keptObjects      = "objects"
)

// keptFolder returns where what is kept of a kind lies, "" where it cannot be kept.
func keptFolder(kind string) string {
	dir := os.Getenv(cacheVariable)
	if dir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return ""
		}
		dir = filepath.Join(user, "hexcc")
	}
	return filepath.Join(dir, kind)
}

// A kept is a translation.
type kept struct {
	Files map[string][]byte // that the compiler gets, by their names in the folder of the part
	Said  []byte            // what hexcc says of them
}

// readsFiles are flags of hexcc that name files whose text counts, or ask the machine: what is made with them is not kept.
var readsFiles = []string{"--tuned", "--load-schedule", "--cpu=native", "--arch=native", "@"}

// keeps reports whether what is made of sources may be kept.
func (s *step) keeps() bool {
	return !s.noCache && !slices.ContainsFunc(s.flags, func(f string) bool {
		return slices.ContainsFunc(readsFiles, func(r string) bool { return strings.HasPrefix(spell(f), r) })
	})
}

// identity returns what tells this hexcc, and how it is asked by the environment, from another.
func identity() (words []string, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(self)
	if err != nil {
		return nil, err
	}
	words = []string{hexcc.Version, self, fmt.Sprint(info.ModTime().UnixNano(), info.Size())}
	for _, v := range os.Environ() {
		if strings.HasPrefix(v, "HEXCC_") && !slices.ContainsFunc([]string{"HEXCC_FLAGS=", cacheVariable + "=", crashVariable + "="}, func(n string) bool { return strings.HasPrefix(v, n) }) {
			words = append(words, v)
		}
	}
	return words, nil
}

// A regionStore keeps regions in a folder, for one hexcc.
type regionStore struct {
	folder string
	self   []string
}

// place returns where the region of a key is kept.
func (r regionStore) place(key string) string {
	return filepath.Join(r.folder, fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(append(slices.Clone(r.self), key), "\n")))))
}

// Get returns what is kept of a key.
func (r regionStore) Get(key string) []byte {
	place := r.place(key)
	data, err := os.ReadFile(place)
	if err != nil {
		return nil
	}
	asked(place)
	return data
}

// Put keeps what a key stands for. That it cannot is no error: it is made again.
func (r regionStore) Put(key string, data []byte) {
	keepHost(r.place(key), data)
	tidy(r.folder)
}

// place returns where the translation of a part is kept, "" where it is not.
func (s *step) place(p *part, args []string) string {
	folder := keptFolder(keptTranslations)
	if folder == "" || !s.keeps() || p.Name == "-" {
		return ""
	}
	self, err := identity()
	if err != nil {
		return ""
	}
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	if p.seen, err = s.preprocessed(p); err != nil {
		p.seen = nil
		return "" // the compiler says what is wrong
	}
	sum := sha256.New()
	write := func(words ...string) {
		for _, w := range words {
			fmt.Fprintf(sum, "%d %s\n", len(w), w)
		}
	}
	write(append(self, dir)...)
	for _, a := range args {
		if folder, unit := strings.CutPrefix(a, "--unit="+p.dir.path); unit {
			a = "--unit=" + folder // wherever it is, the translation is the same
		}
		write(a)
	}
	write(string(p.text), string(p.seen))
	return filepath.Join(folder, fmt.Sprintf("%x", sum.Sum(nil)[:20]))
}

// preprocessedFile is where the folder of a part has what the preprocessor makes of it.
const preprocessedFile = "hexcc-preprocessed"

// preprocessed returns what the compiler's preprocessor makes of a part, with the definitions of all macros.
func (s *step) preprocessed(p *part) ([]byte, error) {
	args := append(s.only(p.At, p.Name, true), "-E", "-dD")
	var out bytes.Buffer
	cmd := exec.Command(s.line.Compiler, args...)
	cmd.Stdout = &out
	status, err := s.running.run(cmd)
	if err == nil && status != 0 {
		err = errors.New("it has mistakes")
	}
	return out.Bytes(), err
}

// take returns whether the translation of a part is kept at a place, which then is that of the part.
func (p *part) take(place string) bool {
	text, err := os.ReadFile(place)
	if place == "" || err != nil {
		return false
	}
	var k kept
	if json.Unmarshal(text, &k) != nil || k.Files[filepath.Base(p.path)] == nil {
		return false
	}
	for name, text := range k.Files {
		if filepath.Base(name) != name || os.WriteFile(filepath.Join(p.dir.path, name), text, 0o666) != nil {
			p.dir.empty()
			return false
		}
	}
	p.said.Write(k.Said)
	asked(place)
	return true
}

// asked notes that something has asked for what is kept at a place.
func asked(place string) {
	now := time.Now()
	_ = os.Chtimes(place, now, now)
}

// keep keeps the translation of a part at a place. That it cannot is no error: it is made again.
func (p *part) keep(place string) {
	if place == "" || p.failed || p.plain {
		return
	}
	k := kept{map[string][]byte{}, p.said.Bytes()}
	entries, err := os.ReadDir(p.dir.path)
	if err != nil {
		return
	}
	for _, e := range entries {
		if e.Name() == preprocessedFile {
			continue
		}
		text, err := os.ReadFile(filepath.Join(p.dir.path, e.Name()))
		if err != nil || bytes.Contains(text, []byte(p.dir.path)) {
			return
		}
		k.Files[e.Name()] = text
	}
	data, err := json.Marshal(k)
	if err != nil {
		return
	}
	keepHost(place, data)
	tidy(filepath.Dir(place))
}

// checkKept says where translations are kept, and what compilers make of the functions in them.
func checkKept() check {
	c := check{Name: "kept", Status: isOK, For: "hexcc cc: translations and objects that need not be made again"}
	folder := keptFolder(keptTranslations)
	if folder == "" {
		c.Status, c.Install = isMissing, "name a folder in "+cacheVariable
		return c
	}
	translations, regions, objects := folderSize(folder), folderSize(keptFolder(keptRegions)), folderSize(keptFolder(keptObjects))
	c.Found = fmt.Sprintf("%d translations of hexcc cc, %d regions, %d objects, %.1f MB, in %s of %s", translations.files, regions.files, objects.files,
		float64(translations.bytes+regions.bytes+objects.bytes)/1e6, strings.Join([]string{keptTranslations, keptRegions, keptObjects}, ", "), filepath.Dir(folder))
	return c
}

// A size is how much is in a folder.
type size struct {
	files int
	bytes int64
}

// folderSize returns the size of a folder; before something is kept there is none.
func folderSize(folder string) (s size) {
	entries, _ := os.ReadDir(folder)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			s.files, s.bytes = s.files+1, s.bytes+info.Size()
		}
	}
	return s
}

// tidy removes what nothing has asked for longest, until the rest is no more than mostKept, and all that is older than mostAge.
func tidy(folder string) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	var files []fs.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			files = append(files, info)
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	sum := int64(0)
	for _, f := range files {
		if sum += f.Size(); sum > mostKept || time.Since(f.ModTime()) > mostAge {
			_ = os.Remove(filepath.Join(folder, f.Name()))
		}
	}
}
