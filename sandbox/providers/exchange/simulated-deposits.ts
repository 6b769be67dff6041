import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { oneOfWords, text } from '#kernel/http/declare/schema.ts';
import type { World } from '#sandbox/simulator.ts';
import type { GatewayBooks, GatewayWorld } from '../gateway/simulated-account.ts';
import {
  callBackOfPayout,
  endPayout,
  simulatedGatewayPayoutOf,
} from '../gateway/simulated-payouts.ts';
import { PREFIX, SIMULATED_EXCHANGE_PROVIDER } from './simulated-account.ts';
import { addDeposit, type SimulatedDeposit } from './simulated-movements.ts';

const Wish = Type.Object({
  reference_id: text(255),
  /** Whether the bank tells our reference, something else, or the exchange does not list it at all. */
  told: Type.Optional(oneOfWords(['reference', 'nothing', 'unlisted'] as const)),
});

const ARRIVAL = 'arrival';

/** Rupiah of a pay-out come to the exchange. Once; nothing where they are there already. */
export const arriveAtExchange = (
  world: GatewayBooks,
  reference: string,
  amount: number,
  told: NonNullable<Static<typeof Wish>['told']> = 'reference',
): Promise<SimulatedDeposit | undefined> =>
  // An arrival without its money would keep it away for good.
  world.records.atomic(async (records) => {
    if (!(await records.insert(SIMULATED_EXCHANGE_PROVIDER, ARRIVAL, reference, {})))
      return undefined;
    const note = told === 'reference' ? reference : 'TRANSFER';
    const money = { note, amount: `${amount}` };
    return addDeposit({ records, clock: world.clock }, money, told !== 'unlisted');
  });

/**
 * `POST /exchange/deposits {reference_id, told?}`: the pay-out of that reference arrives at the exchange,
 * which is the end of it at the gateway too. Once.
 */
export function depositControl(server: FastifyInstance, given: World, token: string): void {
  const world: GatewayWorld = { ...given, callbackToken: token };
  server.post<{ Body: Static<typeof Wish> }>(
    `${PREFIX}/deposits`,
    { schema: { body: Wish } },
    async ({ body: { reference_id, told = 'reference' } }, reply) => {
      const payout = await simulatedGatewayPayoutOf(world, reference_id);
      if (payout === undefined)
        return reply.code(404).send({ error: 'There is no such pay-out', code: 'NOT_FOUND' });
      if (payout.status === 'FAILED' || payout.status === 'REVERSED')
        return reply.code(409).send({ error: `The pay-out is ${payout.status}`, code: 'CONFLICT' });
      const deposit = await arriveAtExchange(world, reference_id, payout.amount, told);
      const paid = await endPayout(world, reference_id, 'complete');
      if (paid) void callBackOfPayout(world, 'complete', paid);
      if (deposit === undefined)
        return reply.code(409).send({ error: 'It has arrived already', code: 'CONFLICT' });
      return reply.code(201).send({ deposit_id: deposit.id, reference_id, amount: payout.amount });
    },
  );
}
