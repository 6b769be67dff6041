// Long: a database of older versions is migrated.

import { randomBytes } from 'node:crypto';
import { keccak256, parseEther } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { makeKey, sealKey } from '#features/chain-wallets/crypto-wallets/custody.ts';
import { type Db, run } from '#kernel/db/db.ts';
import { migrate } from '#kernel/db/migrate.ts';
import { createVault } from '#kernel/secrets/vault.ts';
import { type Harness, harness } from '#test/harness.ts';
import { databaseBefore } from '#test/old-database.ts';
import { installPgBoss } from '#test/pg-boss.ts';
import { fund, heldOf } from '#test/wallets.ts';

const MASTER_KEY = `1:${randomBytes(32).toString('base64')}`;
const OPERATION = '8c278524-7633-4153-8f49-b86440da256b';
const PAYEE = '0x000000000000000000000000000000000000bEEF';
const TREASURY = '0x000000000000000000000000000000000000fee5';
const SEPOLIA = 11_155_111;
const SENT = parseEther('0.02');

/** What the version before effects has written when it dies between its signature and the node. */
async function signedAndNotSent(db: Db): Promise<{ address: string; hash: string }> {
  const key = await makeKey();
  const account = privateKeyToAccount(key.privateKey);
  const gasPrice = parseEther('2', 'gwei');
  const what = { chainId: SEPOLIA, nonce: 0, gas: 21_000n, gasPrice, type: 'legacy' } as const;
  const raw = await account.signTransaction({ ...what, to: PAYEE, value: SENT });
  const sealed = sealKey(createVault(MASTER_KEY), 7, key);
  const rows: readonly [string, unknown[]][] = [
    [
      `insert into clients (client_id, client_code, email, client_alias, client_type, country_code,
         phone) values (3, 'CL-202601-0003', 'c@example.test', 'c', 'BUSINESS', 'SG', '+651')`,
      [],
    ],
    [`insert into users (client_id, username, email) values (3, 'u', 'u@example.test')`, []],
    [`insert into crypto_wallets (user_id, wallet_name, wallet_label) values (1, 'w', 'w')`, []],
    [
      `insert into wallet_addresses (address_id, bw_id, chain_id, wallet_address, sealed_mnemonic,
         sealed_key) values (7, 1, 'sepolia', $1, $2, $3)`,
      [key.address, sealed.sealed_mnemonic, sealed.sealed_key],
    ],
    [
      `insert into onchain_sends (operation, user_id, client_id, address_id, bw_id, wallet_name,
         wallet_label, wallet_address, chain_id, token_symbol, token_contract, destination, units,
         fee_units, treasury, gas_points)
       values ($1, 1, 3, 7, 1, 'w', 'w', $2, 'sepolia', 'ETH', 'native', $3, $4, 100, $5, 12000)`,
      [OPERATION, key.address, PAYEE, SENT, TREASURY],
    ],
    [
      `insert into wallet_holds (reference, chain_id, wallet_address, address_id, token_contract,
         units, gas)
       select name || $1, 'sepolia', $2, 7, 'native', units, 42000000000000
       from (values ('onchain:', $3::numeric), ('onchain-fee:', 100)) as held (name, units)`,
      [OPERATION, key.address, SENT],
    ],
    [
      'insert into chain_lanes (chain_id, address, next_nonce) values ($1, $2, 1)',
      [SEPOLIA, key.address],
    ],
    [
      `insert into chain_transactions (chain_id, from_address, nonce, hash, raw, gas_price, purpose,
         reference)
       select $1, $2, 0, $3, $4, $5, 'onchain send', 'onchain:' || $6`,
      [SEPOLIA, key.address, keccak256(raw), raw, gasPrice, OPERATION],
    ],
  ];
  for (const [statement, values] of rows) await run(db, statement, values);
  return { address: key.address, hash: keccak256(raw) };
}

const old = await databaseBefore('_effects.sql');
await installPgBoss(old.url);
const { address, hash } = await signedAndNotSent(old.db);
await migrate(old.url);
const h = await harness({
  database: { url: old.url, close: async () => undefined },
  masterKey: MASTER_KEY,
});

async function ask(h: Harness, method: string, ...params: unknown[]): Promise<string> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'content-type': 'application/json' };
  const reply = await fetch(await h.app.evm.chains.sepolia.url(), {
    method: 'POST',
    headers,
    body,
  });
  return ((await reply.json()) as { result: string }).result;
}

test('a send that an earlier version signed and never sent happens once, with its fee', async () => {
  await fund(h, 'sepolia', address, 'native', '1');

  const state = async () => {
    await h.advance(180);
    await h.drain();
    const [row] = await run<{ status: string; fee_status: string }>(
      h.db,
      'select status, fee_status from onchain_sends',
      [],
    );
    return row;
  };
  await expect.poll(state).toEqual({ status: 'CONFIRMED', fee_status: 'PAID' });

  expect(BigInt(await ask(h, 'eth_getBalance', PAYEE, 'latest'))).toBe(SENT);
  expect(BigInt(await ask(h, 'eth_getBalance', TREASURY, 'latest'))).toBe(100n);
  expect(Number(await ask(h, 'eth_getTransactionCount', address, 'latest'))).toBe(2);
  const [row] = await run<object>(
    h.db,
    `select t.hash, t.is_filler, x.tx_hash, x.status
     from chain_transactions t, onchain_transactions x where t.reference = $1`,
    [`onchain:${OPERATION}`],
  );
  expect(row).toEqual({ hash, is_filler: false, tx_hash: hash, status: 'CONFIRMED' });
  expect(await heldOf(h, address)).toEqual([]);
});
