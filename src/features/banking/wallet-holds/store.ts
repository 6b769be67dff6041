import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { type Db, run } from '#kernel/db/db.ts';
import { type LookedRows, lookedPage } from '#kernel/db/looked-page.ts';
import type { Row } from '#kernel/db/row.ts';
import { firstStatusTimes, stateMovesOf } from '#kernel/db/state-moves.ts';
import type { HeldObject } from '#kernel/ledger/holds.ts';
import { NAMELESS, namesOf, type ObjectNames } from '#kernel/object-names/object-names.ts';
import { referenceRule } from '#kernel/object-names/reference-rule.ts';

export const WALLET_HOLD_STATUSES = [
  'OPEN',
  'PARTIALLY_CAPTURED',
  'CAPTURED',
  'VOIDED',
  'EXPIRED',
] as const;
export type WalletHoldStatus = (typeof WALLET_HOLD_STATUSES)[number];
/** While there is something to take. */
export const OPEN_HOLDS = ['OPEN', 'PARTIALLY_CAPTURED'] as const;

type HoldRow = Omit<Row<'fiat_holds'>, 'status' | 'currency'> & {
  readonly status: WalletHoldStatus;
  readonly currency: Fiat;
};
/** A hold with its people and what its caller calls it. */
export type WalletHold = HoldRow & {
  readonly from_name: string;
  readonly to_name: string;
  readonly names: ObjectNames;
};

const NEW = [
  ...['hold_id', 'object_id', 'operation', 'client_id', 'user_id', 'wallet_id', 'account_id'],
  ...['currency', 'to_user_id', 'to_wallet_id', 'to_account_id', 'amount', 'fee', 'fee_terms'],
  ...['note', 'expires_at'],
].join();
export type NewWalletHold = Pick<
  HoldRow,
  | ('hold_id' | 'object_id' | 'operation' | 'client_id' | 'user_id' | 'wallet_id' | 'account_id')
  | ('currency' | 'to_user_id' | 'to_wallet_id' | 'to_account_id' | 'amount' | 'fee')
  | ('fee_terms' | 'note' | 'expires_at')
>;

const jsonOf = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? one.toString() : one));

/** Undefined where the same request has made it before. */
export async function insertWalletHold(
  tx: Db,
  hold: NewWalletHold,
): Promise<WalletHold | undefined> {
  const rows = await run<HoldRow>(
    tx,
    `insert into fiat_holds (${NEW}, status, status_times)
     select ${NEW}, 'OPEN', ${firstStatusTimes('OPEN')} from json_populate_record(null::fiat_holds, $1::json)
     on conflict (operation) do nothing returning *`,
    [jsonOf(hold)],
  );
  return (await withNames(tx, rows))[0];
}

async function withNames(db: Db, rows: readonly HoldRow[]): Promise<WalletHold[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ object_id }) => object_id);
  const names = await namesOf(db, 'wallet_hold', ids, 'operator');
  const people = await run<Row<'users', 'user_id' | 'username'>>(
    db,
    'select user_id, username from users where user_id = any($1::integer[])',
    [rows.flatMap(({ user_id, to_user_id }) => [user_id, to_user_id])],
  );
  const nameOf = new Map(people.map(({ user_id, username }) => [user_id, username]));
  return rows.map((row) => ({
    ...row,
    from_name: nameOf.get(row.user_id) ?? '',
    to_name: nameOf.get(row.to_user_id) ?? '',
    names: names.get(row.object_id) ?? NAMELESS,
  }));
}

const moves = stateMovesOf<HoldRow>('fiat_holds');

/** Changes one that is locked and as it was read. */
export async function moveWalletHold(
  tx: Db,
  hold: WalletHold,
  status: WalletHoldStatus,
  changes: Partial<Pick<HoldRow, 'captured' | 'fee_captured' | 'captures'>> = {},
): Promise<WalletHold> {
  const { hold_id, version } = hold;
  const row = await moves.tryMove(tx, { hold_id, version, status: hold.status }, status, changes);
  if (!row) throw new Error(`Hold ${hold.object_id} has changed`);
  return { ...hold, ...row };
}

const one = async (db: Db, text: string, values: readonly unknown[]) =>
  (await withNames(db, await run<HoldRow>(db, text, values)))[0];

export const holdOfOperation = (db: Db, operation: string): Promise<WalletHold | undefined> =>
  one(db, 'select * from fiat_holds where operation = $1', [operation]);

interface HoldReach {
  readonly client_id?: number;
  readonly user_id?: number;
}

const REACHED = `hold_id = $1 and ($2::integer is null or client_id = $2)
  and ($3::integer is null or $3 in (user_id, to_user_id))`;
const reached = (hold_id: string, { client_id, user_id }: HoldReach) => [
  ...[hold_id, client_id ?? null, user_id ?? null],
];

/** Of either side. */
export const findWalletHold = (
  db: Db,
  reach: HoldReach,
  hold_id: string,
): Promise<WalletHold | undefined> =>
  one(db, `select * from fiat_holds where ${REACHED}`, reached(hold_id, reach));

/** The same, locked until the transaction ends: acts on it wait for one another. */
export const lockWalletHold = (
  tx: Db,
  reach: HoldReach,
  hold_id: string,
): Promise<WalletHold | undefined> =>
  one(tx, `select * from fiat_holds where ${REACHED} for no key update`, reached(hold_id, reach));

/** Locks those that are over, up to the limit. */
export async function lapsedHolds(tx: Db, limit: number): Promise<WalletHold[]> {
  const rows = await run<HoldRow>(
    tx,
    `select * from fiat_holds where lapses_at <= service_now()
      order by lapses_at limit $1 for no key update skip locked`,
    [limit],
  );
  return withNames(tx, rows);
}

export interface HoldFilters {
  readonly side?: 'sent' | 'received' | undefined;
  readonly status?: string | undefined;
  readonly reference?: string | undefined;
  readonly created_from?: string | undefined;
  readonly created_to?: string | undefined;
}

const PAID = 'select t.* from fiat_holds t where t.user_id = $2 and t.serial < $1';
const RECEIVED =
  'select t.* from fiat_holds t where t.to_user_id = $2 and t.to_user_id <> t.user_id and t.serial < $1';
const SIDES = { sent: [PAID], received: [RECEIVED], both: [PAID, RECEIVED] } as const;

/** Those of a user, newest first. */
export async function listWalletHolds(
  db: Db,
  user_id: number,
  { side, status, reference, created_from, created_to }: HoldFilters,
  place: { readonly limit: number; readonly before: number | undefined },
): Promise<LookedRows<WalletHold>> {
  const { rows, looked } = await lookedPage<HoldRow>(db, {
    ...place,
    sides: SIDES[side ?? 'both'],
    values: [user_id],
    filters: [
      [status, (given) => `t.status = ${given}`],
      [reference, referenceRule('wallet_hold')],
      [created_from, (given) => `t.created_at >= ${given}::timestamptz`],
      [created_to, (given) => `t.created_at < ${given}::timestamptz + interval '1 millisecond'`],
    ],
  });
  return { rows: await withNames(db, rows), looked };
}

/** Whose money they set aside. */
export function findWalletHolders(db: Db, holds: readonly string[]): Promise<HeldObject[]> {
  return run(
    db,
    `select 'wallet-hold:' || h.object_id as hold, h.account_id, h.object_id as reference,
       h.status in ('OPEN', 'PARTIALLY_CAPTURED') as is_open, h.expires_at as until, null as next_attempt_at
     from fiat_holds h where h.object_id = any($1::text[])`,
    [holds.map((hold) => hold.replace(/^wallet-hold:/, ''))],
  );
}
