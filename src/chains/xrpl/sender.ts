import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { SubmittableTransaction } from 'xrpl';
import { monotonicMs } from '#kernel/clock.ts';
import type { DB } from '#kernel/db/schema.generated.ts';
import { transact } from '#kernel/db/transact.ts';
import { done, type Outcome, refused, unknown } from '#kernel/effects/outcome.ts';
import type { Logger } from '#kernel/log.ts';
import type { Connection } from './connection.ts';
import {
  findByReference,
  freeSequence,
  insertSigned,
  type JournalRow,
  lockAccount,
} from './journal.ts';
import type { XrplAccount, XrplKeys } from './keys.ts';
import { createLanes } from './lanes.ts';
import { lookUp } from './look-up.ts';
import { AccountInfo, FeeInfo, Submitted } from './wire.ts';

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
const PATIENCE_MS = 8_000;
const FIRST_PAUSE_MS = 30;
const PAUSE_MAX_MS = 1_000;
const FEE_MAX_DROPS = 5_000;
/** Of attempts within one call, of which each but the last has certainly not happened. */
const SIGNED_MAX = 2;

/**
 * Signs and submits. The intent, with reference, sequence and hash, is committed before it leaves;
 * a `LastLedgerSequence` makes certain that what no ledger has by then never happens.
 */
export function createSender(deps: SenderDeps): Sender {
  const { db, connection } = deps;
  const lanes = createLanes();
  const waiting = new Map<string, () => void>();
  connection.onValidated((hash) => waiting.get(hash)?.());

  async function send(order: Order): Promise<Outcome<JournalRow>> {
    for (let signed = 0; ; signed += 1) {
      const known = await findByReference(db, order.reference);
      if (known && known.status !== 'EXPIRED') return follow(known, isNew(signed));
      if (signed >= SIGNED_MAX) return unknown('It expired, and is signed again later');
      const fresh = await sign(deps, lanes, order, submit);
      if ('kind' in fresh) return fresh;
      const ending = await follow(fresh, true);
      if (ending.kind !== 'unknown' || ending.cause !== EXPIRED) return ending;
    }
  }

  async function submit(row: JournalRow): Promise<void> {
    const reply = await connection.ask(Submitted, 'submit', { tx_blob: row.blob });
    // Nothing of this is final: what counts is what a validated ledger says.
    if (!('result' in reply) || !/^(tes|ter|tefALREADY)/.test(reply.result.engine_result))
      deps.log.info({ reference: row.reference, reply }, 'A submission was not simply accepted');
  }

  /** Waits until a ledger has it, submitting again what it might not have heard. */
  async function follow(row: JournalRow, isSubmitted: boolean): Promise<Outcome<JournalRow>> {
    const until = monotonicMs() + PATIENCE_MS;
    let again = !isSubmitted;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, PAUSE_MAX_MS)) {
      const told = listen(row.hash);
      const seen = row.status === 'PENDING' ? await lookUp(deps, row) : done(row);
      if (seen.kind !== 'done') return (told.end(), seen);
      if (seen.value?.status === 'EXPIRED') return (told.end(), unknown(EXPIRED));
      if (seen.value) return (told.end(), outcomeOf(seen.value));
      if (monotonicMs() >= until) return (told.end(), unknown('No ledger has it yet'));
      if (again) await submit(row);
      again = true;
      await Promise.race([told.heard, sleep(pause)]);
      told.end();
    }
  }

  function listen(hash: string) {
    const { promise: heard, resolve } = Promise.withResolvers<void>();
    waiting.set(hash, resolve);
    return { heard, end: () => void (waiting.get(hash) === resolve && waiting.delete(hash)) };
  }

  return {
    send,
    async find(reference) {
      const known = await findByReference(db, reference);
      if (known === undefined || known.status === 'EXPIRED') return done(undefined);
      const ending = await follow(known, false);
      return ending.kind === 'unknown' && ending.cause === EXPIRED ? done(undefined) : ending;
    },
  };
}

const EXPIRED = 'It is in no ledger, and never will be';
/** What was found and not signed here may not have been submitted. */
const isNew = (signed: number): boolean => signed > 0;

function outcomeOf(row: JournalRow): Outcome<JournalRow> {
  if (row.status === 'VALIDATED') return done(row);
  return refused(row.result ?? 'FAILED', `The XRP Ledger refused it: ${row.result}`);
}

/** Under the account's lock: the lowest free sequence, signed and written down; then submitted in turn. */
async function sign(
  { db, connection, keys }: SenderDeps,
  lanes: ReturnType<typeof createLanes>,
  { reference, purpose, from, fields }: Order,
  submit: (row: JournalRow) => Promise<void>,
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
