import type { Db } from '#kernel/db/db.ts';
import { done, type Outcome, unknown } from '#kernel/effects/outcome.ts';
import type { Logger } from '#kernel/log.ts';
import { isNotConfigured } from '#kernel/provider-call.ts';
import { endDiscrepancies, noteDiscrepancy } from '#kernel/reconciliation/discrepancies.ts';
import type { BankTransfers, Payout, PayoutRequest } from '#providers/gateway/port.ts';
import type { PayoutPayer } from './payer.ts';
import type { PayoutRow } from './payout-store.ts';

/** The gateway's answer about a pay-out. A refused one has no id there. */
export type PayoutAnswer = Pick<Payout, 'id' | 'status' | 'failureCode'>;

export interface GatewayCalls {
  readonly gateway: BankTransfers;
  readonly log: Pick<Logger, 'error'>;
  readonly db: Db;
}

type Payer = Pick<PayoutPayer, 'transfers'>;

/** Requests a pay-out. A certain refusal is a failure. */
export async function requestPayout(
  calls: GatewayCalls,
  request: PayoutRequest,
  { transfers = calls.gateway }: Payer = {},
): Promise<Outcome<PayoutAnswer>> {
  const answer = await transfers.createPayout(request);
  if (isNotConfigured(answer) || answer.kind !== 'refused')
    return verifyAmount(calls, request, answer);
  return done({ status: 'FAILED', id: '', failureCode: answer.code });
}

/** The gateway's state of it; undefined where the gateway does not know it. */
export async function lookUpPayout(
  calls: GatewayCalls,
  { transfers = calls.gateway }: Payer,
  payout: PayoutRow,
): Promise<Outcome<Payout | undefined>> {
  const { reference } = payout;
  const found = await verifyAmount(calls, payout, await transfers.findPayout(reference));
  if (found.kind === 'done') await endDiscrepancies(calls.db, KIND, [reference]);
  return found;
}

const KIND = 'payout';

/** A pay-out of another sum is neither booked nor given up: it is recorded for a person. */
async function verifyAmount<T extends Payout | undefined>(
  { log, db }: GatewayCalls,
  { reference, units }: Pick<PayoutRow, 'reference' | 'units'>,
  outcome: Outcome<T>,
): Promise<Outcome<T>> {
  if (isNotConfigured(outcome)) return unknown('The gateway is not configured');
  if (outcome.kind !== 'done' || outcome.value === undefined) return outcome;
  // Banks transfer whole rupiah: the gateway's cents do not count.
  if (outcome.value.units / 100n === units / 100n) return outcome;
  log.error({ reference }, 'The gateway tells another sum than was paid out');
  const reported = outcome.value.units;
  await noteDiscrepancy(db, { kind: KIND, reference, asset: 'IDR', ordered: units, reported });
  return unknown('The gateway tells another sum than was paid out');
}
