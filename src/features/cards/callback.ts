import { Type } from 'typebox';
import { transact } from '#kernel/db/transact.ts';
import { defineInbox, type Inbox } from '#kernel/effects/inbox.ts';
import { done, type Outcome } from '#kernel/effects/outcome.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { emitShown } from './events.ts';
import { traceOfRow } from './order.ts';
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

/** The word to be shown of a transaction, and the one that is. */
interface Word extends Pick<CardTransaction, 'id' | 'account_id' | 'status'> {
  readonly before: string;
}
type Words = readonly Word[];

const wordOf = ({ id, account_id, status }: CardTransaction, said: string): Word => ({
  ...{ id, account_id, status: said, before: status },
});

type CardInbox = Inbox<Hint, Words>;

export type CallbackDeps = Pick<Kernel, 'db' | 'inboxes'> & { readonly inbox: CardInbox };

const KEPT_MS = 90 * 24 * 3_600_000;

/**
 * Somebody says that the status of a transaction has changed. In mock mode that is believed; else
 * the network is asked, and its answer counts, however late it comes. Only the shown status changes:
 * a call-back moves no money.
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
          ? done(said.toUpperCase())
          : await statusAtNetwork(deps, row);
        if (found.kind !== 'done') return found;
        if (found.value !== undefined) words.push(wordOf(row, found.value));
      }
      return done(words);
    },
    async handle(tx, _, { answer }) {
      if (answer?.kind !== 'done' || answer.value.length === 0) return 'nothing-known';
      for (const word of answer.value) {
        const shown = await showStatus(tx, word, word.status);
        if (shown) emitShown(tx, shown, word.before);
      }
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

/** Nothing when the network does not know it, or does not know yet what becomes of it. */
async function statusAtNetwork(
  { network, log }: CardDeps,
  row: CardTransaction,
): Promise<Outcome<string | undefined>> {
  if (row.simulated) return done(undefined);
  const found = await network.find(traceOfRow(row), row.transaction_identifier ?? undefined);
  if (found.kind === 'unknown') return found;
  if (found.kind === 'refused') {
    // The money was booked on the network's word. People have to sort that out with the network.
    log.error({ reference: row.reference_id }, 'The card network took back what it had settled');
    return done('FAILED');
  }
  const word = found.value?.status.toUpperCase();
  return done(word !== undefined && STATUS.test(word) ? word : undefined);
}

const STATUS = new RegExp(WORDS);
