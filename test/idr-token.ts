import { findMint } from '#features/ramps/idr-token/purchase/store.ts';
import { run } from '#kernel/db/db.ts';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { freshAddress } from './crosschain.ts';
import type { Body, CallOptions, Harness, Person } from './harness.ts';

type Answer = Promise<[number, Body]>;
type More = Omit<CallOptions, 'as' | 'body'>;

/** A person's actions with rupiah tokens; for tests. */
export function tokenUser(h: Harness, as: Person) {
  const call = (id: Parameters<Harness['call']>[0], options: CallOptions = {}): Answer =>
    h.call(id, { as, ...options });
  const onramp = (over: object = {}, more: More = {}): Answer =>
    call('POST /idrtoken/onramp/initiate', {
      body: { amount: 50_000, paymentMethod: 'QRIS', walletAddress: freshAddress(), ...over },
      ...more,
    });
  const status = (kind: 'onramp' | 'offramp', reference_id: string): Answer =>
    call(`GET /idrtoken/${kind}/status/{reference_id}`, { params: { reference_id } });
  const addBank = (over: object = {}): Answer =>
    call('POST /idrtoken/banks/add', {
      body: {
        bankName: 'Bank Central Asia',
        bankCode: 'BCA',
        accountNumber: '1234567890',
        accountName: as.username,
        ...over,
      },
    });
  return {
    as,
    call,
    onramp,
    /** A purchase that waits to be paid. */
    async begun(over: object = {}): Promise<Body> {
      const [code, body] = await onramp(over);
      if (code !== 200) throw new Error(`Not initiated: ${JSON.stringify(body)}`);
      return body.data;
    },
    addBank,
    async bank(over: object = {}): Promise<number> {
      const [code, body] = await addBank(over);
      if (code !== 200) throw new Error(`Not added: ${JSON.stringify(body)}`);
      return body.data.token_bank_id;
    },
    offramp: (body: object, more: More = {}): Answer =>
      call('POST /idrtoken/offramp/initiate', { body, ...more }),
    status,
    async statusOf(kind: 'onramp' | 'offramp', reference_id: string): Promise<string> {
      return (await status(kind, reference_id))[1].data.status;
    },
    list: (kind: 'mint' | 'redeem', query: Record<string, string | number> = {}): Answer =>
      call(`GET /idrtoken/transactions/${kind}`, { query }),
    /** Posted, in units of IDR. */
    async balance(): Promise<bigint> {
      const [row] = await run<{ posted: bigint }>(
        h.db,
        `select posted from ledger.accounts
         where owner = $1 and purpose = 'wallet' and asset = 'IDR'`,
        [`user:${as.user_id}`],
      );
      return row?.posted ?? 0n;
    },
  };
}
export type TokenUser = ReturnType<typeof tokenUser>;

/** Runs the jobs until it is minted, as long as a busy machine needs. */
export async function untilMinted(h: Harness, reference: string): Promise<void> {
  for (let tries = 0; tries < 5; tries += 1) {
    await h.drain();
    if ((await mintRow(h, reference)).status === 'SUCCESS') return;
    await h.advance(60);
  }
  const flow = await h.kernel.sagas.find(h.db, reference);
  const steps = await run(h.db, `select kind, steps from effects where id like $1 || ':%'`, [
    reference,
  ]);
  throw new Error(`${reference} was not minted: ${JSON.stringify([flow, steps])}`);
}

export const HOUSE = [
  'gateway',
  'idr-token-owed',
  'idr-token-reserve',
  'idr-token-redemptions',
  'idr-token-fees',
] as const;

/** The house's accounts in units of IDR, by purpose. */
export async function houseOf(h: Harness): Promise<Record<(typeof HOUSE)[number], bigint>> {
  const rows = await run<{ purpose: string; posted: bigint }>(
    h.db,
    `select purpose, sum(posted) as posted from ledger.accounts
     where owner = 'house' and asset = 'IDR' group by purpose`,
    [],
  );
  const known = new Map(rows.map(({ purpose, posted }) => [purpose, posted]));
  return Object.fromEntries(HOUSE.map((name) => [name, known.get(name) ?? 0n])) as never;
}

/** The ledger adds up. */
export async function broken(h: Harness): Promise<readonly unknown[]> {
  return (await verifyLedger(h.db)).broken;
}

/** The row of a purchase. */
export async function mintRow(h: Harness, reference_id: string) {
  const row = await findMint(h.db, { reference_id });
  if (row === undefined) throw new Error(`There is no ${reference_id}`);
  return row;
}
