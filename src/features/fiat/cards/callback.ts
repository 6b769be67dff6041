import { Type } from 'typebox';
import { defineInbox, type Inbox } from '#kernel/effects/inbox.ts';
import { done, type Outcome } from '#kernel/effects/outcome.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { ReturnedMoney } from '#kernel/ledger/returns.ts';
import { transact } from '#kernel/transact.ts';
import type { Cleared } from '#providers/card-network/port.ts';
import { traceOfRow } from './card-effect.ts';
import { unawareOf } from './clearing-store.ts';
import { emitShown } from './events.ts';
import { bookReturns, type CardReturn, takenBy } from './returned.ts';
import { type CardTransaction, findByIdentifier, showStatus } from './store.ts';
import type { CardDeps } from './transaction.ts';

/** Fewer digits than any card's number has: whoever calls could have one kept otherwise. */
const FEW_DIGITS = String.raw`(?!(?:\D*\d){9})`;
/** What a call-back may say. The contract lists no words, so any is taken and shown in capitals. */
const WORDS = `^${FEW_DIGITS}[A-Za-z0-9](?:[A-Za-z0-9 ._-]{0,38}[A-Za-z0-9])?$`;
export const ReportedStatus = Type.String({
  pattern: WORDS,
  description: 'a word or a few, with at most 8 digits',
});

/** The network's name of a transaction, and the word that somebody says it has now. */
interface Hint {
  readonly identifier: string;
  readonly said: string;
}

/** What is said of a transaction, and how many units of it were taken back, where that is said. */
interface Said {
  readonly word: string;
  readonly taken?: bigint | undefined;
}

/** The word to be shown of a transaction, and the one that is. */
interface Word {
  readonly row: CardTransaction;
  readonly status: string;
  /** What of its money was taken back by now; nothing where the word leaves that open. */
  readonly taken: ReturnedMoney | undefined;
}
type Words = readonly Word[];

const wordOf = (row: CardTransaction, { word, taken }: Said): Word => ({
  row,
  status: word,
  taken: takenBy(word, row.amount, taken),
});

type CardInbox = Inbox<Hint, Words>;

export type CallbackDeps = Pick<Kernel, 'db' | 'inboxes'> & { readonly inbox: CardInbox };

const KEPT_MS = 90 * 24 * 3_600_000;

/**
 * Somebody says that the status of a transaction has changed. In mock mode that is believed; else
 * the network is asked, and its answer counts, however late it comes. What the network has taken back is
 * booked with it; in mock mode of mock money alone.
 */
export const cardInbox = (deps: CardDeps): CardInbox =>
  defineInbox<Hint, Words>({
    source: 'card-network',
    keptMs: KEPT_MS,
    again: true,
    async ask({ identifier, said }) {
      const words: Word[] = [];
      for (const row of await findByIdentifier(deps.db, identifier)) {
        const found = deps.config.MOCK_MODE
          ? done({ word: said.toUpperCase() })
          : await statusAtNetwork(deps, row);
        if (found.kind !== 'done') return found;
        if (found.value !== undefined) words.push(wordOf(row, found.value));
      }
      return done(words);
    },
    async handle(tx, _, { answer }) {
      if (answer?.kind !== 'done' || answer.value.length === 0) return 'nothing-known';
      const returns: CardReturn[] = [];
      for (const { row, status, taken } of answer.value) {
        const shown = await showStatus(tx, row, status);
        if (shown) emitShown(tx, shown, row.status);
        if (taken && row.simulated === deps.config.MOCK_MODE)
          returns.push({ row: shown ?? row, taken });
      }
      await bookReturns(tx, deps, returns);
      return 'shown';
    },
  });

/** Keeps the hint, and asks about it here and now; without an answer a job asks again. */
export async function takeCallback(
  { db, inboxes, inbox }: CallbackDeps,
  hint: Hint,
): Promise<void> {
  const { identifier } = hint;
  // Anybody may call: what names no transaction of ours is not worth a row.
  if ((await findByIdentifier(db, identifier)).length === 0) return;
  await transact(db, (tx) => inboxes.receive(tx, inbox, identifier, hint));
  await inboxes.handleNow(inbox, identifier);
}

/** What the network has cleared of disputes is a hint, too: each that is not booked is asked about. */
export const disputeNotice =
  ({ db, inboxes, inbox }: CallbackDeps) =>
  async (cleared: readonly Cleared[]): Promise<void> => {
    for (const { rrn, terminal, kind, money, isCredit } of cleared) {
      const units = isCredit ? -money.units : money.units;
      for (const { transaction_identifier } of await unawareOf(db, { rrn, terminal, units })) {
        if (transaction_identifier === null) continue;
        const hint = { identifier: transaction_identifier, said: kind };
        await transact(db, (tx) => inboxes.receive(tx, inbox, hint.identifier, hint));
      }
    }
  };

/** Nothing when the network does not know it, or does not know yet what becomes of it. */
async function statusAtNetwork(
  { network, log }: CardDeps,
  row: CardTransaction,
): Promise<Outcome<Said | undefined>> {
  if (row.simulated) return done(undefined);
  const found = await network.find(traceOfRow(row), row.transaction_identifier ?? undefined);
  if (found.kind === 'unknown') return found;
  if (found.kind === 'refused') {
    // The money was booked on the network's word. People have to sort that out with the network.
    log.error({ reference: row.reference_id }, 'The card network took back what it had settled');
    return done({ word: 'FAILED' });
  }
  const word = found.value?.status.toUpperCase();
  if (word === undefined || !STATUS.test(word)) return done(undefined);
  return done({ word, taken: found.value?.takenBack?.units });
}

const STATUS = new RegExp(WORDS);
