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

/** Fewer digits than any card number has: a caller could otherwise have one stored. */
const FEW_DIGITS = String.raw`(?!(?:\D*\d){9})`;
/** A status in a callback. The contract lists none, so any is accepted and shown in capitals. */
const WORDS = '[A-Za-z0-9](?:[A-Za-z0-9 ._-]{0,38}[A-Za-z0-9])?$';
const STATUS_PATTERN = `^${FEW_DIGITS}${WORDS}`;
export const ReportedStatus = Type.String({
  pattern: STATUS_PATTERN,
  plain_pattern: `^${WORDS}`,
  description: 'a word or a few, with at most 8 digits',
});

/** The network's identifier of a transaction, and its status by the callback. */
interface Hint {
  readonly identifier: string;
  /** The reported status; stored hints have it under this name. */
  readonly said: string;
}

/** A transaction's status, and how many units of it were taken back, where that is reported. */
interface ReportedState {
  readonly status: string;
  readonly taken?: bigint | undefined;
}

/** A transaction with its new status. */
interface StatusChange {
  readonly row: CardTransaction;
  readonly status: string;
  /** The money that was taken back by now; nothing where the status leaves that open. */
  readonly taken: ReturnedMoney | undefined;
}
type StatusChanges = readonly StatusChange[];

const changeOf = (row: CardTransaction, { status, taken }: ReportedState): StatusChange => ({
  row,
  status,
  taken: takenBy(status, row.amount, taken),
});

type CardInbox = Inbox<Hint, StatusChanges>;

export type CallbackDeps = Pick<Kernel, 'db' | 'inboxes'> & { readonly inbox: CardInbox };

const KEPT_MS = 90 * 24 * 3_600_000;

/**
 * A callback reports a new status of a transaction. Mock mode believes it; otherwise the network's own answer counts,
 * however late it comes. Books the returns with it; in mock mode of mock money alone.
 */
export const cardInbox = (deps: CardDeps): CardInbox =>
  defineInbox<Hint, StatusChanges>({
    source: 'card-network',
    keptMs: KEPT_MS,
    again: true,
    async ask({ identifier, said }) {
      const changes: StatusChange[] = [];
      for (const row of await findByIdentifier(deps.db, identifier)) {
        const found = deps.config.MOCK_MODE
          ? done({ status: said.toUpperCase() })
          : await statusAtNetwork(deps, row);
        if (found.kind !== 'done') return found;
        if (found.value !== undefined) changes.push(changeOf(row, found.value));
      }
      return done(changes);
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

/** Stores the hint and asks the network here and now; without an answer a job asks again. */
export async function takeCallback(
  { db, inboxes, inbox }: CallbackDeps,
  hint: Hint,
): Promise<void> {
  const { identifier } = hint;
  // Anybody may call: a hint for no transaction of ours is not worth a row.
  if ((await findByIdentifier(db, identifier)).length === 0) return;
  await transact(db, (tx) => inboxes.receive(tx, inbox, identifier, hint));
  await inboxes.handleNow(inbox, identifier);
}

/** The network's cleared disputes are hints, too: for each unbooked one we ask the network. */
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

/** Nothing when the network does not know the transaction, or its outcome is open there. */
async function statusAtNetwork(
  { network, log }: CardDeps,
  row: CardTransaction,
): Promise<Outcome<ReportedState | undefined>> {
  if (row.simulated) return done(undefined);
  const found = await network.find(traceOfRow(row), row.transaction_identifier ?? undefined);
  if (found.kind === 'unknown') return found;
  if (found.kind === 'refused') {
    // The money was booked on the network's approval. The operator has to settle that with the network.
    log.error({ reference: row.reference_id }, 'The card network took back what it had settled');
    return done({ status: 'FAILED' });
  }
  const status = found.value?.status.toUpperCase();
  if (status === undefined || !STATUS.test(status)) return done(undefined);
  return done({ status, taken: found.value?.takenBack?.units });
}

const STATUS = new RegExp(STATUS_PATTERN);
