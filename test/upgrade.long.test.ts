// Long: a database of older versions is migrated.

import { randomBytes } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { createCardTransactions } from '#features/fiat/cards/transaction.ts';
import { createClock } from '#kernel/clock.ts';
import { loadConfig } from '#kernel/config/config.ts';
import { type Db, type OpenDatabase, openDatabase, run } from '#kernel/db/db.ts';
import { migrate } from '#kernel/db/migrate.ts';
import { createEffects } from '#kernel/effects/effects.ts';
import { done } from '#kernel/effects/outcome.ts';
import { createSagas } from '#kernel/effects/saga.ts';
import { createJobs } from '#kernel/jobs/jobs.ts';
import { hold, type Leg, transfer } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { createLog } from '#kernel/log.ts';
import { createMetrics } from '#kernel/metrics.ts';
import { readPriceList } from '#kernel/money/price-list.ts';
import { createPolicyDecisions } from '#kernel/policies/policies.ts';
import { createQuotas } from '#kernel/quota/quota.ts';
import { createVault } from '#kernel/secrets/vault.ts';
import { offlineNetwork } from '#providers/card-network/offline.ts';
import type { CardNetwork } from '#providers/card-network/port.ts';
import { exchangeRates } from '#providers/fx/adapter.ts';
import { emptyDatabase, migrateBefore } from './database.ts';

const ends: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

type Old = OpenDatabase & { readonly url: string };

/** A database with the schema of that time: every migration before the one of that name. */
async function databaseBefore(last: string): Promise<Old> {
  const { url, close } = await emptyDatabase();
  const open = openDatabase(url);
  ends.push(close, () => open.close());
  await migrateBefore(url, last);
  return { ...open, url };
}

const client = (db: Db, client_id: number, client_code: string, fields: string[] = []) =>
  run(
    db,
    `insert into clients (client_id, client_code, email, client_alias, client_type, country_code,
       phone, created, ekyc_status, ekyb_status)
     values ($1, $2, $3, 'x', 'BUSINESS', 'SG', '+651', '2026-03-31T23:30:00Z', $4, $5)`,
    [
      client_id,
      client_code,
      `${client_id}@example.test`,
      fields[0] ?? 'PENDING',
      fields[1] ?? null,
    ],
  );

/** A user whom an admin has approved. */
async function approved(db: Db, client_id: number, role: string): Promise<void> {
  const email = `${role}-${client_id}@example.test`;
  const [user] = await run<{ user_id: number }>(
    db,
    `insert into users (client_id, username, email, role) values ($1, $2, $2, $3)
     returning user_id`,
    [client_id, email, role],
  );
  await run(
    db,
    `insert into verifications (user_id, kind, status, provider)
     values ($1, 'KYC', 'APPROVED', 'ADMIN')`,
    [user?.user_id],
  );
  await run(
    db,
    `insert into verification_history (user_id, kind, status, source)
     values ($1, 'KYC', 'APPROVED', 'ADMIN_APPROVE_KYC')`,
    [user?.user_id],
  );
}

test('rows of an earlier version are migrated to this one’s form', async () => {
  const { db, url } = await databaseBefore('_service_time_and_kept_sums.sql');
  // The first start's, made in March 2026, like one that already had its code.
  await client(db, 1, 'CL-202601-0001', ['APPROVED']);
  await client(db, 2, 'CL-202601-0002', ['APPROVED']);
  await client(db, 3, 'CL-202603-0007');
  await client(db, 4, 'CL-202603-0008', ['PENDING', 'APPROVED']);
  await client(db, 5, 'CL-202603-0009', ['PENDING', 'REJECTED']);
  await client(db, 6, 'CL-202603-0010');
  for (const [client_id, role] of [
    [3, 'user'],
    [5, 'admin'],
    [6, 'admin'],
  ] as const)
    await approved(db, client_id, role);
  const done = `insert into activity_log (action, client_id, actor_user_id)
    select 'DONE', client_id, user_id from users`;
  await run(db, done, []);
  const house = await account(db, 'house', 'world', 'SGD');
  const wallet = await account(db, 'user:1', 'wallet', 'SGD');
  const post = (key: string, legs: Leg[]) => postWithin(db, { key, kind: 'test', legs });
  await post('in', transfer(house, wallet, 100n));
  await post('aside', hold(wallet, 10n));
  await post('out', transfer(wallet, house, 30n));

  await migrate(url);

  const rows = await run(
    db,
    'select client_code, ekyc_status, ekyb_status from clients order by client_id',
    [],
  );
  expect(rows.map((row) => Object.values(row as object))).toEqual([
    ['CL-202603-0011', 'APPROVED', 'PENDING'],
    ['CL-202603-0012', 'APPROVED', 'PENDING'],
    ['CL-202603-0007', 'PENDING', 'PENDING'],
    ['CL-202603-0008', 'APPROVED', 'APPROVED'],
    ['CL-202603-0009', 'REJECTED', 'REJECTED'],
    ['CL-202603-0010', 'APPROVED', 'PENDING'],
  ]);
  // As an earlier version still does during the roll-out of this one.
  await run(db, done, []);
  const roles = `select client_id, array_agg(actor_role order by id) as roles from activity_log
    group by client_id order by client_id`;
  expect(await run(db, roles, [])).toEqual([
    { client_id: 3, roles: [null, 'user'] },
    { client_id: 5, roles: ['admin', 'admin'] },
    { client_id: 6, roles: ['admin', 'admin'] },
  ]);
  const kept = `select moves, volume from ledger.accounts where account_id = $1`;
  expect(await run(db, kept, [wallet])).toEqual([{ moves: 2, volume: 130n }]);
  await post('again', transfer(house, wallet, 5n));
  expect(await run(db, kept, [wallet])).toEqual([{ moves: 3, volume: 135n }]);
  expect((await verifyLedger(db)).broken).toEqual([]);
});

/** As an earlier version opens it. */
async function account(db: Db, owner: string, purpose: string, asset: string): Promise<number> {
  const text = `insert into ledger.accounts (owner, purpose, asset, min_available)
    values ($1::text, $2, $3, case when $1::text = 'house' then null else 0 end) returning account_id`;
  const [row] = await run<{ account_id: number }>(db, text, [owner, purpose, asset]);
  return row?.account_id ?? 0;
}

/** Top-ups of 10.00 by a new user, as an earlier version stores them; answers their account. */
async function topUps(
  db: Db,
  all: readonly [reference: string, fields: object][],
): Promise<number> {
  await client(db, 1, 'CL-202603-0001', ['PENDING', 'PENDING']);
  const account_id = await account(db, 'user:1', 'wallet', 'USD');
  await run(
    db,
    `with person as (
       insert into users (client_id, username, email, role) values (1, 'ada', 'ada@example.test', 'user')
       returning user_id)
     insert into fiat_wallets (user_id, currency, account_id) select user_id, 'USD', $1 from person`,
    [account_id],
  );
  for (const [i, [reference_id, fields]] of all.entries())
    await run(
      db,
      `insert into card_transactions (operation, reference_id, type, wallet_id, user_id, client_id,
         card_last4, currency, amount, platform_fee, net_amount, rrn, state, status, failure, simulated,
         traced_at, look_at)
       select gen_random_uuid(), $1, 'TOPUP', w.wallet_id, w.user_id, 1, '1111', 'USD', 1000, 30, 970,
         $2, r.state, r.state, r.failure, false, now() - interval '5 minutes', r.look_at
       from fiat_wallets w, jsonb_to_record($3) as r (state text, failure text, look_at timestamptz)`,
      [reference_id, String(100_000_000_000 + i), JSON.stringify(fields)],
    );
  return account_id;
}

test('card transactions left open by an earlier version are followed up', async () => {
  const { db, pool, url } = await databaseBefore('_cards_on_effects.sql');
  const account = await topUps(db, [
    ['TOPUP-OPEN', { state: 'PENDING', look_at: '2026-03-31T23:30:00Z' }],
    ['TOPUP-FAILED', { state: 'FAILED', failure: 'DECLINED' }],
  ]);

  await migrate(url);

  const effects = `select e.id, e.state, calls, e.opened_at = t.traced_at as is_as_old, steps
    from effects e join card_transactions t on t.reference_id = e.id where kind = 'card'`;
  const begin = [{ at: expect.stringContaining('T'), step: 'begin' }];
  const open = { state: 'OPEN', calls: 1, is_as_old: true, steps: begin };
  expect(await run(db, effects, [])).toEqual([{ id: 'TOPUP-OPEN', ...open }]);

  const looked: string[] = [];
  const drain = followUp({ db, pool }, async ({ rrn }) => {
    looked.push(rrn);
    return done({ ...MOVEMENT, status: 'COMPLETED' });
  });
  // The sweep finds effects without a job, and the job looks them up.
  await drain();
  expect(looked).toEqual(['100000000000']);
  const state = 'select state from card_transactions where reference_id = $1';
  expect(await run(db, state, ['TOPUP-OPEN'])).toEqual([{ state: 'SETTLED' }]);
  const posted = 'select posted from ledger.accounts where account_id = $1';
  expect(await run(db, posted, [account])).toEqual([{ posted: 970n }]);
  expect((await verifyLedger(db)).broken).toEqual([]);
});

const MOVEMENT = {
  transactionIdentifier: '381228649430015',
  approvalCode: '20304B',
  transmittedAt: '2026-03-31T23:30:00',
};

/** A process of this version resumes the open work; `find` is the card network's answer. */
function followUp({ db, pool }: Pick<Old, 'db' | 'pool'>, find: CardNetwork['find']) {
  const config = loadConfig({ NODE_ENV: 'test', MOCK_MODE: 'false' });
  const [clock, log] = [createClock(), createLog('silent')];
  const jobs = createJobs({ pool, clock, log });
  ends.push(() => jobs.stop(0));
  const effects = createEffects({ db, jobs, clock, log });
  const sagas = createSagas({ db, jobs, effects, clock, log });
  const vault = createVault(`1:${randomBytes(32).toString('base64')}`);
  const network = { ...offlineNetwork(clock), find };
  const { effect } = createCardTransactions({
    quotas: createQuotas({ clock, log, config }),
    prices: readPriceList(config),
    policies: createPolicyDecisions({ db, clock, log, vault, metrics: createMetrics() }),
    fx: exchangeRates({ url: () => 'http://127.0.0.1:9', clock }),
    db,
    config,
    clock,
    log,
    effects,
    sagas,
    vault,
    network,
  });
  effects.register([effect]);
  return async () => {
    await jobs.drain();
    clock.advance(61_000);
    await jobs.advance(61_000);
    await jobs.drain();
  };
}
