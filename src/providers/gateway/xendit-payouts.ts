import { Type } from 'typebox';
import { done, type Outcome, unknown } from '../../kernel/provider-call.ts';
import { createAtGatewayOnce } from './create-once.ts';
import type { Payout, PayoutRequest } from './port.ts';
import { understood, type XenditCall } from './xendit-call.ts';
import { CENTS, payoutOf, rupiahOf, WirePayout, xenditUnitsOf } from './xendit-wire.ts';

/** An array by the reference, a page by their libraries. */
const Payouts = Type.Union([Type.Array(WirePayout), Type.Object({ data: Type.Array(WirePayout) })]);

/** A transfer to a bank under our reference, which is its idempotency key, too. */
export async function createPayout(
  ask: XenditCall,
  request: PayoutRequest,
): Promise<Outcome<Payout>> {
  const amount = rupiahOf(request.units);
  if (amount === undefined) return CENTS;
  const made = await createAtGatewayOnce({
    create: () => post(ask, request, amount),
    find: () => find(ask, request.reference),
    isThis: (payout) => isOf(payout, request),
  });
  return made.kind === 'done' ? understood(payoutOf(made.value)) : made;
}

function isOf(payout: WirePayout, { reference, units, to }: PayoutRequest): boolean {
  const account = payout.channel_properties?.account_number ?? to.accountNumber;
  return (
    payout.reference_id === reference &&
    xenditUnitsOf(payout.amount) === units &&
    account === to.accountNumber
  );
}

const post = (ask: XenditCall, { reference, to, description }: PayoutRequest, amount: number) =>
  ask(WirePayout, {
    name: 'create payout',
    method: 'POST',
    path: '/v2/payouts',
    idempotencyKey: reference,
    body: {
      reference_id: reference,
      channel_code: `ID_${to.bankCode}`,
      channel_properties: {
        account_number: to.accountNumber,
        account_holder_name: to.accountName,
      },
      amount,
      currency: 'IDR',
      description,
    },
  });

export async function findPayout(
  ask: XenditCall,
  reference: string,
): Promise<Outcome<Payout | undefined>> {
  const found = await find(ask, reference);
  if (found.kind !== 'done') return found;
  return found.value === undefined ? done(undefined) : understood(payoutOf(found.value));
}

async function find(ask: XenditCall, reference: string): Promise<Outcome<WirePayout | undefined>> {
  const path = `/v2/payouts?${new URLSearchParams({ reference_id: reference })}`;
  const listed = await ask(Payouts, { name: 'find payout', method: 'GET', path });
  if (listed.kind !== 'done') return listed;
  const all = Array.isArray(listed.value) ? listed.value : listed.value.data;
  const own = all.filter(({ reference_id }) => reference_id === reference);
  if (own.length > 1) return unknown('answered two pay-outs of one reference');
  if (own[0] === undefined && all.length > 0) return unknown('answered other pay-outs');
  return done(own[0]);
}
