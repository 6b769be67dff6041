import { hash } from 'node:crypto';
import { type Cause, causeNow } from '../cause.ts';
import { quoted } from '../db/columns.ts';
import { AppError, fail } from '../error.ts';
import { type Leg, type Operation, type Posted, STATUSES, type Status } from './ledger.ts';

/** As text, because one split reads hundreds of statuses faster than the driver's array parser. */
export const POST_SQL =
  'select status::text, transfer_id::text from ledger.post($1, $2, $3, $4, $5, $6, $7, $8)';

export interface PostRow {
  readonly status: string;
  readonly transfer_id: string;
}

/** An operation that was checked, in the texts PostgreSQL reads arrays from. */
export interface PreparedPosting {
  readonly key: string;
  readonly quotedKey: string;
  readonly kind: string;
  readonly digest: string;
  readonly meta: string;
  readonly count: number;
  readonly accounts: string;
  readonly amounts: string;
  readonly held: string;
  readonly legs: readonly Leg[];
  /** The rows that its legs move. */
  readonly ids: readonly number[];
  /** What has led to it: a batch has several. */
  readonly cause: Cause;
}

const KEY_MAX = 200;
const LEGS_MAX = 1000;
const KIND = /^[a-z][a-z0-9.-]{0,59}$/;
const UNITS_MAX = 10n ** 38n;

/** Refuses, before it can reach a batch, what is a mistake in the calling code. */
export function preparePosting({ key, kind, legs, meta, cause }: Operation): PreparedPosting {
  if (key.length < 1 || key.length > KEY_MAX || key.includes('\0') || !key.isWellFormed()) {
    throw new Error('An operation key is 1 to 200 characters that text can hold');
  }
  if (!KIND.test(kind)) throw new Error(`${key}: ${JSON.stringify(kind)} is no kind of operation`);
  if (legs.length < 1 || legs.length > LEGS_MAX) throw new Error(`${key}: ${legs.length} legs`);
  let accounts = '';
  let amounts = '';
  let held = '';
  for (const leg of legs) {
    const heldDelta = leg.held ?? 0n;
    if (!Number.isSafeInteger(leg.account)) throw new Error(`${key}: no account ${leg.account}`);
    if (!inRange(leg.amount) || !inRange(heldDelta)) throw new Error(`${key}: amount out of range`);
    if (leg.amount === 0n && heldDelta === 0n) throw new Error(`${key}: a leg that does nothing`);
    accounts += `,${leg.account}`;
    amounts += `,${leg.amount}`;
    held += `,${heldDelta}`;
  }
  const digest = hash('sha256', `${kind}${accounts}${amounts}${held}`, 'hex').slice(0, 32);
  return {
    key,
    quotedKey: quoted(key),
    kind,
    digest,
    meta: meta === undefined ? 'null' : quoted(JSON.stringify(meta)),
    count: legs.length,
    accounts,
    amounts,
    held,
    legs,
    ids: legs.map(({ account }) => account),
    cause: cause ?? causeNow(),
  };
}

/** The function's arguments for a batch. */
export function encode(batch: readonly PreparedPosting[]): string[] {
  const keys: string[] = [];
  const kinds: string[] = [];
  const digests: string[] = [];
  const metas: string[] = [];
  const counts: number[] = [];
  let accounts = '';
  let amounts = '';
  let held = '';
  for (const one of batch) {
    keys.push(one.quotedKey);
    kinds.push(one.kind);
    digests.push(one.digest);
    metas.push(one.meta);
    counts.push(one.count);
    accounts += one.accounts;
    amounts += one.amounts;
    held += one.held;
  }
  return [
    `{${keys.join()}}`,
    `{${kinds.join()}}`,
    `{${digests.join()}}`,
    `{${metas.join()}}`,
    `{${counts.join()}}`,
    `{${accounts.slice(1)}}`,
    `{${amounts.slice(1)}}`,
    `{${held.slice(1)}}`,
  ];
}

/** What each operation of a batch came to, in its order. */
export function decode({ status, transfer_id }: PostRow): [Status, number][] {
  const ids = transfer_id.slice(1, -1).split(',');
  return status
    .slice(1, -1)
    .split(',')
    .map((code, i) => [STATUSES[Number(code)] ?? 'malformed', Number(ids[i])]);
}

/** A caller's answer. Throws INSUFFICIENT_BALANCE, WALLET_FROZEN, ACCOUNT_NOT_ACTIVE, and a fault for the rest. */
export function outcome(key: string, [status, transfer_id]: [Status, number]): Posted {
  if (status === 'posted' || status === 'duplicate') return { status, transfer_id };
  if (status === 'insufficient-funds') throw fail('INSUFFICIENT_BALANCE', 'Insufficient balance');
  if (status === 'frozen-account') throw fail('WALLET_FROZEN', 'The wallet is frozen');
  if (status === 'closed-account') throw fail('ACCOUNT_NOT_ACTIVE', 'Account is closed');
  throw new Error(`The ledger refused ${key}: ${status}`);
}

/** Whether a posting was refused because an account has not, or may not give, what was to be taken. */
export const isNotCovered = (error: unknown): boolean =>
  error instanceof AppError &&
  (error.code === 'INSUFFICIENT_BALANCE' || error.code === 'WALLET_FROZEN');

const inRange = (units: bigint): boolean => units > -UNITS_MAX && units < UNITS_MAX;
