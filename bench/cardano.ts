import { join } from 'node:path';
import { embeddedDir } from '#embedded/embedded.ts';
import { DEMO } from '#src/app/seed.ts';
import { memoryOf } from './memory.ts';
import { createMeter } from './meter.ts';
import type { Place } from './place.ts';
import { type BenchRow, reported } from './row.ts';
import { startService } from './service-process.ts';
import { NO_NODES } from './start.ts';

const IN_FLIGHT = 8;
const MS = 3_000;
const WARM_MS = 1_000;
const ELSEWHERE = 'addr_test1vz2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzerspjrlsz';
const CARD = '4111111111111111';

/** The six Cardano operations through the whole service, and the cost of the ledger's first use. */
export async function runCardanoBench({ dir }: Place): Promise<BenchRow[]> {
  const home = join(dir, 'cardano');
  const service = await startService({ DATA_DIR: home, RATE_LIMITS: 'off', ...NO_NODES });
  try {
    const memory = () => memoryOf(service.pid, embeddedDir(home)).service;
    const caller = await logIn(service.apiUrl);
    const before = memory();
    const first = performance.now();
    await caller.get('/cardano/balance');
    const openedMs = performance.now() - first;
    const opened = memory();
    const rows = await flows(caller);
    return [
      ...rows,
      reported({
        bar: '',
        what: 'the first call that needs Cardano',
        unit: 'ms',
        measured: openedMs,
        note: `the service starts without it, in ${service.seconds.toFixed(1)} s`,
      }),
      reported({
        bar: '',
        what: 'memory that Cardano takes at its first use',
        unit: 'MB',
        measured: opened - before,
        note: `${Math.round(before)} before, ${Math.round(memory())} after all flows`,
      }),
    ];
  } finally {
    await service.stop();
  }
}

async function flows(caller: Caller): Promise<BenchRow[]> {
  const { user_id } = caller;
  const wallet = async (currency: string) =>
    (await caller.post('/wallets/fiat', { currency })).data.wallet_id;
  const [wallet_from_id, wallet_to_id] = [await wallet('USD'), await wallet('SGD')];
  const card = { card_number: CARD, expiry_date: '1239', amount: '900000', currency_code: 'USD' };
  await caller.post('/card-checkout/card', card);
  const base = { user_id, fiat_amount: '1', currency_from: 'USD' };
  const [from, by] = [{ wallet_from_id }, { cardNumber: CARD }];
  const to = { currency_to: 'SGD' };
  const bodies = {
    'wallet-mint-user': { ...base, ...from, user_wallet_address: ELSEWHERE },
    'wallet-offramp-wallet': { ...base, ...from, ...to, wallet_to_id },
    'wallet-offramp-bank': { ...base, ...from, ...to },
    'bank-mint-user': { ...base, ...by, user_wallet_address: ELSEWHERE },
    'bank-offramp-wallet': { ...base, ...by, ...to, wallet_to_id },
    'bank-offramp-bank': { ...base, ...by, ...to },
  };
  const meter = await createMeter();
  const rows: BenchRow[] = [];
  for (const [name, body] of Object.entries(bodies)) {
    const once = async () => {
      await caller.post(`/cardano/onramp-${name}`, body);
      return 1;
    };
    await meter.burst({ name, inFlight: IN_FLIGHT, once }, WARM_MS);
    const { rate, p50Ms } = await meter.burst({ name, inFlight: IN_FLIGHT, once }, MS);
    rows.push(
      reported({
        bar: '',
        what: `onramp-${name}, ${IN_FLIGHT} at once`,
        unit: 'per second',
        measured: rate,
        note: `median ${Math.round(p50Ms)} ms`,
      }),
    );
  }
  return rows;
}

interface Caller {
  readonly user_id: number;
  get(path: string): Promise<Answer>;
  post(path: string, body: object): Promise<Answer>;
}

/** The used fields of the service's answers; the service has checked them by its schemas. */
interface Answer {
  readonly data: {
    readonly token: string;
    readonly user: { readonly user_id: number };
    readonly wallet_id: number;
  };
}

async function logIn(apiUrl: string): Promise<Caller> {
  const headers: Record<string, string> = {
    'x-api-key': DEMO.apiKey,
    'content-type': 'application/json',
  };
  const call = async (path: string, init: RequestInit): Promise<Answer> => {
    const reply = await fetch(`${apiUrl}${path}`, { ...init, headers });
    const answer = (await reply.json()) as Answer;
    if (!reply.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  const post = (path: string, body: object) =>
    call(path, { method: 'POST', body: JSON.stringify(body) });
  const { email: usernameoremail, password } = DEMO.user;
  const { data } = await post('/auth/login', { usernameoremail, password });
  headers['authorization'] = `Bearer ${data.token}`;
  return { user_id: data.user.user_id, get: (path) => call(path, { method: 'GET' }), post };
}
