
// The flag of a chain of tiles, by which those of other chains wait for them.
struct hexcc_chain {
  long long place; // how far it is: 0 before its first tile
  char apart[24]; // flags lie in sectors of their own
};

// The chains of a launch, in the order in which they are taken: by time tile, phase and tile, along z, y and x.
struct hexcc_order {
  struct hexcc_chain *chain; // count of them, and one whose place is how many are taken
  unsigned long long count;
  long long begin; // the first time tile
  long long first[3]; // tile along x, y and z,
  unsigned long long width[3]; // and how many
};
