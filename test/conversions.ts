import { run } from '#kernel/db/db.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { transfer } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { money } from '#kernel/money/money.ts';
import type { Body, Harness, Person } from './harness.ts';
import { totalsOf } from './ledger/totals.ts';

export const EVM_ADDRESS = '0x742d35Cc6634C0532925a3b844Bc454e4438f44e';
export const TRON_ADDRESS = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';

let serial = 0;

/** Posts new rupiah to the user's existing wallet. */
export async function giveRupiah(h: Harness, user_id: number, amount: string): Promise<void> {
  serial += 1;
  const nowhere = await openAccount(h.db, houseAccount('test-funds', 'IDR'));
  const owner = { owner: `user:${user_id}`, purpose: 'wallet', asset: 'IDR' } as const;
  const wallet = await openAccount(h.db, owner);
  const legs = transfer(nowhere, wallet, money('IDR', amount).units);
  await postWithin(h.db, { key: `test-funds:${user_id}:${serial}`, kind: 'test-funds', legs });
}

export interface Converting {
  readonly as: Person;
  readonly wallet_id: number;
  /** Answers the whole body. */
  start(amount_idr: unknown, key?: string): Promise<[number, Body]>;
  status(job_id: number): Promise<Body>;
  /** In units, posted and held. */
  wallet(): Promise<{ posted: bigint; held: bigint }>;
}

export interface ConvertingOptions {
  readonly rupiah?: string;
  /** The wallet for the USDC; none if null. */
  readonly network?: 'ERC20' | 'TRC20' | 'POLYGON' | null;
  readonly address?: string;
  readonly client_id?: number;
  readonly role?: 'user' | 'admin';
}

/** A user with rupiah and a wallet for USDC; for tests. */
export async function converting(h: Harness, options: ConvertingOptions = {}): Promise<Converting> {
  const { rupiah = '1000000', network = 'TRC20', role = 'user' } = options;
  const { address = network === 'TRC20' ? TRON_ADDRESS : EVM_ADDRESS } = options;
  const client_id = options.client_id ?? (await h.client({ country_code: 'ID' })).client_id;
  const as = await h.user({ client_id, role });
  const [, opened] = await h.call('POST /wallets/fiat', { as, body: { currency: 'IDR' } });
  const { wallet_id } = opened.data;
  if (rupiah !== '0') await giveRupiah(h, as.user_id, rupiah);
  if (network !== null) await saveAddress(h, as, network, address);
  return {
    as,
    wallet_id,
    start: (amount_idr, key) =>
      h.call('POST /exchange/disbursement/start', {
        as,
        body: { wallet_id, amount_idr },
        ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
      }),
    status: async (job_id) => {
      const params = { job_id };
      return (await h.call('GET /exchange/conversion/status/{job_id}', { as, params }))[1].data;
    },
    async wallet() {
      const [found] = await run<{ posted: bigint; held: bigint }>(
        h.db,
        `select posted, held from ledger.accounts
         where owner = $1 and purpose = 'wallet' and asset = 'IDR'`,
        [`user:${as.user_id}`],
      );
      if (!found) throw new Error('No wallet');
      return found;
    },
  };
}

export const saveAddress = (h: Harness, as: Person, network: string, wallet_address: string) =>
  h.call('POST /exchange/crypto-wallet/save', { as, body: { network, wallet_address } });

/** The disbursement of that reference arrives at the exchange. */
export const arrive = (h: Harness, reference_id: string, told?: string): Promise<Body> =>
  h.sandbox('POST', '/exchange/deposits', { reference_id, ...(told && { told }) });

/** Sets the behaviour of the sandbox's exchange. */
export const behave = (h: Harness, how: object): Promise<Body> =>
  h.sandbox('POST', '/exchange/behaviour', how);

export const misbehave = (h: Harness, provider: string, kind: string, times = 1): Promise<Body> =>
  h.sandbox('POST', '/faults', { provider, kind, times, ms: 20 });

/** The balances of the house's accounts of conversions, in units; money that others hold for us is negative. */
export async function houseBooks(h: Harness): Promise<Record<string, bigint>> {
  const books: Record<string, bigint> = {};
  for (const purpose of ['gateway', 'exchange-transit', 'exchange', 'exchange-owed'])
    for (const { asset, balance } of await totalsOf(h.db, ['house'], purpose))
      books[`${purpose} ${asset}`] = balance;
  return books;
}

/**
 * Invariants: the ledger is sound, the exchange holds the amount of our books, and the debt to users matches their
 * jobs. Answers the violations.
 */
export async function wrongBooks(h: Harness): Promise<string[]> {
  const { broken } = await verifyLedger(h.db);
  const wrong = broken.map(({ rule }) => rule);
  const books = await houseBooks(h);
  const jobs = await h.db.selectFrom('conversion_jobs').selectAll().execute();
  const owed = { idr: 0n, usdc: 0n };
  for (const job of jobs) {
    const isOut = job.paid_out_at !== null && job.status !== 'FAILED';
    if (isOut) owed.idr += job.amount - job.spent - job.returned;
    if (job.status !== 'COMPLETED') owed.usdc += job.bought - job.fee_usdc;
  }
  if ((books['exchange-owed IDR'] ?? 0n) !== owed.idr) wrong.push(`IDR owed is not ${owed.idr}`);
  if ((books['exchange-owed USDC'] ?? 0n) !== owed.usdc)
    wrong.push(`USDC owed is not ${owed.usdc}`);
  return wrong;
}

/** The exchange's holdings beyond those in the ledger: zero, once all has settled. */
export async function strayAtExchange(h: Harness): Promise<{ idr: bigint; usdc: bigint }> {
  const [account] = await run<{ data: { idr: string; usdc: string } }>(
    h.db,
    `select data from sandbox.records where provider = 'exchange' and kind = 'account'`,
    [],
  );
  const books = await houseBooks(h);
  return {
    idr: BigInt(account?.data.idr ?? 0) + (books['exchange IDR'] ?? 0n),
    usdc: BigInt(account?.data.usdc ?? 0) + (books['exchange USDC'] ?? 0n),
  };
}

/** The number of executions of each step of a job at gateway and exchange. */
export async function doneThere(h: Harness, reference_id: string, job_id: number) {
  const count = async (kind: string, of: object): Promise<number> => {
    const [found] = await run<{ n: number }>(
      h.db,
      'select count(*) as n from sandbox.records where kind = $1 and data @> $2::jsonb',
      [kind, JSON.stringify(of)],
    );
    return found?.n ?? 0;
  };
  const sum = async (
    kind: string,
    table: 'conversion_orders' | 'conversion_withdrawals',
    more: object,
  ): Promise<number> => {
    const rows = await h.db
      .selectFrom(table)
      .select('reference')
      .where('job_id', '=', job_id)
      .execute();
    let total = 0;
    for (const { reference: clientId } of rows) total += await count(kind, { clientId, ...more });
    return total;
  };
  return {
    payouts: await count('payout', { reference_id }),
    orders: await sum('order', 'conversion_orders', { status: 2 }),
    withdrawals: await sum('withdrawal', 'conversion_withdrawals', { status: 10 }),
  };
}
