import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEMO } from '#src/app/seed.ts';
import { environment } from '../http/environment.ts';
import { createFleet, type Server } from '../http/fleet.ts';
import type { Place } from '../place.ts';
import { atMost, type BenchRow } from '../row.ts';
import type { Attack, Refused } from './strangers.ts';

const SECONDS = 15;
const ATTACK = { times: 45, everyMs: (SECONDS * 1000) / 45 };
const PAUSE_MS = 2;

/** A user's latency while strangers send the most expensive requests. */
export async function runHostileBench({ url, dir }: Place): Promise<BenchRow[]> {
  const fleet = createFleet(dir, environment(url, dir));
  const strangers = fork(join(import.meta.dirname, 'strangers.ts'));
  try {
    const service = await fleet.start('service.ts');
    await waitsOf(service, sleep(2000));
    const quiet = await waitsOf(service, sleep(5000));
    const attack = { ...ATTACK, api: `http://127.0.0.1:${service.port}/api` } satisfies Attack;
    strangers.send(attack);
    const report = once(strangers, 'message');
    const waits = await waitsOf(service, report);
    const [{ statuses }] = (await report) as [Refused];
    const taken = Object.keys(statuses).filter((status) => !/^4/.test(status));
    if (taken.length > 0) throw new Error(`Strangers were answered ${JSON.stringify(statuses)}`);
    return [
      atMost({
        bar: 'C1',
        what: `p99 of another caller, 45 bodies of 0.9 MB and 675 of 60 kB in ${SECONDS} s`,
        measured: quantile(waits, 0.99),
        unit: 'ms',
        limit: 50,
        note: `p50 ${shown(waits, 0.5)}, longest ${shown(waits, 1)}; without them p50 ${shown(quiet, 0.5)}, p99 ${shown(quiet, 0.99)}`,
      }),
    ];
  } finally {
    strangers.disconnect();
    await fleet.stop();
  }
}

/** The time of each of a caller's requests, one after the other, until the promise resolves. */
async function waitsOf({ port, token, user_id }: Server, end: Promise<unknown>): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { 'x-api-key': DEMO.apiKey, authorization: `Bearer ${token}` };
  const path = `/api/wallets/fiat/${user_id}`;
  const waits: number[] = [];
  let ended = false;
  void end.finally(() => {
    ended = true;
  });
  while (!ended) {
    const start = performance.now();
    const [reply] = await once(get({ host: '127.0.0.1', port, path, agent, headers }), 'response');
    if (reply.statusCode !== 200) throw new Error(`The caller was answered ${reply.statusCode}`);
    reply.resume();
    await once(reply, 'end');
    waits.push(performance.now() - start);
    await sleep(PAUSE_MS);
  }
  agent.destroy();
  return waits;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
}

const shown = (values: readonly number[], share: number): string =>
  `${quantile(values, share).toFixed(1)} ms`;
