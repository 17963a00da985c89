package kerneltext

import (
	"fmt"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/gpu"
)

// This file is what steady turns of strips know: which elements of whole rows a lane copies, all of them as bits of a few words, and which of its columns
// are the border, as words that select them. Both are found when the chain begins, and cost a steady turn no test.

// steadyRounds names a word that says which elements of whole rows a lane copies in steady turns, by share and round.
func (p *streamer) steadyRounds(word int) string { return p.spelled.own(fmt.Sprintf("shares%d", word)) }

// steadyWords returns how many of them there are.
func (p *streamer) steadyWords() int { return (p.shareBits + 31) / 32 }

// steadyRoundsAt returns where a thread keeps one.
func (p *stage) steadyRoundsAt(s *scope, word int) string {
	return fmt.Sprintf("(%s)[%s]", p.sharedAt("unsigned", p.copiedAt+4*p.Threads()*(1+word)), s.use(p.thread()))
}

// beginShares prints what notes which elements of rows a lane copies in steady turns: around says of a pair whether a row is copied in them.
func (p *stage) beginShares(s *scope, around string) {
	c := &sharedCopier{copying{streamer: p.streamer}}
	index, pair, rounds := p.spelled.Index, p.spelled.own("pair"), p.spelled.own("rounds")
	for word := range p.steadyWords() {
		s.Line("unsigned %s = 0;", p.steadyRounds(word))
	}
	c.each(func(l *sharedCopies, k, _ int) {
		word, bit := c.bit(l, k)/32, c.bit(l, k)%32
		for alt := range l.alts {
			n := l.word + k*l.alts + alt
			s.Braces("", func() {
				s.Line("const %v *const %s = %s; // of copies that the warp shares", index, pair, c.pair(s, n))
				s.Line("const unsigned %s = %s ? (%s)[%s] : 0u;", rounds, around, c.sharedAt("const "+c.roundsType(), c.wordAt(n)), s.use(c.thread()))
				s.Line("%s |= %s << %d;", p.steadyRounds(word), rounds, bit)
				if bit+c.rounds(l, k) > 32 {
					s.Line("%s |= %s >> %d;", p.steadyRounds(word+1), rounds, 32-bit)
				}
			})
		}
	})
	for word := range p.steadyWords() {
		s.Line("%s = %s;", p.steadyRoundsAt(s, word), p.steadyRounds(word))
	}
}

// selects reports whether steady turns have words that select the columns of margins: where a lane has no more than one of them, in three dimensions. In two, lanes have more
// columns, and fewer rows that would use them.
func (p *stage) selects(all []gpu.Margin) bool { return p.steadies && p.Lines > 0 && single(all) }

// edges names the words that select the columns of a lane among margins of a kind.
func (p *streamer) edges(n int) string { return p.spelled.own(fmt.Sprintf("edges%d", n)) }

// turnEdges prints what makes those for a steady turn.
func (p *stage) turnEdges(s *scope, n int) {
	s.Line("unsigned %s[%d];", p.edges(n), p.Columns)
	s.Line("hexcc_edges<%d>(%s, %s);", p.Columns, p.edges(n), p.besides(n))
}

// blend prints that the columns of a row which are beside a domain are set in steady turns, to a value that lies at from.
func (b *beat) blend(n int, row string, left int, from string) {
	b.Line("if (%s)", b.use(b.steady()))
	b.Line("  hexcc_blend<%d>(%s%s, %s, *(%s));", b.st.Columns, row, ctext.Plus(int64(left)), b.use(b.edges(n)), from)
}
