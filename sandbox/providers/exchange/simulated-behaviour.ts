import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { oneOfWords } from '#kernel/http/declare/schema.ts';
import type { Records } from '#sandbox/records.ts';
import type { World } from '#sandbox/simulator.ts';
import { PREFIX, SIMULATED_EXCHANGE_PROVIDER } from './simulated-account.ts';

const Level = Type.Tuple([
  Type.String({ pattern: '^\\d{1,9}(\\.\\d{1,2})?$' }),
  Type.String({ pattern: '^\\d{1,9}(\\.\\d{1,6})?$' }),
]);

const Wish = Type.Object({
  /** What is for sale, `[price in rupiah, USDC]`, the cheapest first; the same to every order. */
  asks: Type.Optional(Type.Array(Level, { maxItems: 100 })),
  /** What is wanted, the dearest first. */
  bids: Type.Optional(Type.Array(Level, { maxItems: 100 })),
  /** Of what is bought, in basis points, and the coin that it is taken in. */
  fee_points: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000 })),
  fee_asset: Type.Optional(oneOfWords(['USDC', 'IDR', 'TKO'] as const)),
  /**
   * Whether orders and withdrawals are done when they are next looked at, stay open, or come to nothing; of orders also
   * whether a half of each is done and the rest stays open.
   */
  orders: Type.Optional(oneOfWords(['fill', 'half', 'hold', 'reject'] as const)),
  withdrawals: Type.Optional(oneOfWords(['process', 'hold', 'reject'] as const)),
});

export type Behaviour = Required<Static<typeof Wish>>;

const USUAL: Behaviour = {
  asks: [
    ['15900', '2000'],
    ['15910', '10000'],
    ['15950', '100000'],
    ['16100', '1000000'],
  ],
  bids: [
    ['15850', '2000'],
    ['15800', '100000'],
  ],
  fee_points: 10,
  fee_asset: 'USDC',
  orders: 'fill',
  withdrawals: 'process',
};

const KIND = 'behaviour';

export const behaviourOf = async (records: Records): Promise<Behaviour> => ({
  ...USUAL,
  ...(await records.get<Behaviour>(SIMULATED_EXCHANGE_PROVIDER, KIND, KIND)),
});

/** `GET` and `POST /exchange/behaviour`: how the exchange behaves from now on. `DELETE`: as usual. */
export function behaviourControls(server: FastifyInstance, { records }: World): void {
  const path = `${PREFIX}/behaviour`;
  server.get(path, async () => behaviourOf(records));
  server.delete(path, async () => change(records, USUAL));
  server.post<{ Body: Static<typeof Wish> }>(path, { schema: { body: Wish } }, async ({ body }) =>
    change(records, { ...(await behaviourOf(records)), ...body }),
  );
}

async function change(records: Records, to: Behaviour): Promise<Behaviour> {
  await records.insert(SIMULATED_EXCHANGE_PROVIDER, KIND, KIND, to);
  return (await records.update<Behaviour>(SIMULATED_EXCHANGE_PROVIDER, KIND, KIND, () => to)) ?? to;
}
