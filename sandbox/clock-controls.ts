import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Clock } from '#kernel/clock.ts';
import { integerInput } from '#kernel/http/declare/schema.ts';

const ADVANCE_MAX_S = 366 * 86_400;
/** PostgreSQL and JavaScript both know the years up to here, with room for later additions. */
const LATEST = Date.UTC(2200, 0, 1);

const Move = Type.Object({ advance_s: integerInput(1, ADVANCE_MAX_S) });

interface ClockControls {
  readonly clock: Clock;
  advance(seconds: number): Promise<void>;
}

/** `GET /clock` tells the service's time, `POST /clock {advance_s}` moves it forward. */
export function clockControls(server: FastifyInstance, { clock, advance }: ClockControls): void {
  const state = () => ({
    now: clock.now().toISOString(),
    offset_s: Math.floor(clock.offsetMs / 1000),
  });

  server.get('/clock', async () => state());

  server.post<{ Body: Static<typeof Move> }>(
    '/clock',
    { schema: { body: Move } },
    async ({ body }, reply) => {
      if (clock.now().getTime() + body.advance_s * 1000 > LATEST) {
        const error = 'The clock goes no further than 2200';
        return reply.code(400).send({ error, code: 'VALIDATION_ERROR' });
      }
      await advance(body.advance_s);
      return state();
    },
  );
}
