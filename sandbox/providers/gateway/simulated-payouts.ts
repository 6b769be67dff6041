import { randomBytes } from 'node:crypto';
import {
  addEntry,
  addToBalance,
  BUSINESS_ID,
  type GatewayBooks,
  type GatewayWorld,
  reverseEntry,
  SIMULATED_GATEWAY_PROVIDER,
  tell,
} from './simulated-account.ts';
import type { CreatePayout } from './xendit-schema.ts';

const PAYOUT = 'payout';

export interface SimulatedPayout extends CreatePayout {
  readonly id: string;
  readonly status: 'ACCEPTED' | 'SUCCEEDED' | 'FAILED' | 'REVERSED' | 'CANCELLED';
  readonly failure_code?: string | null;
  readonly business_id: string;
  readonly created: string;
  readonly updated: string;
  readonly estimated_arrival_time: string;
}

const ARRIVAL_MS = 15 * 60_000;

/**
 * The pay-out of that reference, made now or before; nothing where that one is another. Its money is
 * set aside at once.
 */
export async function ensurePayout(
  world: GatewayBooks,
  request: CreatePayout,
): Promise<SimulatedPayout | undefined> {
  const now = world.clock.now();
  const moment = now.toISOString();
  const fresh: SimulatedPayout = {
    ...request,
    id: `disb-${randomBytes(12).toString('hex')}`,
    status: 'ACCEPTED',
    business_id: BUSINESS_ID,
    created: moment,
    updated: moment,
    estimated_arrival_time: new Date(now.getTime() + ARRIVAL_MS).toISOString(),
  };
  const isMade = await world.records.atomic(async (records) => {
    const made = await records.insert(
      SIMULATED_GATEWAY_PROVIDER,
      PAYOUT,
      request.reference_id,
      fresh,
    );
    if (made) await addToBalance(records, -request.amount);
    return made;
  });
  if (isMade) return fresh;
  const kept = await simulatedGatewayPayoutOf(world, request.reference_id);
  return kept && contentOf(kept) === contentOf(request) ? kept : undefined;
}

const contentOf = ({ amount, channel_code, channel_properties: to }: CreatePayout): string =>
  JSON.stringify([amount, channel_code, to.account_number, to.account_holder_name]);

export const simulatedGatewayPayoutOf = (
  { records }: Pick<GatewayBooks, 'records'>,
  reference: string,
): Promise<SimulatedPayout | undefined> =>
  records.get<SimulatedPayout>(SIMULATED_GATEWAY_PROVIDER, PAYOUT, reference);

/** By its own name. */
export const payoutById = (
  { records }: Pick<GatewayBooks, 'records'>,
  id: string,
): Promise<SimulatedPayout | undefined> =>
  records.find<SimulatedPayout>(SIMULATED_GATEWAY_PROVIDER, PAYOUT, 'id', id);

/** Called off by the merchant before it is sent; nothing afterwards. Its money is free again. */
export const cancelPayout = (
  world: GatewayBooks,
  reference: string,
): Promise<SimulatedPayout | undefined> =>
  world.records.atomic(async (records) => {
    const updated = world.clock.now().toISOString();
    const cancelled = await records.update<SimulatedPayout>(
      SIMULATED_GATEWAY_PROVIDER,
      PAYOUT,
      reference,
      (kept) =>
        kept.status === 'ACCEPTED' ? { ...kept, status: 'CANCELLED', updated } : undefined,
    );
    if (cancelled) await addToBalance(records, cancelled.amount);
    return cancelled;
  });

/** How a pay-out ends: at the bank, not at all, at a bank that sends it back later, or at the bank after it was called failed. */
export const PAYOUT_ENDS = ['complete', 'fail', 'reverse', 'complete-late'] as const;
export type PayoutEnd = (typeof PAYOUT_ENDS)[number];

const ENDS = {
  complete: { from: 'ACCEPTED', to: 'SUCCEEDED', event: 'payout.succeeded' },
  fail: { from: 'ACCEPTED', to: 'FAILED', event: 'payout.failed' },
  reverse: { from: 'SUCCEEDED', to: 'REVERSED', event: 'payout.reversed' },
  'complete-late': { from: 'FAILED', to: 'SUCCEEDED', event: 'payout.succeeded' },
} as const;

/** Nothing when it is not in the state from which it could. */
export function endPayout(
  world: GatewayBooks,
  reference: string,
  end: PayoutEnd,
  failureCode = 'INVALID_DESTINATION',
): Promise<SimulatedPayout | undefined> {
  const { from, to } = ENDS[end];
  const now = world.clock.now();
  const isPaid = to === 'SUCCEEDED';
  const failure = end === 'complete' ? {} : { failure_code: isPaid ? null : failureCode };
  return world.records.atomic(async (records) => {
    const payout = await records.update<SimulatedPayout>(
      SIMULATED_GATEWAY_PROVIDER,
      PAYOUT,
      reference,
      (kept) =>
        kept.status === from
          ? { ...kept, ...failure, status: to, updated: now.toISOString() }
          : undefined,
    );
    if (payout === undefined) return undefined;
    if (!isPaid) await addToBalance(records, payout.amount);
    if (end === 'complete-late') await addToBalance(records, -payout.amount);
    if (end === 'reverse') await reverseEntry(records, payout.id, now);
    if (isPaid)
      await addEntry(
        records,
        {
          product_id: payout.id,
          type: 'DISBURSEMENT',
          channel_category: 'BANK',
          channel_code: payout.channel_code,
          reference_id: reference,
          account_identifier: payout.channel_properties.account_number,
          amount: payout.amount,
          cashflow: 'MONEY_OUT',
        },
        now,
      );
    return payout;
  });
}

/** Calls the service back; answers whether it took it. */
export const callBackOfPayout = (
  world: GatewayWorld,
  end: PayoutEnd,
  data: SimulatedPayout,
): Promise<boolean> =>
  tell(world, '/idrtoken/callback/transfer', {
    event: ENDS[end].event,
    business_id: BUSINESS_ID,
    created: data.created,
    data,
  });
