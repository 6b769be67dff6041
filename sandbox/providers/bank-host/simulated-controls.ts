import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import { text } from '#kernel/http/declare/schema.ts';
import type { World } from '#sandbox/simulator.ts';
import { setHolder } from './simulated-holders.ts';
import {
  type HostOrder,
  hostOrderOf,
  rejectOrder,
  returnOrder,
  settleOrder,
} from './simulated-orders.ts';

const ByReference = Type.Object({ reference: text(35) });
/** One of ISO's four letters and digits. */
const Why = Type.Union([
  Type.Null(),
  Type.Object({ reason: Type.Optional(Type.String({ pattern: '^[A-Z]{2}[A-Z0-9]{2}$' })) }),
]);
const Held = Type.Object({
  account: Type.String({ pattern: '^[0-9A-Za-z]{4,34}$' }),
  name: Type.Union([text(140), Type.Null()]),
});

interface Ending {
  Params: Static<typeof ByReference>;
  Body: Static<typeof Why>;
}

/** How a payment ends: at its payee, refused after it was accepted, or sent back after it had arrived. */
const ENDS = {
  complete: settleOrder,
  reject: (world: World, reference: string, reason = 'AC01') =>
    rejectOrder(world, reference, reason),
  return: (world: World, reference: string, reason = 'AC04') =>
    returnOrder(world, reference, reason),
} as const;

/**
 * `POST /bank-host/payments/{reference}/complete`, `.../reject {reason?}`, `.../return {reason?}` by its EndToEndId, and
 * `POST /bank-host/holders {account, name}`: in whose name an account is; null where its bank verifies no name.
 */
export function bankHostControls(server: FastifyInstance, world: World): void {
  for (const [end, act] of Object.entries(ENDS))
    server.post<Ending>(
      `/bank-host/payments/:reference/${end}`,
      { schema: { params: ByReference, body: Why } },
      async ({ params: { reference }, body }, reply) => {
        const order = await hostOrderOf(world.records, reference);
        if (order === undefined)
          return refuse(reply, 404, 'NOT_FOUND', 'no payment of this reference');
        const ended = await world.records.atomic((records) =>
          act({ ...world, records }, reference, body?.reason),
        );
        return ended
          ? shown(ended)
          : refuse(reply, 409, 'CONFLICT', `a payment that is ${order.status}`);
      },
    );

  server.post<{ Body: Static<typeof Held> }>(
    '/bank-host/holders',
    { schema: { body: Held } },
    async ({ body: { account, name } }, reply) => {
      await setHolder(world.records, account, { name });
      return reply.code(201).send({ account, name });
    },
  );
}

const shown = ({ endToEndId, status, reason, returned, amount, currency }: HostOrder) => ({
  reference: endToEndId,
  status,
  reason: returned ?? reason ?? null,
  amount,
  currency,
});

const refuse = (reply: FastifyReply, status: number, code: string, what: string) =>
  reply.code(status).send({ error: `There is ${what}`, code });
