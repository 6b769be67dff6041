import { afterAll, expect, test } from 'vitest';
import { openDatabase, run } from '#kernel/db/db.ts';
import { migrate } from '#kernel/db/migrate.ts';
import { emptyDatabase, migrateBefore } from '#test/database.ts';

const database = await emptyDatabase();
const { db, close } = openDatabase(database.url);
afterAll(async () => {
  await close();
  await database.close();
});

const ADDRESS = `0x${'aB'.repeat(20)}`;
const OTHER = `0x${'Cd'.repeat(20)}`;
const HASH = `0x${'ab'.repeat(32)}`;
const OPERATION = '00000000-0000-4000-8000-000000000001';

/** A wallet with a token, and a send and a transfer of it, as an earlier version wrote them. */
const EARLIER = [
  `insert into clients (client_id, client_code, email, client_alias, client_type, country_code, phone)
   values (3, 'CL-202601-0003', 'c@example.test', 'c', 'BUSINESS', 'SG', '+651')`,
  `insert into users (client_id, username, email) values (3, 'u', 'u@example.test')`,
  `insert into crypto_wallets (user_id, wallet_name, wallet_label) values (1, 'w', 'w')`,
  `insert into wallet_addresses (address_id, bw_id, chain_id, wallet_address, sealed_mnemonic, sealed_key)
   values (7, 1, 'amoy', '${ADDRESS}', 's', 's')`,
  `insert into wallet_assets (address_id, contract_address, symbol, name, decimals)
   values (7, '${OTHER}', 'T', 'T', 6)`,
  `insert into onchain_sends (operation, user_id, client_id, address_id, bw_id, wallet_name,
     wallet_label, wallet_address, chain_id, token_symbol, token_contract, destination, units,
     fee_units, treasury, gas_points)
   values ('${OPERATION}', 1, 3, 7, 1, 'w', 'w', '${ADDRESS}', 'amoy', 'POL', 'native', '${OTHER}', 5,
     1, '${OTHER}', 12000)`,
  `insert into wallet_holds (reference, chain_id, wallet_address, address_id, token_contract, units, gas)
   values ('onchain:${OPERATION}', 'amoy', '${ADDRESS}', 7, 'native', 5, 1)`,
  `insert into onchain_transactions (user_id, client_id, bw_id, wallet_name, wallet_label, amount,
     tx_hash, destination_wallet, token_symbol, chain_id, token_contract, gas_fee, platform_fee,
     operation, created_at, updated_at)
   values (1, 3, 1, 'w', 'w', '5', '${HASH}', '${OTHER}', 'POL', 'amoy', 'native', '0', '1',
     '${OPERATION}', now(), now())`,
  `insert into crosschain_transfers (log_id, nonce, user_id, client_id, amount, units, platform_fee,
     token, from_chain, to_chain, recipient_address, passage, limit_day, status, burn_tx_hash,
     burn_proof, burn_from, created_at, updated_at)
   values ('${OPERATION}', 'n', 1, 3, '1', 1000000, 100000, 'USDC', 'amoy', 'neon', '${OTHER}', 'BRIDGE',
     '2026-01-01', 'BURNED', '${HASH}', 'CHAIN', '${ADDRESS}', now(), now())`,
  `insert into chain_lanes (chain_id, address, next_nonce) values (80002, '${ADDRESS}', 1)`,
];

test('what was on chains before they were rows is on the same ones, and goes on', async () => {
  await migrateBefore(database.url, '_chains_and_addresses.sql');
  for (const statement of EARLIER) await run(db, statement, []);

  await migrate(database.url);

  expect(await run(db, 'select chain_id, contract_address from wallet_assets', [])).toEqual([
    { chain_id: 'amoy', contract_address: OTHER },
  ]);
  const [placed] = await run<object>(
    db,
    `select s.chain_id as send, h.chain_id as hold, t.chain_id as log, x.from_chain, x.to_chain
     from onchain_sends s, wallet_holds h, onchain_transactions t, crosschain_transfers x`,
    [],
  );
  expect(placed).toEqual({
    send: 'amoy',
    hold: 'amoy',
    log: 'amoy',
    from_chain: 'amoy',
    to_chain: 'neon',
  });
  for (const change of [
    `update crosschain_transfers set status = 'MINTED', mint_tx_hash = '${HASH}'`,
    `update onchain_transactions set tx_hash = '0x${'cd'.repeat(32)}'`,
    `update wallet_holds set released_at = now(), address_id = null`,
    `update onchain_sends set status = 'CONFIRMED', is_settled = true, fee_status = 'PAID',
       fee_tx_hash = '${HASH}', address_id = null`,
    'delete from crypto_wallets',
  ])
    await run(db, change, []);
  expect(await run(db, 'select from wallet_assets', [])).toEqual([]);
});

test('every column that names a chain refers to one, and no check lists them', async () => {
  const free = await run(
    db,
    `select c.table_name, c.column_name from information_schema.columns c
     where c.table_schema = 'public' and c.table_name <> 'chains' and c.data_type = 'text'
       -- A wallet is also proven on chains that are no rows.
       and c.table_name not in ('wallet_challenges', 'proven_wallets')
       and c.column_name in ('chain_id', 'from_chain', 'to_chain')
       and not exists (
         select from pg_constraint f join pg_attribute a on a.attrelid = f.conrelid
         where f.contype = 'f' and f.conrelid = format('public.%I', c.table_name)::regclass
           and a.attnum = any(f.conkey) and a.attname = c.column_name)`,
    [],
  );
  const lists = await run(
    db,
    `select conname from pg_constraint
     where contype = 'c' and pg_get_constraintdef(oid) ~ 'sepolia|amoy|neon'`,
    [],
  );
  expect([free, lists]).toEqual([[], []]);
});
