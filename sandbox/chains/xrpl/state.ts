import type { Records } from '#sandbox/records.ts';

export const SIMULATED_XRPL_PROVIDER = 'xrpl';

export interface AccountRoot {
  readonly address: string;
  readonly drops: bigint;
  readonly sequence: number;
  readonly flags: number;
  readonly owned: number;
}

/** What an account must keep, and for each thing that it owns: the validators' vote. */
export interface Reserves {
  readonly base: bigint;
  readonly owner: bigint;
}
export const USUAL_RESERVES: Reserves = { base: 1_000_000n, owner: 200_000n };

/** Between two accounts, of which `low` has the lower id; the balance is what `low` has of `high`. */
export interface TrustLine {
  readonly low: string;
  readonly high: string;
  readonly currency: string;
  readonly balance: bigint;
  readonly low_limit: bigint;
  readonly high_limit: bigint;
}

const lineId = ({ low, high, currency }: Pick<TrustLine, 'low' | 'high' | 'currency'>) =>
  `${low}:${high}:${currency}`;

/** What one transaction reads and changes; written at once, when it has been applied. */
export interface View {
  readonly reserves: Reserves;
  account(address: string): Promise<AccountRoot | undefined>;
  putAccount(account: AccountRoot): void;
  line(id: Pick<TrustLine, 'low' | 'high' | 'currency'>): Promise<TrustLine | undefined>;
  putLine(line: TrustLine): void;
  /** What has changed: before, where it was there, and after. */
  changes(): {
    readonly accounts: SimulatedXrplChange<AccountRoot>[];
    readonly lines: SimulatedXrplChange<TrustLine>[];
  };
  write(): Promise<void>;
}
export interface SimulatedXrplChange<T> {
  readonly before: T | undefined;
  readonly after: T;
}

export function openView(records: Records, reserves = USUAL_RESERVES): View {
  const accounts = new Map<string, Partial<SimulatedXrplChange<AccountRoot>>>();
  const lines = new Map<string, Partial<SimulatedXrplChange<TrustLine>>>();
  return {
    reserves,
    async account(address) {
      const known = accounts.get(address);
      if (known) return known.after ?? known.before;
      const before = await readSimulatedXrplAccount(records, address);
      accounts.set(address, { before });
      return before;
    },
    putAccount: (after) =>
      void accounts.set(after.address, { ...accounts.get(after.address), after }),
    async line(id) {
      const known = lines.get(lineId(id));
      if (known) return known.after ?? known.before;
      const before = await readLine(records, lineId(id));
      lines.set(lineId(id), { before });
      return before;
    },
    putLine: (after) => void lines.set(lineId(after), { ...lines.get(lineId(after)), after }),
    changes: () => ({ accounts: changed(accounts), lines: changed(lines) }),
    async write() {
      for (const { after } of changed(accounts))
        await put(records, 'account', after.address, after);
      for (const { after } of changed(lines)) await put(records, 'line', lineId(after), after);
    },
  };
}

const changed = <T>(
  all: ReadonlyMap<string, Partial<SimulatedXrplChange<T>>>,
): SimulatedXrplChange<T>[] =>
  [...all.values()].flatMap(({ before, after }) => (after === undefined ? [] : { before, after }));

/** Records are JSON: whole numbers beyond a float's travel as text. */
type Kept<T> = { [K in keyof T]: T[K] extends bigint ? string : T[K] };

async function put<T extends object>(records: Records, kind: string, id: string, value: T) {
  const data = Object.fromEntries(
    Object.entries(value).map(([k, v]) => [k, typeof v === 'bigint' ? `${v}` : v]),
  );
  if (await records.insert(SIMULATED_XRPL_PROVIDER, kind, id, data)) return;
  await records.update(SIMULATED_XRPL_PROVIDER, kind, id, () => data);
}

export async function readSimulatedXrplAccount(
  records: Records,
  address: string,
): Promise<AccountRoot | undefined> {
  const kept = await records.get<Kept<AccountRoot>>(SIMULATED_XRPL_PROVIDER, 'account', address);
  return kept && { ...kept, drops: BigInt(kept.drops) };
}

async function readLine(records: Records, id: string): Promise<TrustLine | undefined> {
  const kept = await records.get<Kept<TrustLine>>(SIMULATED_XRPL_PROVIDER, 'line', id);
  return kept && lineOf(kept);
}

const lineOf = (kept: Kept<TrustLine>): TrustLine => ({
  ...kept,
  balance: BigInt(kept.balance),
  low_limit: BigInt(kept.low_limit),
  high_limit: BigInt(kept.high_limit),
});

/** An account's lines, newest first. */
export async function linesOf(records: Records, address: string, peer?: string) {
  const sides = await Promise.all(
    (['low', 'high'] as const).map((side) =>
      records.list<Kept<TrustLine>>(SIMULATED_XRPL_PROVIDER, 'line', {
        where: { [side]: address, ...(peer && { [side === 'low' ? 'high' : 'low']: peer }) },
        limit: 400,
      }),
    ),
  );
  return sides.flat().map(lineOf);
}
