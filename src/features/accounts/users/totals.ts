import { setTimeout as wait } from 'node:timers/promises';
import {
  type Fiat,
  fiatCurrencyOf,
  walletTotals,
} from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { Db } from '#kernel/db/db.ts';
import type { AccountTotals } from '#kernel/ledger/accounts.ts';
import { type Asset, convert, format } from '#kernel/money/money.ts';
import { shownBalance } from '#kernel/money/shown-balance.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';

/** How long a list waits for rates before it goes without. */
const TIMEOUT_MS = 3000;

interface Owner {
  readonly user_id: number;
  readonly country_code: string;
}

/** As `GET /users/users` shows them. */
export interface UserTotals {
  readonly transactions_count: number;
  readonly total_volume: string;
  readonly total_balance: string;
  /** In the same currency, which only `total_balance` names. */
  readonly held: string;
  readonly available: string;
  /** Currencies that are missing in the two sums, because no rate was known. */
  readonly unconverted?: Asset[];
}

/**
 * The sum of each user's fiat wallets, in the currency of the user's client at the market's rate, rounded down to a
 * unit. Reads the rates once for all, outside of any transaction; without a rate the sum leaves the currency out and
 * says so.
 */
export async function totalsOf(
  db: Db,
  fx: ExchangeRates,
  owners: readonly Owner[],
): Promise<(owner: Owner) => UserTotals> {
  const nameOf = ({ user_id }: Owner) => `user:${user_id}`;
  const totals = await walletTotals(
    db,
    owners.map(({ user_id }) => user_id),
  );
  const wallets = Map.groupBy(totals, ({ owner }) => owner);
  const of = (owner: Owner) => wallets.get(nameOf(owner)) ?? [];
  const pairs = owners.flatMap((owner) =>
    of(owner).flatMap((wallet) => pairOf(wallet, fiatCurrencyOf(owner.country_code)) ?? []),
  );
  const rates = await ratesOf(fx, [...new Set(pairs)]);
  return (owner) => sumOf(of(owner), fiatCurrencyOf(owner.country_code), rates);
}

type Pair = `${Asset}:${Fiat}`;

/** Nothing where no rate is needed. */
const pairOf = ({ asset, volume }: AccountTotals, currency: Fiat): Pair | undefined =>
  asset === currency || volume === 0n ? undefined : `${asset}:${currency}`;

/** The rates that arrive in time. The port caches them, so this is one call. */
async function ratesOf(fx: ExchangeRates, pairs: readonly Pair[]): Promise<Map<Pair, string>> {
  const rates = new Map<Pair, string>();
  const asked = pairs.map(async (pair) => {
    const [from, to] = pair.split(':') as [Asset, Fiat];
    const found = await fx.rate(from, to);
    if (found.kind === 'done') rates.set(pair, found.value.rate);
  });
  await Promise.race([Promise.all(asked), wait(TIMEOUT_MS, undefined, { ref: false })]);
  return new Map(rates);
}

function sumOf(
  wallets: readonly AccountTotals[],
  asset: Fiat,
  rates: ReadonlyMap<Pair, string>,
): UserTotals {
  let [transactions_count, volume, balance, held, available] = [0, 0n, 0n, 0n, 0n];
  const unconverted: Asset[] = [];
  for (const wallet of wallets) {
    transactions_count += wallet.moves;
    const pair = pairOf(wallet, asset);
    const rate = pair === undefined ? '1' : rates.get(pair);
    if (rate === undefined) {
      unconverted.push(wallet.asset);
      continue;
    }
    const worth = (units: bigint) => convert({ asset: wallet.asset, units }, rate, asset, 'down');
    volume += worth(wallet.volume).units;
    balance += worth(wallet.balance).units;
    held += worth(wallet.held).units;
    available += worth(wallet.available).units;
  }
  return {
    transactions_count,
    total_volume: `${format({ asset, units: volume })} ${asset}`,
    total_balance: `${format({ asset, units: balance })} ${asset}`,
    ...shownBalance(asset, { held, available }),
    ...(unconverted.length > 0 && { unconverted }),
  };
}
