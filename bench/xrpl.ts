import { join } from 'node:path';
import { embeddedDir } from '#embedded/embedded.ts';
import { DEMO } from '#src/app/seed.ts';
import { memoryOf } from './memory.ts';
import type { Place } from './place.ts';
import { type BenchRow, reported } from './row.ts';
import { type Started, startService } from './service-process.ts';
import { NO_NODES } from './start.ts';

const IN_FLIGHT = 16;
const MS = 5_000;

/** The XRP Ledger: whole on-ramps through the service, against the sandbox's ledger beside it. */
export async function runXrplBench({ dir }: Place): Promise<BenchRow[]> {
  const home = join(dir, 'xrpl');
  const service = await startService({ DATA_DIR: home, RATE_LIMITS: 'off', ...NO_NODES });
  try {
    const call = await caller(service);
    const onramp = () => call('/xrpl/onramp/init', { amount: 1 });
    const memory = () => memoryOf(service.pid, embeddedDir(home)).service;
    const unused = memory();
    const begun = performance.now();
    await onramp();
    const first = performance.now() - begun;
    const used = memory();
    const start = performance.now();
    let made = 0;
    const one = async () => {
      while (performance.now() - start < MS) {
        await onramp();
        made += 1;
      }
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, one));
    const seconds = (performance.now() - start) / 1000;
    const row = (what: string, measured: number, unit: string) =>
      reported({ bar: '', what, measured, unit });
    return [
      row('XRPL on-ramps, each a validated payment, booked', made / seconds, '/s'),
      row('first XRPL on-ramp: library, accounts, trust line', first, 'ms'),
      row('what the first XRPL on-ramp adds to the memory', used - unused, 'MB'),
    ];
  } finally {
    await service.stop();
  }
}

async function caller({ apiUrl }: Started) {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'x-api-key': DEMO.apiKey,
  };
  const call = async (path: string, body: object) => {
    const reply = await fetch(`${apiUrl}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    const answer = (await reply.json()) as { readonly data: { readonly token: string } };
    if (!reply.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  const { email: usernameoremail, password } = DEMO.user;
  const { data } = await call('/auth/login', { usernameoremail, password });
  headers['authorization'] = `Bearer ${data.token}`;
  return call;
}
