/**
 * What an expression may look at, with the type of each. Whole numbers are integers of 64 bits; what is unknown of an
 * operation is 0, empty or false.
 */
export const FACTS = {
  op: 'string',
  kind: 'string',
  amount_minor: 'int',
  usd_cents: 'int',
  currency: 'string',
  user: { id: 'int', role: 'string', country: 'string', is_verified: 'bool', age_days: 'int' },
  wallet: { id: 'int', currency: 'string' },
  recipient: {
    kind: 'string',
    country: 'string',
    age_h: 'int',
    verification: 'string',
    is_new: 'bool',
  },
  key: { scopes: 'list<string>' },
  time: { hour: 'int', weekday: 'int' },
  sums: { count_1h: 'int', count_1d: 'int', usd_cents_1d: 'int', usd_cents_30d: 'int' },
  metadata: 'map<string, string>',
} as const;

type FactOf<T> = T extends 'int'
  ? bigint
  : T extends 'bool'
    ? boolean
    : T extends 'string'
      ? string
      : T extends 'list<string>'
        ? readonly string[]
        : T extends 'map<string, string>'
          ? Readonly<Record<string, string>>
          : { readonly [K in keyof T]: FactOf<T[K]> };

/** All that the policies see of one operation. */
export type PolicyFacts = FactOf<typeof FACTS>;

const INT_MAX = 2n ** 63n - 1n;

/** As an expression can hold it: an amount of a coin with 18 digits may be larger. */
export const factInt = (value: bigint | number): bigint => {
  const whole = BigInt(value);
  return whole > INT_MAX ? INT_MAX : whole;
};

/** As JSON keeps it: whole numbers as text. */
export const storedFacts = (facts: PolicyFacts): string =>
  JSON.stringify(facts, (_, value) => (typeof value === 'bigint' ? value.toString() : value));

/** The facts again, from what `storedFacts` has kept; a fact of a later version is as if it was unknown. */
export const readPolicyFacts = (stored: unknown): PolicyFacts =>
  revived(FACTS, (stored ?? {}) as Stored) as PolicyFacts;

type Stored = Readonly<Record<string, unknown>>;
type Shape = Readonly<Record<string, unknown>>;

const revived = (shape: Shape, stored: Stored): unknown =>
  Object.fromEntries(
    Object.entries(shape).map(([name, type]) => [name, revivedFact(type, stored[name])]),
  );

function revivedFact(type: unknown, stored: unknown): unknown {
  if (typeof type === 'object') return revived(type as Shape, (stored ?? {}) as Stored);
  if (type === 'int') return BigInt(String(stored ?? 0));
  if (type === 'bool') return stored === true;
  if (type === 'string') return String(stored ?? '');
  return stored ?? (type === 'list<string>' ? [] : {});
}
