import { isDeepStrictEqual } from 'node:util';
import type { Kysely } from 'kysely';
import type { SubmittableTransaction, Wallet } from 'xrpl';
import type { Db } from '#kernel/db/db.ts';
import type { DB } from '#kernel/db/schema.generated.ts';
import { done, type Outcome, unknown } from '#kernel/effects/outcome.ts';
import type { Logger } from '#kernel/log.ts';
import { transact } from '#kernel/transact.ts';
import { createAccountQueues } from '../account-queues.ts';
import { type AccountView, accountViews, FEE_MIN_DROPS } from './account-view.ts';
import type { Connection } from './connection.ts';
import { createFollower, EXPIRED, type FollowedLedger, type XrplLedgerFollower } from './follow.ts';
import {
  findXrplLedgerByReference,
  freeSequence,
  insertSignedXrpl,
  type JournalRow,
  lockAccount,
} from './journal.ts';
import type { XrplAccount, XrplKeys } from './keys.ts';
import { library } from './library.ts';

/** A transaction to be made; what it is called names it once and for all. */
export interface XrplLedgerOrder {
  readonly reference: string;
  readonly purpose: string;
  readonly from: XrplAccount;
  /** Without account, sequence, fee and last ledger. */
  readonly fields: Readonly<Record<string, unknown>> & { readonly TransactionType: string };
}

export interface XrplLedgerSender {
  /** Makes it once, however often it is asked; `refused` with its code where a ledger has it as failed. */
  send(order: XrplLedgerOrder): Promise<Outcome<JournalRow>>;
  /** What became of it; `done(undefined)` where it was never signed, or certainly never happened. */
  find(reference: string): Promise<Outcome<JournalRow | undefined>>;
  /** Drops that the ledger has asked for a transaction when the last one was signed here. */
  fee(): bigint;
}

export interface SenderDeps {
  readonly db: Kysely<DB>;
  readonly connection: Connection;
  readonly keys: () => Promise<XrplKeys>;
  readonly log: Logger;
}

/** About a minute: long enough for a queue, short enough to be certain soon. */
const LEDGERS = 20;
/** Within one call; each but the last has certainly not happened. */
const SIGNED_MAX = 2;

/**
 * Signs and submits. The intent, with reference, sequence and hash, is committed before it leaves;
 * a `LastLedgerSequence` makes certain that what no ledger has by then never happens.
 */
export function createXrplLedgerSender(deps: SenderDeps): XrplLedgerSender {
  const { db } = deps;
  const follower = createFollower(deps);
  let fee = FEE_MIN_DROPS;
  const views = accountViews(deps.connection, (drops) => {
    fee = drops;
  });
  const signing = { queues: createAccountQueues(), follower, views };
  return {
    fee: () => BigInt(fee),
    async send(order) {
      for (let signed = 0; signed < SIGNED_MAX; signed += 1) {
        const known = await findXrplLedgerByReference(db, order.reference);
        const isExpired = known?.status === 'EXPIRED';
        if (known) await mustBeSame(known, order);
        const fresh =
          known && !isExpired
            ? { row: known, taken: undefined }
            : await sign({ ...deps, ...signing }, order, isExpired);
        if ('kind' in fresh) return fresh;
        const ending = await follower.follow(fresh.row, fresh.taken);
        if (ending.kind !== 'unknown' || ending.cause !== EXPIRED) return ending;
      }
      return unknown('It has expired, and is signed again later');
    },
    async find(reference) {
      const known = await living(db, reference);
      if (known === undefined) return done(undefined);
      const ending = await follower.follow(known, undefined);
      return ending.kind === 'unknown' && ending.cause === EXPIRED ? done(undefined) : ending;
    },
  };
}

/** What makes a payment another one. */
const CONTENT = ['TransactionType', 'Destination', 'DestinationTag', 'Amount'] as const;

/** A reference names one content for good; what was signed is kept for 90 days after its end. */
async function mustBeSame(
  { reference, blob }: JournalRow,
  { fields }: XrplLedgerOrder,
): Promise<void> {
  if (blob === '') return;
  const { decode } = await library();
  const signed = decode(blob) as Readonly<Record<string, unknown>>;
  const other = CONTENT.find((name) => !isDeepStrictEqual(signed[name], fields[name]));
  if (other !== undefined) throw new Error(`${reference} was signed with another ${other}`);
}

interface Signing {
  readonly queues: ReturnType<typeof createAccountQueues>;
  readonly follower: XrplLedgerFollower;
  readonly views: ReturnType<typeof accountViews>;
}

async function living(db: Db, reference: string): Promise<JournalRow | undefined> {
  const known = await findXrplLedgerByReference(db, reference);
  return known?.status === 'EXPIRED' ? undefined : known;
}

interface Signed {
  readonly row: JournalRow;
  readonly taken: FollowedLedger;
}

/** Under the account's lock: the lowest free sequence, signed and written down; then submitted in turn. */
async function sign(
  deps: SenderDeps & Signing,
  order: XrplLedgerOrder,
  isAnew: boolean,
): Promise<Signed | Exclude<Outcome<never>, { kind: 'done' }>> {
  const { db, keys, queues, follower, views } = deps;
  const wallet = (await keys())[order.from];
  const account = wallet.classicAddress;
  const signed = await queues.inTurn(account, async (leave) => {
    const view = await views(account, isAnew);
    if ('kind' in view) return view;
    const row = await transact(db, async (tx) => {
      await lockAccount(tx, account);
      return (await living(tx, order.reference)) ?? (await signNext(tx, wallet, order, view));
    });
    // In the order of their sequences, the next one being signed meanwhile.
    return { row, submitted: leave(() => follower.submit(row)) };
  });
  return 'kind' in signed ? signed : { row: signed.row, taken: await signed.submitted };
}

async function signNext(
  tx: Db,
  wallet: Wallet,
  { reference, purpose, fields }: XrplLedgerOrder,
  { sequence: floor, ledger: first_ledger, fee }: AccountView,
): Promise<JournalRow> {
  const account = wallet.classicAddress;
  const sequence = await freeSequence(tx, account, floor);
  const last_ledger = first_ledger + LEDGERS;
  const { tx_blob: blob, hash } = wallet.sign({
    ...fields,
    Account: account,
    Sequence: sequence,
    Fee: fee,
    Flags: 0,
    LastLedgerSequence: last_ledger,
  } as unknown as SubmittableTransaction);
  return insertSignedXrpl(tx, {
    reference,
    purpose,
    account,
    sequence,
    hash,
    blob,
    first_ledger,
    last_ledger,
  });
}
