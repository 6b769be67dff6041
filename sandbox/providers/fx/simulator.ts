import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { DecimalInput } from '#kernel/http/declare/schema.ts';
import type { WireRates } from '#providers/fx/wire.ts';
import type { Simulator, World } from '#sandbox/simulator.ts';

const PROVIDER = 'fx';

/** What a dollar buys until a control changes it. */
const RATES: Readonly<Record<string, string>> = {
  USD: '1.0',
  IDR: '15875.5',
  SGD: '1.3425',
  AUD: '1.5301',
  INR: '84.1275',
  VND: '25410',
  EUR: '0.92',
  GBP: '0.79',
  JPY: '154.25',
  USDC: '1.0',
  ETH: '0.0004',
  POL: '2.5',
  NEON: '4',
  ADA: '2.8571428571428571',
  XRP: '1.6',
};

const Query = Type.Object({ currency: Type.Optional(Type.String()) });
const Moved = Type.Object({
  currency: Type.String({ pattern: '^[A-Z]{3,5}$' }),
  rate: DecimalInput,
});
interface StoredRate {
  readonly currency: string;
  readonly rate: string;
}

/** Coinbase's public rates, and `POST /fx/rates {currency, rate}`: units of it for a dollar. */
export const fxSimulator = (): Simulator => ({
  provider: PROVIDER,
  prefix: '/fx',
  refusal: (_status, id, message) => ({ errors: [{ id: id.toLowerCase(), message }] }),
  wire(server, { records }) {
    server.get<{ Querystring: Static<typeof Query> }>(
      '/v2/exchange-rates',
      { schema: { querystring: Query } },
      async ({ query }, reply) => {
        if ((query.currency ?? 'USD') !== 'USD')
          return reply
            .code(400)
            .send({ errors: [{ id: 'invalid_request', message: 'Currency is invalid' }] });
        return { data: { currency: 'USD', rates: await current(records) } } satisfies WireRates;
      },
    );
  },
  controls(server, world) {
    moveControl(server, world);
  },
});

function moveControl(server: FastifyInstance, { records }: World): void {
  server.post<{ Body: Static<typeof Moved> }>(
    '/fx/rates',
    { schema: { body: Moved } },
    async ({ body: { currency, rate } }) => {
      await records.insert(PROVIDER, 'rate', currency, { currency, rate });
      await records.update<StoredRate>(PROVIDER, 'rate', currency, () => ({ currency, rate }));
      return current(records);
    },
  );
}

async function current(records: World['records']): Promise<Record<string, string>> {
  const moved = await records.list<StoredRate>(PROVIDER, 'rate');
  return { ...RATES, ...Object.fromEntries(moved.map(({ currency, rate }) => [currency, rate])) };
}
