import { transact } from '#kernel/transact.ts';
import { type CardanoListener, rebook } from './booked.ts';
import type { CardanoJournalEntry } from './journal.ts';
import { listOpen, markFinal, markTakenBack } from './open-store.ts';
import type { Cardano, Order } from './port.ts';
import { isPast, lapse, push, type Work } from './sending.ts';

/** Questions under way at once. */
const AT_ONCE = 5;

export interface Watch extends Work {
  readonly send: Cardano['send'];
  /** Blocks from which on nothing takes a transaction back any more, its own being the first. */
  readonly finalDepth: number;
  readonly listeners: readonly CardanoListener[];
}

/**
 * One look at all transactions that counted and may be taken back still. One that is gone is sent again; where
 * it can come into no block any more it is signed again, and the ledger takes that for the other. Safe to run at
 * any time, also twice at once; asks no node where there is nothing to look after.
 */
export async function monitorOpen(watch: Watch): Promise<void> {
  for (let after = 0; ; ) {
    const rows = await listOpen(watch.db, watch.network, after);
    const last = rows.at(-1);
    if (last === undefined) return;
    const tip = await watch.node.tip();
    if (tip.kind !== 'done') return;
    for (let i = 0; i < rows.length; i += AT_ONCE) {
      const some = rows.slice(i, i + AT_ONCE);
      const found = await Promise.all(some.map((row) => find(watch, row)));
      // One after the other, as they were made: what spends the change of another is refused before that one is back.
      for (const [nth, row] of some.entries())
        await lookQuietly(watch, row, { found: found[nth], height: tip.value.height });
    }
    after = Number(last.seq);
  }
}

/** What has lapsed is in no block. */
const find = async ({ node }: Watch, { hash, state }: CardanoJournalEntry) =>
  state === 'LAPSED' ? undefined : node.find(hash);

/** One that cannot be helped must not keep the others from it. */
async function lookQuietly(watch: Watch, row: CardanoJournalEntry, seen: Seen): Promise<void> {
  await lookAt(watch, row, seen).catch((err: unknown) => {
    watch.log.error({ hash: row.hash, err }, 'Could not look after a Cardano transaction');
  });
}

interface Seen {
  readonly found: Awaited<ReturnType<typeof find>>;
  /** Of the newest block. */
  readonly height: number;
}

async function lookAt(
  watch: Watch,
  row: CardanoJournalEntry,
  { found, height }: Seen,
): Promise<void> {
  const { db, finalDepth } = watch;
  if (row.state === 'LAPSED') return replace(watch, row);
  if (found?.kind !== 'done') return;
  if (found.value) {
    // One that is back counts again once somebody has followed it that deep.
    if (row.state === 'SIGNED') await watch.send(orderOf(row));
    else if (height - found.value.height + 1 >= finalDepth) await markFinal(db, row.hash);
    return;
  }
  if (row.state === 'CONFIRMED' && (await markTakenBack(db, row.hash)))
    await heardOfTakenBack(watch, row);
  if (await isPast(watch, row)) {
    await lapse(watch, row);
    if (row.booked_at !== null) await replace(watch, row);
  } else await push(watch, row);
}

async function heardOfTakenBack(
  { db, log, listeners }: Watch,
  row: CardanoJournalEntry,
): Promise<void> {
  const { hash, reference } = row;
  log.error({ hash, reference }, 'Cardano has taken a transaction back: it is sent again');
  await transact(db, async (tx) => {
    for (const hear of listeners) await hear(tx, { was: hash, now: undefined });
  });
}

/** Repeats what the ledger has and the chain has not. */
async function replace(watch: Watch, row: CardanoJournalEntry): Promise<void> {
  const made = await watch.send(orderOf(row));
  if (made.kind === 'refused')
    watch.log.error({ was: row.hash, why: made.message }, 'Cardano does not make it again');
  if (made.kind !== 'done') return;
  const { db, log, listeners } = watch;
  await transact(db, async (tx) => {
    if (!(await rebook(tx, row, made.value))) return;
    for (const hear of listeners) await hear(tx, { was: row.hash, now: made.value.hash });
  });
  log.warn({ was: row.hash, now: made.value.hash }, 'A Cardano transaction was made again');
}

const orderOf = ({ reference, kind, units, recipient }: CardanoJournalEntry) => ({
  reference,
  units,
  to: recipient ?? undefined,
  kind: kind as Order['kind'],
});
