import type { PolicyFacts } from '#kernel/policies/facts.ts';

type User = PolicyFacts['user'];
type Recipient = PolicyFacts['recipient'];

const AMOUNTS = [1n, 999_999n, 10n ** 15n];
const USERS: readonly User[] = [
  { id: 2n, role: 'user', country: 'ID', is_verified: false, age_days: 0n },
  { id: 1_000_003n, role: 'user', country: 'US', is_verified: true, age_days: 2000n },
  { id: 40n, role: 'admin', country: 'SG', is_verified: true, age_days: 30n },
];
const RECIPIENTS: readonly Recipient[] = [
  { kind: '', country: '', age_h: 0n, verification: '', is_new: true },
  { kind: 'bank', country: 'ID', age_h: 3n, verification: 'NO_MATCH', is_new: true },
  { kind: 'bank', country: 'US', age_h: 20_000n, verification: 'MATCH', is_new: false },
];
const TIMES = [
  { hour: 3n, weekday: 7n },
  { hour: 14n, weekday: 2n },
];
const SUMS = [
  { count_1h: 0n, count_1d: 0n, usd_cents_1d: 0n, usd_cents_30d: 0n },
  { count_1h: 100n, count_1d: 1000n, usd_cents_1d: 10n ** 12n, usd_cents_30d: 10n ** 13n },
];

/** Operations that differ in all that expressions look at: what all of them meet, everybody meets. */
export const SAMPLES: readonly PolicyFacts[] = AMOUNTS.flatMap((amount, n) =>
  USERS.flatMap((user) =>
    RECIPIENTS.flatMap((recipient) =>
      TIMES.flatMap((time) =>
        SUMS.map((sums) => ({
          op: '',
          kind: '',
          amount_minor: amount,
          usd_cents: amount,
          currency: ['USD', 'IDR', 'SGD'][n] ?? 'USD',
          user,
          wallet: { id: BigInt(n), currency: ['USD', 'IDR', 'SGD'][n] ?? 'USD' },
          recipient,
          key: { scopes: n === 0 ? [] : ['*'] },
          time,
          sums,
          metadata: n === 0 ? {} : { note: 'a' },
        })),
      ),
    ),
  ),
);
