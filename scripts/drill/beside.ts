import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { DEMO } from '../../src/app/seed.ts';
import { ask as askDatabase } from './cluster.ts';
import { type Credentials, call, type Person } from './people.ts';

/** The work beside the payments, so that a version has more than one kind of row. */
export interface Beside {
  /** The number of each, for the drill's report. */
  counts(): Readonly<Record<string, number>>;
  /** Throws a forbidden answer once one was received. */
  check(): void;
  /** Begins nothing new, and ends when all open requests are answered. */
  stop(): Promise<void>;
  /** Differences from the answers, in words. */
  books(api: string, databaseUrl: string): Promise<string[]>;
}

const AGAIN_MS = 500;
const BETWEEN_MS = 250;
/** The allowed answers of a service whose processes come and go. */
const PASSING = /answered (409|429|503) |fetch failed|aborted|terminated/;
/** Of the sandbox's exchange: each conversion is of this many rupiah. */
const RUPIAH = 200_000;
const RUPIAH_AT_FIRST = 90_000_000;

/**
 * A user logs in at one process and uses the token at another; members join and get points, which the ledger moves at
 * once; and rupiah are sent to the exchange, a rail of effects and jobs.
 */
export async function startBeside(person: Person, apis: readonly string[]): Promise<Beside> {
  const [first = ''] = apis;
  const rupiah = await makeRupiah(person, first);
  const members: { token: string; points: number }[] = [];
  const jobs = new Map<number, number>();
  let logIns = 0;
  const works = [
    async () => {
      const { data } = await callAny(apis, 'POST /auth/login', DEMO, {
        usernameoremail: DEMO.user.email,
        password: DEMO.user.password,
      });
      await callAny(apis, 'GET /sessions', { apiKey: DEMO.apiKey, token: data.token });
      logIns += 1;
    },
    async (n: number) => {
      const phone = `+62812${String(10_000_000 + n)}`;
      const { token, user } = await callAny(apis, 'POST /xusers/login', DEMO, { phone });
      const as = { apiKey: DEMO.apiKey, token };
      const username = `drill_${n}_${randomUUID().slice(0, 8)}`;
      const { points_awarded: points } = await callAny(apis, CLAIM, as, { username });
      // Joining gives points, too.
      members.push({ token, points: user.point_balance + points });
    },
    async () => {
      const body = { wallet_id: rupiah.wallet_id, amount_idr: RUPIAH };
      const { data } = await callAny(apis, CONVERT, person, body);
      jobs.set(data.job_id, data.amount_idr);
    },
  ];
  const running = works.map(goOn);
  return {
    counts: () => ({ 'log-ins': logIns, 'points given': members.length, conversions: jobs.size }),
    check() {
      for (const one of running) one.check();
    },
    stop: async () => void (await Promise.all(running.map((one) => one.stop()))),
    async books(api, databaseUrl) {
      const wrong: string[] = [];
      for (const { token, points } of members) {
        const as = { apiKey: DEMO.apiKey, token };
        const { profile } = await call('GET /xprofiles/getme', api, as);
        if (profile.point_balance !== points)
          wrong.push(`a member has ${profile.point_balance} points, and was told ${points}`);
      }
      const sql = `select count(*) || ' ' || coalesce(sum(amount), 0) from conversion_jobs`;
      const expected = `${jobs.size} ${jobs.size * RUPIAH * 100}`;
      const kept = String(await askDatabase(databaseUrl, sql));
      if (kept !== expected) wrong.push(`conversions are ${kept}, and were told as ${expected}`);
      return wrong;
    },
  };
}

const CLAIM = 'POST /xprofiles/claim-username';
const CONVERT = 'POST /exchange/disbursement/start';
/** The others answer a secret, which is answered once. */
const KEYED = new Set([CLAIM, CONVERT]);

/** A funded wallet in rupiah, and an address for the conversion's USDC. */
async function makeRupiah(person: Person, api: string): Promise<{ wallet_id: number }> {
  const { data } = await call('POST /wallets/fiat', api, person, { currency: 'IDR' });
  await call('POST /card-checkout/cardcc', api, person, {
    card_number: '4111111111111111',
    expiry_date: '1239',
    amount: RUPIAH_AT_FIRST,
    currency_code: 'IDR',
  });
  await call('POST /exchange/crypto-wallet/save', api, person, {
    network: 'TRC20',
    wallet_address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
  });
  return data;
}

let turn = 0;

/** Calls one process after the other until one answers; under one key if it must happen once. */
async function callAny(apis: readonly string[], id: string, as: Credentials, body?: object) {
  const once = KEYED.has(id) ? { key: randomUUID() } : {};
  for (;;) {
    turn += 1;
    try {
      return await call(id, apis[turn % apis.length] ?? '', { ...as, ...once }, body);
    } catch (error) {
      if (!PASSING.test(String(error))) throw error;
      await pause(AGAIN_MS);
    }
  }
}

/** Repeats that work, until it is stopped. */
function goOn(work: (n: number) => Promise<void>) {
  let isStopped = false;
  let failure: Error | undefined;
  const check = () => {
    if (failure) throw failure;
  };
  const going = (async () => {
    for (let n = 1; !isStopped; n += 1) {
      await work(n);
      await pause(BETWEEN_MS);
    }
  })().catch((error: Error) => {
    failure = error;
  });
  return {
    check,
    async stop() {
      isStopped = true;
      await going;
      check();
    },
  };
}
