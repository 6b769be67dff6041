import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { openDatabase, run } from '#kernel/db/db.ts';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { DEMO } from '#src/app/seed.ts';
import type { Place } from './place.ts';
import { type BenchRow, reported } from './row.ts';
import { type Started, startService } from './service-process.ts';

const PURCHASES = 300;
const IN_FLIGHT = 16;
const LOOK_MS = 50;
const PATIENCE_MS = 300_000;
const RUPIAH = 50_000;

/**
 * Purchases of rupiah tokens: begun at the gateway, and from the gateway's call-back, which comes with the
 * payment, to SUCCESS, minted on a chain beside it. Service, gateway and chain share the machine.
 */
export async function runIdrTokenBench({ url, dir }: Place): Promise<BenchRow[]> {
  const { db, close } = openDatabase(url);
  const home = { DATABASE_URL: url, DATA_DIR: join(dir, 'idr-token'), RATE_LIMITS: 'off' };
  const service = await startService(home);
  try {
    // In mock mode they would be paid at their beginning.
    await hold(service);
    const begin = await beginner(service);
    // Node, contracts and gateway are ready after the first one.
    await pay(service, await begin());
    await untilMinted(db, 1);
    const references: string[] = [];
    const begunAt = performance.now();
    await side(PURCHASES, async () => references.push(await begin()));
    const begun = PURCHASES / secondsSince(begunAt);
    const paidAt = performance.now();
    const next = references.values();
    const payments = side(PURCHASES, async () => pay(service, next.next().value ?? ''));
    await Promise.all([payments, untilMinted(db, PURCHASES + 1)]);
    const minted = PURCHASES / secondsSince(paidAt);
    const { broken } = await verifyLedger(db);
    if (broken.length > 0) throw new Error(`The ledger is broken: ${broken[0]?.rule}`);
    const row = (what: string, measured: number, unit: string, note = '') =>
      reported({ bar: '', what, measured, unit, note });
    return [
      row('purchases of rupiah tokens begun at the gateway', begun, '/s'),
      row('call-backs to SUCCESS, each minted on chain', minted, '/s', `${PURCHASES} purchases`),
      row('call-backs to SUCCESS beside purchases begun', minted / begun, 'times'),
    ];
  } finally {
    await service.stop();
    await close();
  }
}

const secondsSince = (moment: number): number => (performance.now() - moment) / 1000;

/** So many, some of them side by side. */
async function side(count: number, act: () => Promise<unknown>): Promise<void> {
  let left = count;
  const one = async () => {
    while (left > 0) {
      left -= 1;
      await act();
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, one));
}

async function beginner({ apiUrl }: Started): Promise<() => Promise<string>> {
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
    const answer = (await reply.json()) as { data: { token: string; referenceId: string } };
    if (!reply.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer.data;
  };
  const { email: usernameoremail, password } = DEMO.user;
  const { token } = await call('/auth/login', { usernameoremail, password });
  headers['authorization'] = `Bearer ${token}`;
  return async () => {
    const walletAddress = `0x${randomBytes(20).toString('hex')}`;
    const request = { amount: RUPIAH, paymentMethod: 'QRIS', walletAddress };
    return (await call('/idrtoken/onramp/initiate', request)).referenceId;
  };
}

async function hold({ sandboxUrl }: Started): Promise<void> {
  const reply = await fetch(`${sandboxUrl}/gateway/holds`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ payments: 'all' }),
  });
  if (!reply.ok) throw new Error(`holds: ${await reply.text()}`);
}

async function pay({ sandboxUrl }: Started, reference: string): Promise<void> {
  const reply = await fetch(`${sandboxUrl}/gateway/payments/${reference}/pay`, { method: 'POST' });
  if (!reply.ok) throw new Error(`${reference}: ${await reply.text()}`);
}

async function untilMinted(db: Parameters<typeof run>[0], wanted: number): Promise<void> {
  const text = `select coalesce(sum(n), 0)::int as n from list_counts
    where list = 'idr_mints' and facet = '{SUCCESS}'`;
  for (const since = performance.now(); ; ) {
    const [found] = await run<{ n: number }>(db, text, []);
    if ((found?.n ?? 0) >= wanted) return;
    if (performance.now() - since > PATIENCE_MS)
      throw new Error(`Only ${found?.n} of ${wanted} purchases are minted`);
    await new Promise((done) => setTimeout(done, LOOK_MS));
  }
}
