import { findFiatWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { Messages } from '#features/messaging/messages/messages.ts';
import type { Config } from '#kernel/config/config.ts';
import type { Db } from '#kernel/db/db.ts';
import { type AppError, fail } from '#kernel/error.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { type Leg, transfer } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { findTransfer, reversalLegs } from '#kernel/ledger/transfers.ts';
import type { AdjustmentOutcome } from './events.ts';
import { dayExceeded } from './limits.ts';
import { mailBooked } from './mails.ts';
import { adjustmentReferenceOf, statusOf } from './presenters.ts';
import { alreadyReversed } from './propose.ts';
import { type AdjustmentActor, record } from './record.ts';
import { type SecondPersonRule, secondPersonHint } from './second-person.ts';
import {
  type Adjustment,
  type AdjustmentDecision,
  type AdjustmentStatus,
  addToDay,
  lockAdjustment,
  recordDecision,
} from './store.ts';

export interface ApproveDeps {
  readonly config: SecondPersonRule & Pick<Config, 'CORRECTIONS_DAY_USD'>;
  readonly messages: Messages;
}

export interface Deciding extends AdjustmentActor {
  readonly adjustment_id: string;
  readonly now: Date;
}

/** Books it once: the caller's one transaction has the state, the posting and the events. */
export async function approve(deps: ApproveDeps, tx: Db, deciding: Deciding): Promise<Adjustment> {
  const { config } = deps;
  const { proposed_by, user_id, worth } = await requireWaiting(tx, deciding);
  const by = deciding.caller.user_id;
  if (by === proposed_by)
    throw fail('SECOND_PERSON_REQUIRED', 'The admin who proposed it cannot approve it');
  if (by === user_id)
    throw fail(
      'SECOND_PERSON_REQUIRED',
      'An admin cannot approve a correction of their own wallet',
    );
  const day = config.CORRECTIONS_DAY_USD;
  if (worth > 0n && !(await addToDay(tx, worth, BigInt(day) * 100n))) throw dayExceeded(day);
  const row = await take(tx, deciding, ['booked', { status: 'BOOKED', by }], config);
  await book(tx, row);
  await mailBooked(deps, tx, row);
  return row;
}

/** Another admin rejects it. */
export async function reject(
  tx: Db,
  deciding: Deciding & { readonly note: string },
): Promise<Adjustment> {
  const { proposed_by } = await requireWaiting(tx, deciding);
  const by = deciding.caller.user_id;
  if (by === proposed_by)
    throw fail('SECOND_PERSON_REQUIRED', 'The admin who proposed it has to withdraw it instead');
  const note = deciding.note.trim();
  return take(tx, deciding, ['rejected', { status: 'REJECTED', by, note }]);
}

/** The admin who proposed it withdraws it. */
export async function withdrawAdjustment(tx: Db, deciding: Deciding): Promise<Adjustment> {
  const { proposed_by } = await requireWaiting(tx, deciding);
  const by = deciding.caller.user_id;
  if (by !== proposed_by) throw fail('FORBIDDEN', 'Only the admin who proposed it can withdraw it');
  return take(tx, deciding, ['withdrawn', { status: 'WITHDRAWN', by }]);
}

async function take(
  tx: Db,
  deciding: Deciding,
  [became, decision]: readonly [AdjustmentOutcome, AdjustmentDecision],
  rule?: SecondPersonRule,
): Promise<Adjustment> {
  const { adjustment_id, now } = deciding;
  const row = await recordDecision(tx, adjustment_id, decision).catch((error: unknown) => {
    throw refusalOf(error, rule) ?? error;
  });
  await record(tx, became, [row], { by: deciding, now });
  return row;
}

/** Locks it: an admin who decides about it at the same time waits, and reads the first decision. */
async function requireWaiting(tx: Db, { adjustment_id, now }: Deciding): Promise<Adjustment> {
  const row = await lockAdjustment(tx, adjustment_id);
  if (!row) throw fail('NOT_FOUND', 'Adjustment not found');
  const status = statusOf(row, now);
  if (status === 'PROPOSED') return row;
  throw over(status);
}

const over = (status: AdjustmentStatus) =>
  fail('INVALID_STATUS', 'It is decided already, or has expired', { details: { status } });

/** The error for a row that the table itself refuses. */
function refusalOf(error: unknown, rule: SecondPersonRule | undefined): AppError | undefined {
  switch ((error as { constraint?: unknown }).constraint) {
    case 'adjustments_two_admins':
      return fail(
        'SECOND_PERSON_REQUIRED',
        'Both have to be admins of the operator now, and the second one another person since long before it was proposed',
        rule && { hint: secondPersonHint(rule) },
      );
    case 'adjustments_reversed_once':
      return alreadyReversed();
    case 'adjustments_in_time':
      return over('EXPIRED');
    default:
      return undefined;
  }
}

async function book(tx: Db, row: Adjustment): Promise<void> {
  const { adjustment_id, kind, of_reference } = row;
  const key = adjustmentReferenceOf(row);
  const meta = { adjustment_id, ...(of_reference && { of: of_reference }), description: said(row) };
  const { status } = await postWithin(tx, { key, kind, legs: await legsOf(tx, row), meta });
  if (status !== 'posted') throw new Error(`${key} was posted before it was approved`);
}

/** For the owner of the statement that shows it. */
const said = ({ kind, of_reference }: Adjustment): string =>
  kind === 'reversal' ? `Reversal of ${of_reference}` : 'Correction by the operator';

async function legsOf(tx: Db, row: Adjustment): Promise<Leg[]> {
  const { of_reference, wallet_id, direction, asset, units } = row;
  if (of_reference !== null) {
    const found = await findTransfer(tx, of_reference);
    if (!found) throw new Error(`${of_reference} is no longer posted`);
    return reversalLegs(found);
  }
  const wallet = await findFiatWallet(tx, {}, wallet_id ?? 0);
  if (!wallet) throw new Error(`Wallet ${wallet_id} vanished`);
  const house = await openAccount(tx, houseAccount('adjustments', asset));
  return direction === 'credit'
    ? transfer(house, wallet.account_id, units)
    : transfer(wallet.account_id, house, units);
}
