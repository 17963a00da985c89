package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// This file writes what makes shells complete the words of hexcc's command lines.

// shells are those for which hexcc completion writes.
var shells = []string{"bash", "zsh", "fish"}

// Run writes the script of a shell.
func (c *completionCmd) Run(s *session, ctx *kong.Context) error {
	docs := commandDocs(ctx.Model)
	text := map[string]func([]commandDoc) string{"bash": bashCompletion, "zsh": zshCompletion, "fish": fishCompletion}[c.Shell](docs)
	_, err := fmt.Fprint(s.stdout, text)
	return err
}

func commandNames(docs []commandDoc) (all []string) {
	for _, d := range docs {
		all = append(all, d.name)
	}
	return all
}

// words returns how the flags of a command begin: those with a value end with =.
func (d commandDoc) words() (all []string) {
	for _, f := range d.flags {
		word := "--" + f.name
		if f.value != "" {
			word += "="
		}
		if all = append(all, word); f.short != "" {
			all = append(all, "-"+f.short)
		}
	}
	return all
}

// bashCompletion returns the script for bash: source <(hexcc completion bash).
func bashCompletion(docs []commandDoc) string {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	p("# Completion of hexcc in bash: source <(hexcc completion bash)")
	p("_hexcc() {")
	p("  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=translate flag= flags= values= i first=")
	p("  for ((i = 1; i < COMP_CWORD; i++)); do")
	p("    case ${COMP_WORDS[i]} in")
	p("    -*) ;;")
	p("    %s) first=$i command=${COMP_WORDS[i]}; break ;;", strings.Join(commandNames(docs), "|"))
	p("    *) first=$i; break ;;")
	p("    esac")
	p("  done")
	p("  if [[ $command == cc && $COMP_CWORD -gt $first ]]; then # the command line of a compiler")
	p("    for ((i = first + 1; i < COMP_CWORD; i++)); do")
	p("      [[ ${COMP_WORDS[i]} == -* ]] || { COMPREPLY=($(compgen -f -- \"$cur\")); return; }")
	p("    done")
	p("    [[ $cur == -* ]] || { COMPREPLY=($(compgen -c -- \"$cur\")); return; }")
	p("  fi")
	p("  case $cur in")
	p("  =) flag=$prev cur= ;;")
	p("  --*=*) flag=${cur%%%%=*} cur=${cur#*=} ;;")
	p("  *) [[ $prev == = ]] && flag=${COMP_WORDS[COMP_CWORD-2]} ;;")
	p("  esac")
	p("  case $command in")
	for _, d := range docs {
		p("  %s)", d.name)
		p("    flags=%s", quote(strings.Join(d.words(), " ")))
		for _, a := range d.args {
			if len(a.values) > 0 {
				p("    [[ $flag ]] || values=%s", quote(strings.Join(a.values, " ")))
			}
		}
		p("    case $flag in")
		for _, f := range d.flags {
			if len(f.values) > 0 {
				p("    --%s) values=%s ;;", f.name, quote(strings.Join(f.values, " ")))
			}
		}
		p("    *) ;;")
		p("    esac ;;")
	}
	p("  esac")
	p("  if [[ $flag && $values ]]; then")
	p("    COMPREPLY=($(compgen -W \"$values\" -- \"$cur\"))")
	p("  elif [[ $flag ]]; then")
	p("    COMPREPLY=($(compgen -f -- \"$cur\"))")
	p("  elif [[ $cur == -* ]]; then")
	p("    COMPREPLY=($(compgen -W \"$flags\" -- \"$cur\"))")
	p("    [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null")
	p("  elif [[ $values ]]; then")
	p("    COMPREPLY=($(compgen -W \"$values\" -- \"$cur\"))")
	p("  elif [[ $first ]]; then")
	p("    COMPREPLY=($(compgen -f -- \"$cur\"))")
	p("  else")
	p("    COMPREPLY=($(compgen -W %s -- \"$cur\") $(compgen -f -- \"$cur\"))", quote(strings.Join(commandNames(docs), " ")))
	p("  fi")
	p("}")
	p("complete -o filenames -F _hexcc hexcc")
	return b.String()
}

// zshCompletion returns the function _hexcc for zsh, in a file of that name in a folder of $fpath.
func zshCompletion(docs []commandDoc) string {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	p("#compdef hexcc")
	p("# Completion of hexcc in zsh: hexcc completion zsh >DIR/_hexcc, in a folder DIR of $fpath")
	p("_hexcc() {")
	p("  local -a commands")
	p("  commands=(")
	for _, d := range docs {
		p("    %s", quote(d.name+":"+brief(d.help)))
	}
	p("  )")
	p("  local command=translate")
	p("  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then")
	p("    _describe command commands")
	p("    _files")
	p("    return")
	p("  fi")
	p("  case $words[2] in")
	p("  %s) command=$words[2]; shift words; (( CURRENT-- )) ;;", strings.Join(commandNames(docs), "|"))
	p("  esac")
	p("  case $command in")
	for _, d := range docs {
		p("  %s)", d.name)
		p("    _arguments -s \\")
		for _, f := range d.flags {
			p("      %s \\", quote(zshFlag("--"+f.name, "=", f)))
			if f.short != "" {
				p("      %s \\", quote(zshFlag("-"+f.short, "+", f)))
			}
		}
		values := "_files"
		for _, a := range d.args {
			if len(a.values) > 0 {
				values = "(" + strings.Join(a.values, " ") + ")"
			}
		}
		if d.name == "cc" {
			p("      '*:: :_normal' ;;")
			continue
		}
		p("      %s ;;", quote("*: :"+values))
	}
	p("  esac")
	p("}")
	p("_hexcc \"$@\"")
	return b.String()
}

// zshFlag returns a flag as _arguments takes it; end is how its name ends where a value follows.
func zshFlag(name, end string, f flagDoc) string {
	text := "*" + name
	if f.value != "" {
		text += end
	}
	text += "[" + regexp.MustCompile(`[\[\]:\\]`).ReplaceAllString(brief(f.help), " ") + "]"
	switch {
	case f.value == "":
		return text
	case len(f.values) > 0:
		return text + ": :(" + strings.Join(f.values, " ") + ")"
	case f.file:
		return text + ": :_files"
	}
	return text + ": : "
}

// fishCompletion returns the script for fish: hexcc completion fish | source.
func fishCompletion(docs []commandDoc) string {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	all := strings.Join(commandNames(docs), " ")
	p("# Completion of hexcc in fish: hexcc completion fish | source")
	for _, d := range docs {
		p("complete -c hexcc -n '__fish_use_subcommand' -a %s -d %s", d.name, quote(brief(d.help)))
	}
	for _, d := range docs {
		when := "__fish_seen_subcommand_from " + d.name
		if d.name == "translate" {
			when = "not __fish_seen_subcommand_from " + strings.Join(slices.DeleteFunc(strings.Fields(all), func(n string) bool { return n == "translate" }), " ")
		}
		for _, f := range d.flags {
			line := fmt.Sprintf("complete -c hexcc -n %s -l %s", quote(when), f.name)
			if f.short != "" {
				line += " -s " + f.short
			}
			switch {
			case len(f.values) > 0:
				line += " -x -a " + quote(strings.Join(f.values, " "))
			case f.file:
				line += " -r"
			case f.value != "":
				line += " -x"
			}
			p("%s -d %s", line, quote(brief(f.help)))
		}
		for _, a := range d.args {
			if len(a.values) > 0 {
				p("complete -c hexcc -n %s -f -a %s", quote(when), quote(strings.Join(a.values, " ")))
			}
		}
	}
	return b.String()
}

// brief returns the first clause of a help text, short enough for a line of a menu.
func brief(help string) string {
	end := regexp.MustCompile(`[.;:(,]( |$)| \(|\n`).FindStringIndex(help)
	if end != nil {
		help = help[:end[0]]
	}
	return strings.TrimRight(help, " .")
}

// quote returns text as one word of a shell.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
