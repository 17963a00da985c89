package openmp

import "fmt"

// This file prints how threads wait: for each other between phases, and for what a chain needs. The barriers of OpenMP's libraries look for a few milliseconds whether
// all threads are there before one that waits gives its core up: where another program has the core of one that is to come, each of many barriers takes as long.

// restHead declares what a thread does that waits, by other names than those of headers, which the program may include. A core that is given up comes back at once where
// nobody else wants it. Where others do, who may keep it for milliseconds, a thread that sleeps is the first to have it when it wakes up.
const restHead = `
#ifdef _OPENMP
#define HEXCC_NAME(prefix, name) HEXCC_NAME_(prefix, name)
#define HEXCC_NAME_(prefix, name) #prefix name
extern int hexcc_yield(void) __asm__(HEXCC_NAME(__USER_LABEL_PREFIX__, "sched_yield"));
extern int hexcc_sleep(unsigned microseconds) __asm__(HEXCC_NAME(__USER_LABEL_PREFIX__, "usleep"));
extern double hexcc_seconds(void) __asm__(HEXCC_NAME(__USER_LABEL_PREFIX__, "omp_get_wtime"));
extern int hexcc_threads(void) __asm__(HEXCC_NAME(__USER_LABEL_PREFIX__, "omp_get_num_threads"));
#undef HEXCC_NAME
#undef HEXCC_NAME_

// Rests between two looks at what a thread waits for, of which it is the given one.
static void hexcc_rest(unsigned look)
{
  static int crowded; // how many waits are to sleep, since others have had a core that was given up
  if (look < 200)
    return;
  if (__atomic_load_n(&crowded, __ATOMIC_RELAXED) > 0) {
    if (look == 200)
      __atomic_fetch_sub(&crowded, 1, __ATOMIC_RELAXED);
    hexcc_sleep(1);
    return;
  }
  const double since = hexcc_seconds();
  hexcc_yield();
  if (hexcc_seconds() - since > 50e-6)
    __atomic_store_n(&crowded, 100, __ATOMIC_RELAXED);
}
#else // one thread, which never waits
#define hexcc_threads() 1
#define hexcc_rest(look) (void)(look)
#endif
`

// restTail ends what restHead begins.
const restTail = `
#undef hexcc_threads
#undef hexcc_rest
`

// meetHead declares a barrier. Threads count themselves, and the last one begins the next turn, which the others wait for.
const meetHead = `
struct hexcc_meeting {
  int here; // threads, in this turn
  char apart[60];
  unsigned turn;
};

// Waits until all threads of a team have come here. Where there is one, nothing need call it.
__attribute__((unused)) static void hexcc_meet(struct hexcc_meeting *meeting)
{
  const unsigned turn = __atomic_load_n(&meeting->turn, __ATOMIC_RELAXED);
  if (__atomic_add_fetch(&meeting->here, 1, __ATOMIC_ACQ_REL) == hexcc_threads()) {
    __atomic_store_n(&meeting->here, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&meeting->turn, turn + 1, __ATOMIC_RELEASE);
    return;
  }
  for (unsigned look = 0; __atomic_load_n(&meeting->turn, __ATOMIC_ACQUIRE) == turn; look++)
    hexcc_rest(look);
}
`

// meeting declares what the threads of the next parallel region meet at.
func (r *region) meeting() {
	r.meets = r.Fresh("meeting")
	r.threaded(fmt.Sprintf("struct hexcc_meeting %s = {0, {0}, 0};", r.meets))
}

// meet prints that the threads of the parallel region wait for each other.
func (r *region) meet() { r.threaded(fmt.Sprintf("hexcc_meet(&%s);", r.meets)) }

// threaded prints a line for where there may be threads: where pragmas that start them are printed, see shared.
func (r *region) threaded(line string) {
	if r.names.Sequential {
		return
	}
	if _, small := r.prog.Grain.Known(); small {
		r.Raw("#if " + r.enough(r.prog.Grain) + "\n")
		defer r.Raw("#endif\n")
	}
	r.Line("%s", line)
}
