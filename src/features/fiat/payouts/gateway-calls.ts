import type { Db } from '#kernel/db/db.ts';
import { done, type Outcome, unknown } from '#kernel/effects/outcome.ts';
import type { Logger } from '#kernel/log.ts';
import { isNotConfigured } from '#kernel/provider-call.ts';
import { endDiscrepancies, noteDiscrepancy } from '#kernel/reconciliation/discrepancies.ts';
import type { BankTransfers, Payout, PayoutRequest } from '#providers/gateway/port.ts';
import type { PayoutPayer } from './payer.ts';
import type { PayoutRow } from './payout-store.ts';

/** What the gateway says of a pay-out. One that it has refused has no name there. */
export type PayoutTold = Pick<Payout, 'id' | 'status' | 'failureCode'>;

export interface GatewayCalls {
  readonly gateway: BankTransfers;
  readonly log: Pick<Logger, 'error'>;
  readonly db: Db;
}

type Payer = Pick<PayoutPayer, 'transfers'>;

/** Asks the gateway to pay out. What it refuses for certain has failed. */
export async function askForPayout(
  calls: GatewayCalls,
  request: PayoutRequest,
  { transfers = calls.gateway }: Payer = {},
): Promise<Outcome<PayoutTold>> {
  const asked = await transfers.createPayout(request);
  if (isNotConfigured(asked) || asked.kind !== 'refused') return weigh(calls, request, asked);
  return done({ status: 'FAILED', id: '', failureCode: asked.code });
}

/** What the gateway knows of it; nothing where it knows nothing. */
export async function lookUpPayout(
  calls: GatewayCalls,
  { transfers = calls.gateway }: Payer,
  payout: PayoutRow,
): Promise<Outcome<Payout | undefined>> {
  const { reference } = payout;
  const found = await weigh(calls, payout, await transfers.findPayout(reference));
  if (found.kind === 'done') await endDiscrepancies(calls.db, KIND, [reference]);
  return found;
}

const KIND = 'payout';

/** Another sum is neither booked nor given up: it is kept for a person. */
async function weigh<T extends Payout | undefined>(
  { log, db }: GatewayCalls,
  { reference, units }: Pick<PayoutRow, 'reference' | 'units'>,
  outcome: Outcome<T>,
): Promise<Outcome<T>> {
  if (isNotConfigured(outcome)) return unknown('The gateway is not configured');
  if (outcome.kind !== 'done' || outcome.value === undefined) return outcome;
  // Banks transfer whole rupiah, whatever a gateway says of cents.
  if (outcome.value.units / 100n === units / 100n) return outcome;
  log.error({ reference }, 'The gateway tells another sum than was paid out');
  const reported = outcome.value.units;
  await noteDiscrepancy(db, { kind: KIND, reference, asset: 'IDR', ordered: units, reported });
  return unknown('The gateway tells another sum than was paid out');
}
