/** The numbers of rows at a scale: at 100 a million users, 13 million entries, 100,000 waiting jobs. */
export const sizesAt = (scale: number) => ({
  users: 10_000 * scale,
  clients: 100 * scale,
  /** Transfers of the busy user beyond the six of every user; of each, two entries. */
  busyTransfers: 5000 * scale,
  cardTransactions: 15_000 * scale,
  chainTransactions: 5000 * scale,
  crosschain: 3000 * scale,
  audit: 20_000 * scale,
  sessions: 20_000 * scale,
  members: 5000 * scale,
  notifications: 20_000 * scale,
  externalLogins: 3000 * scale,
  keys: 2000 * scale,
  hours: 200 * scale,
  jobs: 1000 * scale,
  events: 10_000 * scale,
  /** Of each kind of finished work and order. */
  ended: 3000 * scale,
  /** Of each rail's movements. */
  moved: 5000 * scale,
});
export type Sizes = ReturnType<typeof sizesAt>;

/** The users of the cases; the ids are the same at every scale, except those after all users. */
export const people = ({ users }: Sizes) => ({
  /** Admin of the client of half of all users. */
  admin: 1,
  /** A user of that client with a history as long as all the others' together. */
  busy: 2,
  quiet: 3,
  /** The first of a client of twenty. */
  smallAdmin: users / 2 + 1,
  operator: users + 1,
  /** A member of the rewards app with many notifications and friends. */
  member: 1,
});

export const BIG_CLIENT = 2;
export const SMALL_CLIENT = 3;
