/** A process of its own for the crash matrix: begins and drives many effects, each as far as it is told. */

import { createClock } from '#kernel/clock.ts';
import { openDatabase } from '#kernel/db/db.ts';
import { createEffects } from '#kernel/effects/effects.ts';
import { createJobs } from '#kernel/jobs/jobs.ts';
import { createLog } from '#kernel/log.ts';
import type { Manner } from './counterparty.ts';
import { beginWish, type Place, type Point, shapesOf } from './effect-shapes.ts';

export interface Orders {
  readonly databaseUrl: string;
  readonly url: string;
  readonly accounts: Place['accounts'];
  readonly wishes: readonly WishOrder[];
}

export interface WishOrder {
  readonly id: string;
  readonly shape: string;
  readonly manner: Manner;
  /** Where it stays. */
  readonly point: Point;
}

const orders = JSON.parse(process.argv[2] ?? '{}') as Orders;
const { db, pool } = openDatabase(orders.databaseUrl);
const clock = createClock();
const log = createLog('silent');
const effects = createEffects({ db, clock, log, jobs: createJobs({ pool, clock, log }) });
const points = new Map(orders.wishes.map(({ id, point }) => [id, point]));
const arrived = new Map<string, () => void>();
const place: Place = {
  db,
  ...orders,
  at: (point, id) => (points.get(id) === point ? stay(id) : Promise.resolve()),
};
const shapes = shapesOf(place);
effects.register(Object.values(shapes));

// Those that stay in a transaction come last: others of their kind wait for it.
const inTransaction = orders.wishes.filter(({ point }) => point === 'booking');
const others = orders.wishes.filter(({ point }) => point !== 'booking');
const AT_ONCE = 20;
for (let i = 0; i < others.length; i += AT_ONCE)
  await Promise.all(others.slice(i, i + AT_ONCE).map(goOn));
await Promise.all(inTransaction.map(goOn));
process.stdout.write('hangs\n');
setInterval(() => undefined, 1000);

/** Ends when it is where it stays. */
async function goOn({ id, shape, manner }: WishOrder): Promise<void> {
  const here = new Promise<void>((resolve) => arrived.set(id, resolve));
  void drive().catch((error: Error) => {
    process.stdout.write(`${id}: ${error.message}\n`);
  });
  await here;

  async function drive(): Promise<void> {
    const effect = shapes[shape];
    if (!effect) throw new Error(`There is no shape ${shape}`);
    const wish = { id, manner, time: 1 };
    const intent = await beginWish(place, effects, { effect, wish, options: { owner: id } });
    await place.at('begun', id);
    await effects.drive(effect, id, { intent, secret: 'known to the request', owner: id });
    // Whatever came of it, and also where it was not reached: a refusal is not booked as done.
    await stay(id);
  }
}

function stay(id: string): Promise<never> {
  arrived.get(id)?.();
  return new Promise(() => undefined);
}
