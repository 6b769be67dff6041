import { afterAll, expect, test } from 'vitest';
import { type OpenDatabase, openDatabase, run } from '#kernel/db/db.ts';
import { migrate } from '#kernel/db/migrate.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { hold, type Leg, transfer } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { emptyDatabase, migrateBefore } from './database.ts';

const database = await emptyDatabase();
const open: OpenDatabase = openDatabase(database.url);
const { db } = open;
afterAll(async () => {
  await open.close();
  await database.close();
});

const client = (client_id: number, client_code: string, fields: string[] = []) =>
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

/** Somebody whom an admin has approved. */
async function approved(client_id: number, role: string): Promise<void> {
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

test('what an earlier version has written says afterwards what this one would have', async () => {
  await migrateBefore(database.url, '_service_time_and_kept_sums.sql');
  // The first start's, which were made in March 2026, like one that had its code by itself.
  await client(1, 'CL-202601-0001', ['APPROVED']);
  await client(2, 'CL-202601-0002', ['APPROVED']);
  await client(3, 'CL-202603-0007');
  await client(4, 'CL-202603-0008', ['PENDING', 'APPROVED']);
  await client(5, 'CL-202603-0009', ['PENDING', 'REJECTED']);
  await client(6, 'CL-202603-0010');
  for (const [client_id, role] of [
    [3, 'user'],
    [5, 'admin'],
    [6, 'admin'],
  ] as const)
    await approved(client_id, role);
  const house = await openAccount(db, houseAccount('world', 'SGD'));
  const wallet = await openAccount(db, { owner: 'user:1', purpose: 'wallet', asset: 'SGD' });
  const post = (key: string, legs: Leg[]) => postWithin(db, { key, kind: 'test', legs });
  await post('in', transfer(house, wallet, 100n));
  await post('aside', hold(wallet, 10n));
  await post('out', transfer(wallet, house, 30n));

  await migrate(database.url);

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
  const kept = `select moves, volume from ledger.accounts where account_id = $1`;
  expect(await run(db, kept, [wallet])).toEqual([{ moves: 2, volume: 130n }]);
  await post('again', transfer(house, wallet, 5n));
  expect(await run(db, kept, [wallet])).toEqual([{ moves: 3, volume: 135n }]);
  expect((await verifyLedger(db)).broken).toEqual([]);
});
