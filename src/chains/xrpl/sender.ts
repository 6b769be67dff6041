import type { Kysely } from 'kysely';
import type { SubmittableTransaction } from 'xrpl';
import type { Db } from '#kernel/db/db.ts';
import type { DB } from '#kernel/db/schema.generated.ts';
import { transact } from '#kernel/db/transact.ts';
import { done, type Outcome, unknown } from '#kernel/effects/outcome.ts';
import type { Logger } from '#kernel/log.ts';
import type { Connection } from './connection.ts';
import { createFollower, EXPIRED, type Follower } from './follow.ts';
import {
  findByReference,
  freeSequence,
  insertSigned,
  type JournalRow,
  lockAccount,
} from './journal.ts';
import type { XrplAccount, XrplKeys } from './keys.ts';
import { createLanes } from './lanes.ts';
import { AccountInfo, FeeInfo } from './wire.ts';

/** A transaction to be made; what it is called names it once and for all. */
export interface Order {
  readonly reference: string;
  readonly purpose: string;
  readonly from: XrplAccount;
  /** Without account, sequence, fee and last ledger. */
  readonly fields: Readonly<Record<string, unknown>> & { readonly TransactionType: string };
}

export interface Sender {
  /** Makes it once, however often it is asked; `refused` with its code where a ledger has it as failed. */
  send(order: Order): Promise<Outcome<JournalRow>>;
  /** What became of it; `done(undefined)` where it was never signed, or certainly never happened. */
  find(reference: string): Promise<Outcome<JournalRow | undefined>>;
}

export interface SenderDeps {
  readonly db: Kysely<DB>;
  readonly connection: Connection;
  readonly keys: () => Promise<XrplKeys>;
  readonly log: Logger;
}

/** About a minute: long enough for a queue, short enough to be certain soon. */
const LEDGERS = 20;
const FEE_MAX_DROPS = 5_000;
/** Within one call; each but the last has certainly not happened. */
const SIGNED_MAX = 2;

/**
 * Signs and submits. The intent, with reference, sequence and hash, is committed before it leaves;
 * a `LastLedgerSequence` makes certain that what no ledger has by then never happens.
 */
export function createSender(deps: SenderDeps): Sender {
  const { db } = deps;
  const lanes = createLanes();
  const follower = createFollower(deps);
  return {
    async send(order) {
      for (let signed = 0; signed < SIGNED_MAX; signed += 1) {
        const known = await living(db, order.reference);
        const row = known ?? (await sign(deps, lanes, order, follower));
        if ('kind' in row) return row;
        const ending = await follower.follow(row, row !== known);
        if (ending.kind !== 'unknown' || ending.cause !== EXPIRED) return ending;
      }
      return unknown('It has expired, and is signed again later');
    },
    async find(reference) {
      const known = await living(db, reference);
      if (known === undefined) return done(undefined);
      const ending = await follower.follow(known, false);
      return ending.kind === 'unknown' && ending.cause === EXPIRED ? done(undefined) : ending;
    },
  };
}

async function living(db: Db, reference: string): Promise<JournalRow | undefined> {
  const known = await findByReference(db, reference);
  return known?.status === 'EXPIRED' ? undefined : known;
}

/** Under the account's lock: the lowest free sequence, signed and written down; then submitted in turn. */
async function sign(
  { db, connection, keys }: SenderDeps,
  lanes: ReturnType<typeof createLanes>,
  { reference, purpose, from, fields }: Order,
  { submit }: Pick<Follower, 'submit'>,
): Promise<JournalRow | Outcome<JournalRow>> {
  const wallet = (await keys())[from];
  const account = wallet.classicAddress;
  const info = await connection.ask(AccountInfo, 'account_info', {
    account,
    ledger_index: 'validated',
  });
  if (!('result' in info)) return unknown('lost' in info ? info.lost : info.error);
  const fee = await feeOf(connection);
  if (fee === undefined) return unknown('The fee is not known');
  const { account_data, ledger_index } = info.result;
  return lanes
    .inTurn(account, async (leave) => {
      const row = await transact(db, async (tx) => {
        await lockAccount(tx, account);
        const known = await findByReference(tx, reference);
        if (known && known.status !== 'EXPIRED') return known;
        const sequence = await freeSequence(tx, account, account_data.Sequence);
        const last_ledger = ledger_index + LEDGERS;
        const { tx_blob: blob, hash } = wallet.sign({
          ...fields,
          Account: account,
          Sequence: sequence,
          Fee: fee,
          Flags: 0,
          LastLedgerSequence: last_ledger,
        } as unknown as SubmittableTransaction);
        const first_ledger = ledger_index;
        const named = { reference, purpose, account };
        return insertSigned(tx, { ...named, sequence, hash, blob, first_ledger, last_ledger });
      });
      // In the order of their sequences, the next one being signed meanwhile.
      const submitted = leave(() => submit(row));
      return { row, submitted };
    })
    .then(async ({ row, submitted }) => {
      await submitted;
      return row;
    });
}

async function feeOf(connection: Connection): Promise<string | undefined> {
  const reply = await connection.ask(FeeInfo, 'fee');
  if (!('result' in reply)) return undefined;
  const drops = Number(reply.result.drops.open_ledger_fee);
  return Number.isSafeInteger(drops)
    ? String(Math.min(Math.max(drops, 12), FEE_MAX_DROPS))
    : undefined;
}
