/** A process of its own for the crash matrix: begins and drives many effects, each up to the given point. */

import { createClock } from '#kernel/clock.ts';
import { openDatabase } from '#kernel/db/db.ts';
import { createEffects } from '#kernel/effects/effects.ts';
import { createJobs } from '#kernel/jobs/jobs.ts';
import { createLog } from '#kernel/log.ts';
import type { Manner } from './counterparty.ts';
import {
  beginWish,
  type Place,
  type Point,
  type Shape,
  shapesOf,
  type Wish,
} from './effect-shapes.ts';

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
  /** The point at which it hangs. */
  readonly point: Point;
  /** Its driver here: the request that begins it, or its job. */
  readonly by: 'request' | 'job';
}

const orders = JSON.parse(process.argv[2] ?? '{}') as Orders;
const { db, pool } = openDatabase(orders.databaseUrl);
const clock = createClock();
const log = createLog('silent');
const jobs = createJobs({ pool, clock, log });
const effects = createEffects({ db, clock, log, jobs });
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
const requested = orders.wishes.filter(({ by }) => by === 'request');
const inTransaction = requested.filter(({ point }) => point === 'booking');
const others = requested.filter(({ point }) => point !== 'booking');
const AT_ONCE = 20;
for (let i = 0; i < others.length; i += AT_ONCE)
  await Promise.all(others.slice(i, i + AT_ONCE).map(goOn));
await Promise.all(inTransaction.map(goOn));
const followed = orders.wishes.filter(({ by }) => by === 'job').map(leave);
if (followed.length > 0) await jobs.start();
await Promise.all(followed);
process.stdout.write('hangs\n');
setInterval(() => undefined, 1000);

/** Begins one and drives it. Ends when it hangs at its point. */
function goOn(order: WishOrder): Promise<void> {
  return arrival(order, async (effect, wish) => {
    const { id } = wish;
    const intent = await beginWish(place, effects, { effect, wish, options: { owner: id } });
    await place.at('begun', id);
    await effects.drive(effect, id, { intent, secret: 'known to the request', owner: id });
    // For every outcome, and also if the point was not reached: a refusal is not booked as done.
    await stay(id);
  });
}

/** Begins one and leaves it to its job. Ends when that hangs at its point. */
function leave(order: WishOrder): Promise<void> {
  return arrival(order, async (effect, wish) => {
    await beginWish(place, effects, { effect, wish, options: { left: {} } });
  });
}

async function arrival(
  { id, shape, manner }: WishOrder,
  work: (effect: Shape, wish: Wish) => Promise<void>,
): Promise<void> {
  const here = new Promise<void>((resolve) => arrived.set(id, resolve));
  const effect = shapes[shape];
  if (!effect) throw new Error(`There is no shape ${shape}`);
  void work(effect, { id, manner, time: 1 }).catch((error: Error) => {
    process.stdout.write(`${id}: ${error.message}\n`);
  });
  await here;
}

function stay(id: string): Promise<never> {
  arrived.get(id)?.();
  return new Promise(() => undefined);
}
