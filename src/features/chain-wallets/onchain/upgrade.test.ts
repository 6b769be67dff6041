import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { openDatabase, run } from '#kernel/db/db.ts';
import { migrate } from '#kernel/db/migrate.ts';
import { emptyDatabase, migrateBefore } from '#test/database.ts';
import { installPgBoss } from '#test/pg-boss.ts';

const database = await emptyDatabase();
const { db, close } = openDatabase(database.url);
afterAll(async () => {
  await close();
  await database.close();
});

const OWNER = '0x52908400098527886E0F7030069857D2E4169EE7';
const HASH = `0x${'a'.repeat(64)}`;

/** Somebody with a wallet, as an earlier version has stored them. */
async function walletOwner(): Promise<{ user_id: number; address_id: number }> {
  const [made] = await run<{ user_id: number; address_id: number }>(
    db,
    `with client as (
       insert into clients (client_id, client_code, email, client_alias, client_type, country_code,
         phone) values (1, 'CL-202603-0001', 'c@example.test', 'x', 'BUSINESS', 'SG', '+651')
     ), person as (
       insert into users (client_id, username, email, role)
       values (1, 'ada', 'ada@example.test', 'user') returning user_id
     ), wallet as (
       insert into crypto_wallets (user_id, wallet_name, wallet_label)
       select user_id, 'w', 'w' from person returning bw_id, user_id
     )
     insert into wallet_addresses (bw_id, chain_id, wallet_address, sealed_mnemonic, sealed_key)
     select bw_id, 'amoy', $1, 's', 's' from wallet
     returning address_id, (select user_id from wallet)`,
    [OWNER],
  );
  if (made === undefined) throw new Error('Nobody has a wallet');
  return made;
}

const send = async (
  { user_id, address_id }: { user_id: number; address_id: number },
  fields: { status: string; fee_status: string; is_settled: boolean; keeps?: boolean },
): Promise<string> => {
  const operation = randomUUID();
  await run(
    db,
    `insert into onchain_sends (operation, user_id, client_id, address_id, bw_id, wallet_name,
       wallet_label, wallet_address, chain_id, token_symbol, token_contract, destination, units,
       fee_units, treasury, gas_points, status, fee_status, is_settled, created_at, updated_at)
     values ($1, $2, 1, $3, 1, 'w', 'w', $4, 'amoy', 'POL', 'native', $4, 5, 1, $4, 12000, $5, $6,
       $7, '2026-03-31T23:30:00Z', '2026-03-31T23:40:00Z')`,
    [
      ...[operation, user_id, fields.keeps === false ? null : address_id, OWNER],
      ...[fields.status, fields.fee_status, fields.is_settled],
    ],
  );
  return operation;
};

test('sends and fees that an earlier version has left open are followed up, and only those', async () => {
  await migrateBefore(database.url, '_spending.sql');
  await installPgBoss(database.url);
  const owner = await walletOwner();
  const [pending, due] = [
    await send(owner, { status: 'PENDING', fee_status: 'DUE', is_settled: false }),
    await send(owner, { status: 'CONFIRMED', fee_status: 'DUE', is_settled: true }),
  ];
  await send(owner, { status: 'CONFIRMED', fee_status: 'PAID', is_settled: true, keeps: false });
  const log_id = randomUUID();
  await run(
    db,
    `insert into crosschain_transfers (log_id, nonce, user_id, client_id, amount, units,
       platform_fee, token, from_chain, to_chain, recipient_address, passage, limit_day, status,
       burn_tx_hash, fee_status, created_at, updated_at)
     values ($1, 'n', $2, 1, '10', 10000000, 100000, 'USDC', 'amoy', 'neon', $3, 'BRIDGE',
       '2026-03-31', 'BURNED', $4, 'DUE', '2026-03-31T23:30:00Z', '2026-03-31T23:40:00Z')`,
    [log_id, owner.user_id, OWNER, HASH],
  );
  // What waits in a queue that nobody reads any more would wait for ever.
  for (const name of ['onchain.collect-fee', 'messages.deliver']) {
    await run(db, `select pgboss.create_queue($1, '{"policy":"short"}'::jsonb)`, [name]);
    await run(db, `insert into pgboss.job (name, data) values ($1, '{}')`, [name]);
  }

  await migrate(database.url);

  const effects = await run(
    db,
    `select kind, id, state, calls, opened_at from effects
     where kind = 'onchain-send' or kind like 'platform-fee.%' order by kind`,
    [],
  );
  const open = { state: 'OPEN', calls: 1 };
  expect(effects).toEqual([
    { kind: 'onchain-send', id: pending, ...open, opened_at: '2026-03-31T23:30:00.000Z' },
    { kind: 'platform-fee.crosschain', id: log_id, ...open, opened_at: '2026-03-31T23:40:00.000Z' },
    { kind: 'platform-fee.onchain', id: due, ...open, opened_at: '2026-03-31T23:40:00.000Z' },
  ]);
  expect(await run(db, 'select name from jobs', [])).toEqual([{ name: 'messages.deliver' }]);
});
