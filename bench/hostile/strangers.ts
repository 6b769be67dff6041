import { setTimeout as sleep } from 'node:timers/promises';
import { hostileBodies } from './bodies.ts';

/** The strangers' process: sends requests that must be refused, to endpoints without credentials. */

export interface Attack {
  readonly api: string;
  readonly times: number;
  readonly everyMs: number;
}
export interface Refused {
  /** The number of answers of each status. */
  readonly statuses: Readonly<Record<string, number>>;
}

const PLACES = [
  '/ekyc/idv/webhook',
  '/ekyc/idv/syncIdvStatus',
  '/card-checkout/card/callback',
  '/password/reset',
];
const LARGE = hostileBodies(900_000);
/** Bodies of the maximum size. */
const SMALL = hostileBodies(60_000);
const SMALL_ONES = 15;

process.on('message', async ({ api, times, everyMs }: Attack) => {
  const statuses: Record<string, number> = {};
  let sent = 0;
  const send = async (bodies: readonly string[]): Promise<void> => {
    const place = PLACES[sent % PLACES.length];
    const body = bodies[sent % bodies.length] ?? '';
    sent += 1;
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(`${api}${place}`, { method: 'POST', headers, body });
    await reply.text();
    statuses[reply.status] = (statuses[reply.status] ?? 0) + 1;
  };
  const sending: Promise<void>[] = [];
  for (let n = 0; n < times; n += 1) {
    sending.push(send(LARGE), ...Array.from({ length: SMALL_ONES }, () => send(SMALL)));
    await sleep(everyMs);
  }
  await Promise.all(sending);
  process.send?.({ statuses } satisfies Refused);
});
process.on('disconnect', () => process.exit());
