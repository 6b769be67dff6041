import { afterAll, describe, expect, test } from 'vitest';
import { type Db, openDatabase, run } from '#kernel/db/db.ts';
import { isAsset, setAssets } from '#kernel/money/money.ts';
import { testDatabase } from '#test/database.ts';
import { adoptChains } from './adopt-chains.ts';
import { CHAIN_KEYS, CHAINS, CONTRACT_CHAINS, isChainKey, sendableAssets } from './chains.ts';

const database = await testDatabase();
const { db, close } = openDatabase(database.url);
afterAll(async () => {
  await close();
  await database.close();
});

const chainRow = (chain_id: string, coin: string, family = 'evm') =>
  run(
    db,
    `insert into chains (chain_id, family, evm_chain_id, name, network, coin, explorer_url)
     values ($1, $3, case $3 when 'evm' then 424242 end, $1, $1, $2, 'https://explorer.example')`,
    [chain_id, coin, family],
  );

describe('the process', () => {
  test('knows without a database what the migrations write down', async () => {
    await adoptChains(db);
    expect(CHAIN_KEYS.map((key) => CHAINS[key])).toEqual(CONTRACT_CHAINS);
    expect(CHAIN_KEYS).toEqual(['sepolia', 'amoy', 'neon']);
    expect(sendableAssets()).toEqual(['ETH', 'POL', 'NEON', 'USDC']);
  });

  test('does not start with a chain whose coin is not counted in wei', async () => {
    await chainRow('odd', 'XRP');
    await expect(adoptChains(db)).rejects.toThrow('coin of chain odd, XRP, needs 18 decimals');
    expect(isChainKey('odd')).toBe(false);
  });

  test('does not start where the ledger counts an asset in other units', () => {
    const other = [{ asset: 'USDC', scale: 18 }];
    expect(() => setAssets(other)).toThrow('USDC has 6 decimals here, and 18 in the ledger');
    setAssets([{ asset: 'NEW', scale: 9 }]);
    expect(['NEW', 'USDC', 'NEWER'].filter(isAsset)).toEqual(['NEW', 'USDC']);
    setAssets([]);
    expect(isAsset('NEW')).toBe(false);
  });
});

const ADDRESS = `0x${'aB'.repeat(20)}`;
const HASH = `0x${'ab'.repeat(32)}`;

/** A chain of another family, where an address has another form. */
async function otherFamily(): Promise<void> {
  await run(
    db,
    `insert into chain_families (family, address, token, transaction)
     values ('other', '^addr1[0-9a-z]+$', '^(native|[0-9a-f]{56})$', '^[0-9a-f]{64}$')`,
    [],
  );
  await chainRow('preprod', 'ADA', 'other');
}

const holdOn = (chain_id: string, wallet_address: string, token_contract = 'native') =>
  run(
    db,
    `insert into wallet_holds
       (reference, chain_id, wallet_address, token_contract, units, gas, released_at)
     values (gen_random_uuid()::text, $1, $2, $3, 1, 1, now())`,
    [chain_id, wallet_address, token_contract],
  );

describe('what is written on a chain', () => {
  test('is written as its family writes it, and not as another one does', async () => {
    await otherFamily();
    await holdOn('amoy', ADDRESS, ADDRESS);
    await holdOn('preprod', 'addr1qx', 'ab'.repeat(28));
    for (const [chain, address, token] of [
      ['amoy', 'addr1qx', 'native'],
      ['amoy', `${ADDRESS}0`, 'native'],
      ['amoy', ADDRESS, 'coin'],
      ['preprod', ADDRESS, 'native'],
      ['preprod', 'addr1qx', ADDRESS],
    ] as const)
      await expect(holdOn(chain, address, token), `${chain} ${address} ${token}`)
        .rejects //
        .toMatchObject({ code: '23514', constraint: 'wallet_holds_form' });
  });

  test('is on a chain that there is', async () => {
    await expect(holdOn('nowhere', ADDRESS)).rejects.toMatchObject({
      constraint: 'wallet_holds_chain',
    });
    await expect(
      run(db, 'insert into chain_nonces (chain_id, address, next_nonce) values (1, $1, 0)', [
        ADDRESS,
      ]),
    ).rejects.toMatchObject({ constraint: 'chain_nonces_chain' });
  });

  test('keeps to its form in every column that holds an address, a token or a hash', async () => {
    const user_id = await someUser(db);
    const columns = {
      user_id,
      client_id: 3,
      amount: '1',
      status: 'CONFIRMED',
      chain_id: 'amoy',
      bw_id: 1,
      wallet_name: 'w',
      wallet_label: 'w',
      gas_fee: '0',
      platform_fee: '0',
      token_symbol: 'POL',
      token_contract: 'native',
      destination_wallet: ADDRESS,
      tx_hash: HASH,
      created_at: '2026-01-01',
      updated_at: '2026-01-01',
    };
    const insert = (over: object) =>
      run(
        db,
        `insert into onchain_transactions (${Object.keys(columns).join(', ')})
         select ${Object.keys(columns).join(', ')}
         from jsonb_populate_record(null::onchain_transactions, $1::jsonb)`,
        [JSON.stringify({ ...columns, ...over })],
      );
    await insert({});
    for (const over of [
      { tx_hash: HASH.toUpperCase() },
      { destination_wallet: 'native' },
      { token_contract: '0x12' },
    ])
      await expect(insert(over), JSON.stringify(over)).rejects.toMatchObject({
        constraint: 'onchain_transactions_form',
      });
    await expect(
      run(db, `update onchain_transactions set tx_hash = '0x12'`, []),
    ).rejects.toMatchObject({ constraint: 'onchain_transactions_form' });
  });
});

async function someUser(on: Db): Promise<number> {
  await run(
    on,
    `insert into clients (client_id, client_code, email, client_alias, client_type, country_code,
       phone) values (3, 'CL-202601-0003', 'c@example.test', 'c', 'BUSINESS', 'SG', '+651')`,
    [],
  );
  const [user] = await run<{ user_id: number }>(
    on,
    `insert into users (client_id, username, email) values (3, 'u', 'u@example.test')
     returning user_id`,
    [],
  );
  return user?.user_id ?? 0;
}
