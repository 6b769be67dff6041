import type { FastifyInstance, FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { type GatewayWorld, SIMULATED_GATEWAY_PREFIX, setCredit } from './simulated-account.ts';
import { gatewayHoldsOf, HELD, setHold } from './simulated-holds.ts';
import { callBackOfInvoice, expireInvoice, invoiceOf, payInvoice } from './simulated-invoices.ts';
import {
  callBackOfPayout,
  endPayout,
  PAYOUT_ENDS,
  simulatedGatewayPayoutOf,
} from './simulated-payouts.ts';

interface ByReference {
  Params: { reference_id: string };
}

const Paid = Type.Object({ amount: Type.Optional(Type.Integer({ minimum: 1 })) });
const Failed = Type.Object({
  failure_code: Type.Optional(Type.String({ pattern: '^[A-Z_]{1,60}$' })),
});

/** What payers and banks do, who are not there: each is reported to the service as it happens. */
export function gatewayControls(server: FastifyInstance, world: GatewayWorld): void {
  paymentControls(server, world);
  payoutControls(server, world);
  holdControls(server, world);
  accountControl(server, world);
}

const Credit = Type.Object(
  { credit: Type.Integer({ minimum: 0, maximum: 1_000_000_000_000_000 }) },
  { additionalProperties: false },
);

/** `POST /gateway/account {credit}`: how far below zero, in rupiah, pay-outs may take the account. */
function accountControl(server: FastifyInstance, { records }: GatewayWorld): void {
  server.post(`${SIMULATED_GATEWAY_PREFIX}/account`, async ({ body }, reply) =>
    Value.Check(Credit, body)
      ? setCredit(records, body.credit)
      : invalid(reply, 'credit is in whole rupiah'),
  );
}

const Many = Type.Optional(
  Type.Union([Type.Literal('all'), Type.Integer({ minimum: 0, maximum: 1_000_000 })]),
);
const Holds = Type.Object({ payments: Many, payouts: Many }, { additionalProperties: false });

/**
 * `POST /gateway/holds {payments?, payouts?}`: so many of the next ones (`all`: each) wait in mock mode, where they
 * are settled at once otherwise, until they are paid, completed or ended by the controls above. `GET` answers how
 * many are left to be held; `DELETE` holds no more, and leaves those that wait as they are.
 */
function holdControls(server: FastifyInstance, { records }: GatewayWorld): void {
  const path = `${SIMULATED_GATEWAY_PREFIX}/holds`;
  server.get(path, () => gatewayHoldsOf(records));
  server.post(path, async ({ body }, reply) => {
    const given = body ?? {};
    if (!Value.Check(Holds, given))
      return invalid(reply, 'payments and payouts are a number, or "all"');
    for (const what of HELD) await setHold(records, what, given[what] ?? 0);
    return gatewayHoldsOf(records);
  });
  server.delete(path, async () => {
    for (const what of HELD) await setHold(records, what, 0);
    return gatewayHoldsOf(records);
  });
}

/**
 * `POST /gateway/payments/{reference_id}/pay {amount?}` in rupiah, with an amount also too late or once more, and
 * `.../expire`.
 */
function paymentControls(server: FastifyInstance, world: GatewayWorld): void {
  const path = `${SIMULATED_GATEWAY_PREFIX}/payments/:reference_id`;

  server.post<ByReference>(`${path}/pay`, async ({ params, body }, reply) => {
    const given = body ?? {};
    if (!Value.Check(Paid, given)) return invalid(reply, 'amount is in whole rupiah');
    return end(params.reference_id, reply, (one) => payInvoice(world, one, given.amount));
  });

  server.post<ByReference>(`${path}/expire`, async ({ params }, reply) =>
    end(params.reference_id, reply, (reference) => expireInvoice(world, reference)),
  );

  async function end(
    reference: string,
    reply: FastifyReply,
    change: (reference: string) => ReturnType<typeof payInvoice>,
  ) {
    const invoice = await invoiceOf(world, reference);
    if (invoice === undefined) return missing(reply, 'payment');
    const changed = await change(reference);
    if (changed === undefined)
      return conflict(reply, `The payment is ${(await invoiceOf(world, reference))?.status}`);
    const delivered = await callBackOfInvoice(world, changed);
    const { id, status, amount, paid_amount } = changed;
    return { id, reference_id: reference, status, amount, paid_amount, delivered };
  }
}

/**
 * `POST /gateway/payouts/{reference_id}/complete`, `.../fail {failure_code?}`, `.../reverse`, and `.../complete-late` of one
 * that has failed.
 */
function payoutControls(server: FastifyInstance, world: GatewayWorld): void {
  for (const end of PAYOUT_ENDS)
    server.post<ByReference>(
      `${SIMULATED_GATEWAY_PREFIX}/payouts/:reference_id/${end}`,
      async ({ params: { reference_id }, body }, reply) => {
        const given = body ?? {};
        if (!Value.Check(Failed, given)) return invalid(reply, 'failure_code is A to Z and _');
        if ((await simulatedGatewayPayoutOf(world, reference_id)) === undefined)
          return missing(reply, 'pay-out');
        const ended = await endPayout(world, reference_id, end, given.failure_code);
        if (ended === undefined)
          return conflict(
            reply,
            `The pay-out is ${(await simulatedGatewayPayoutOf(world, reference_id))?.status}`,
          );
        const delivered = await callBackOfPayout(world, end, ended);
        const { id, status, amount } = ended;
        return { id, reference_id, status, amount, delivered };
      },
    );
}

const invalid = (reply: FastifyReply, error: string) =>
  reply.code(400).send({ error, code: 'VALIDATION_ERROR' });
const missing = (reply: FastifyReply, what: string) =>
  reply.code(404).send({ error: `There is no ${what} of this reference`, code: 'NOT_FOUND' });
const conflict = (reply: FastifyReply, error: string) =>
  reply.code(409).send({ error, code: 'CONFLICT' });
