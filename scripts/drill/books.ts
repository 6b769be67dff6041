import type { Acknowledged, Client } from './clients.ts';
import { ask } from './cluster.ts';
import { call } from './people.ts';
import { outputOf } from './processes.ts';

export interface Books {
  readonly acknowledged: number;
  /** Attempts that never reached the card network; each was repeated under the same key. */
  readonly givenUp: number;
  readonly lost: number;
  readonly doubled: number;
  /** Differences, in words; empty if all is right. */
  readonly wrong: readonly string[];
}

interface Entry {
  readonly id: number;
  readonly type: string;
  readonly status: string;
  readonly amount: number;
  readonly reference_id: string;
}

const PAGE = 500;

/**
 * Compares the clients' answers with the service, its ledger and the card network: not an
 * estimate, but every single top-up.
 */
export async function checkBooks(
  clients: readonly Client[],
  api: string,
  { url, live }: { readonly url: string; readonly live: boolean },
): Promise<Books> {
  const wrong: string[] = [];
  const sums = { acknowledged: 0, givenUp: 0, lost: 0, doubled: 0 };
  let cents = 0;
  for (const { person, acknowledged } of clients) {
    const all = await topUpsOf(api, person);
    const history = all.filter(({ status }) => status === 'SUCCESS_RECEIVED');
    const known = new Set(history.map(({ reference_id }) => reference_id));
    const answered = new Set(acknowledged.map(({ reference_id }) => reference_id));
    const settled = acknowledged.filter(({ reference_id }) => known.has(reference_id));
    sums.acknowledged += acknowledged.length;
    sums.givenUp += all.filter(({ status }) => status === 'FAILED').length;
    sums.lost += acknowledged.length - settled.length;
    // A second answer for the same transaction, or a transaction that no client got an answer for.
    sums.doubled += acknowledged.length - answered.size;
    sums.doubled += history.filter(({ reference_id }) => !answered.has(reference_id)).length;
    cents += centsOf(acknowledged, 'amount');
    const net = centsOf(acknowledged, 'net_amount');
    const balance = await balanceOf(api, person);
    if (balance !== net)
      wrong.push(`wallet ${person.wallet_id} has ${balance}, clients were told ${net}`);
  }
  const taken = String(await ask(url, TAKEN));
  if (live && taken !== `${sums.acknowledged} ${cents}`)
    wrong.push(`the card network took ${taken}, clients were told ${sums.acknowledged} ${cents}`);
  await verifyLedger(url).catch((error: Error) => wrong.push(error.message));
  return { ...sums, wrong };
}

/** In US dollars, by their number at the card network. */
const TAKEN = `
  select count(*) || ' ' || round(coalesce(sum((data->>'amount')::numeric), 0) * 100)
  from sandbox.records
  where provider = 'card-network' and kind = 'transaction' and data->>'kind' = 'pull'
    and data->>'status' = 'COMPLETED' and data->>'currency' = '840'`;

const centsOf = (all: readonly Acknowledged[], field: 'amount' | 'net_amount'): number =>
  all.reduce((sum, one) => sum + Math.round(one[field] * 100), 0);

async function topUpsOf(api: string, { wallet_id, ...as }: Client['person']): Promise<Entry[]> {
  const all: Entry[] = [];
  for (;;) {
    const last = all.at(-1);
    const page = `wallet_id=${wallet_id}&limit=${PAGE}${last ? `&before=${last.id}` : ''}`;
    const { data } = await call(`GET /card-checkout/card/history?${page}`, api, as);
    all.push(...data);
    if (data.length < PAGE) return all.filter(({ type }) => type === 'TOPUP');
  }
}

async function balanceOf(api: string, { user_id, ...as }: Client['person']): Promise<number> {
  const { data } = await call(`GET /wallets/fiat/${user_id}`, api, as);
  const usd = data.wallets.find(({ currency }: { currency: string }) => currency === 'USD');
  return Math.round(Number(usd.balance) * 100);
}

/** `npm run ledger:verify`: every rule of the ledger, recomputed from its entries. */
const verifyLedger = (url: string): Promise<string> =>
  outputOf(process.execPath, ['scripts/run.mjs', 'scripts/ledger-verify.ts'], {
    ...process.env,
    DATABASE_URL: url,
  });
