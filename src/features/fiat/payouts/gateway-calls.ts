import type { Db } from '#kernel/db/db.ts';
import { done, type Outcome, unknown } from '#kernel/effects/outcome.ts';
import type { Logger } from '#kernel/log.ts';
import type { Asset } from '#kernel/money/money.ts';
import { isNotConfigured } from '#kernel/provider-call.ts';
import { endDiscrepancies, noteDiscrepancy } from '#kernel/reconciliation/discrepancies.ts';
import type { Payout } from '#providers/gateway/port.ts';
import { type Banks, type KnownState, type PayoutOrder, transfersOf } from './bank-transfers.ts';
import type { PayoutPayer } from './payer.ts';
import type { PayoutRow } from './payout-store.ts';

/** The provider's answer about a pay-out. A refused one has no id there. */
export type PayoutAnswer = Pick<Payout, 'id' | 'status' | 'failureCode'>;

export interface PayoutCalls extends Banks {
  readonly log: Pick<Logger, 'error'>;
  readonly db: Db;
}

type Payer = Pick<PayoutPayer, 'transfers'>;

/** Requests a pay-out. A certain refusal is a failure. */
export async function requestPayout(
  calls: PayoutCalls,
  order: PayoutOrder,
  { transfers }: Payer = {},
): Promise<Outcome<PayoutAnswer>> {
  const answer = await transfersOf(calls, order.asset, transfers).createPayout(order);
  if (isNotConfigured(answer) || answer.kind !== 'refused')
    return verifyAmount(calls, order, answer);
  return done({ status: 'FAILED', id: '', failureCode: answer.code });
}

/** The provider's state of it; undefined where the provider does not know it. */
export async function lookUpPayout(
  calls: PayoutCalls,
  { transfers }: Payer,
  payout: PayoutRow,
): Promise<Outcome<KnownState | undefined>> {
  const { reference, asset } = payout;
  const asked = await transfersOf(calls, asset, transfers).findPayout(reference);
  const found = await verifyAmount(calls, payout, asked);
  if (found.kind === 'done') await endDiscrepancies(calls.db, KIND, [reference]);
  return found;
}

const KIND = 'payout';

/** A pay-out of another sum is neither booked nor given up: it is recorded for a person. */
async function verifyAmount<T extends KnownState | undefined>(
  { log, db }: PayoutCalls,
  { reference, units, asset }: Pick<PayoutRow, 'reference' | 'units' | 'asset'>,
  outcome: Outcome<T>,
): Promise<Outcome<T>> {
  if (isNotConfigured(outcome)) return unknown('The provider of bank transfers is not configured');
  if (outcome.kind !== 'done' || outcome.value === undefined) return outcome;
  const { units: reported = units } = outcome.value;
  // Banks transfer whole rupiah: the gateway's cents do not count.
  const isSame = asset === 'IDR' ? reported / 100n === units / 100n : reported === units;
  if (isSame) return outcome;
  log.error({ reference }, 'The provider tells another sum than was paid out');
  const kept = { kind: KIND, reference, asset: asset as Asset };
  await noteDiscrepancy(db, { ...kept, ordered: units, reported });
  return unknown('The provider tells another sum than was paid out');
}
