import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { integerInput } from '#kernel/http/declare/schema.ts';
import type { Records } from '#sandbox/records.ts';
import { type Reserves, SIMULATED_XRPL_PROVIDER, USUAL_RESERVES } from './state.ts';

const DROPS_MAX = 1_000_000_000;
const Wish = Type.Object({
  /** What a transaction must pay now to come into the open ledger; the least that any must pay is 10. */
  open_ledger_fee: Type.Optional(integerInput(10, DROPS_MAX)),
  /** Whether one that pays less waits in the queue, rather than to be refused since that is full. */
  has_queue: Type.Optional(Type.Boolean()),
  reserve_base: Type.Optional(integerInput(0, DROPS_MAX)),
  reserve_owner: Type.Optional(integerInput(0, DROPS_MAX)),
});
type Wish = Static<typeof Wish>;

const USUAL: Required<Wish> = {
  open_ledger_fee: 10,
  has_queue: true,
  reserve_base: Number(USUAL_RESERVES.base),
  reserve_owner: Number(USUAL_RESERVES.owner),
};
const KIND = 'conditions';

/** What the network asks for at the moment, in drops. */
export const conditionsOf = async (records: Pick<Records, 'get'>): Promise<Required<Wish>> => ({
  ...USUAL,
  ...(await records.get<Wish>(SIMULATED_XRPL_PROVIDER, KIND, KIND)),
});

export async function reservesOf(records: Pick<Records, 'get'>): Promise<Reserves> {
  const { reserve_base, reserve_owner } = await conditionsOf(records);
  return { base: BigInt(reserve_base), owner: BigInt(reserve_owner) };
}

/** `POST /xrpl/conditions`: how dear the ledger is; what is not named is as usual. `changed` hears of it. */
export function conditionControl(
  server: FastifyInstance,
  records: Records,
  changed: () => Promise<void>,
): void {
  server.post<{ Body: Wish }>('/xrpl/conditions', { schema: { body: Wish } }, async ({ body }) => {
    await records.exclusively(SIMULATED_XRPL_PROVIDER, KIND, KIND, async (own) => {
      await own.remove(SIMULATED_XRPL_PROVIDER, KIND, KIND);
      await own.insert(SIMULATED_XRPL_PROVIDER, KIND, KIND, body);
    });
    await changed();
    return conditionsOf(records);
  });
}
