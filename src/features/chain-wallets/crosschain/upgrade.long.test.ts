// Long: a database of older versions is migrated.

import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, expect, it } from 'vitest';
import { createClock } from '#kernel/clock.ts';
import { loadConfig } from '#kernel/config/config.ts';
import { type Db, run } from '#kernel/db/db.ts';
import { migrate } from '#kernel/db/migrate.ts';
import { createEffects } from '#kernel/effects/effects.ts';
import { createJobs } from '#kernel/jobs/jobs.ts';
import { createLog } from '#kernel/log.ts';
import { createQuotas } from '#kernel/quota/quota.ts';
import { createVault } from '#kernel/secrets/vault.ts';
import { cctp } from '#providers/cctp/adapter.ts';
import { someHash } from '#test/crosschain.ts';
import { testNetwork } from '#test/evm.ts';
import { databaseBefore, type OldDatabase } from '#test/old-database.ts';
import { crosschainDeps } from './crosschain.ts';

const ends: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

/** A transfer as an earlier version has stored it; answers its `log_id`. */
async function transfer(db: Db, fields: object): Promise<string> {
  const log_id = randomUUID();
  const row = {
    log_id,
    nonce: log_id,
    client_id: 1,
    amount: '10',
    units: 10_000_000,
    token: 'USDC',
    platform_fee: 100_000,
    from_chain: 'sepolia',
    to_chain: 'amoy',
    passage: 'BRIDGE',
    recipient_address: `0x${'1'.repeat(40)}`,
    limit_day: '2026-03-31',
    status: 'INITIATED',
    burn_attempt: 1,
    mint_attempt: 1,
    is_sponsored: false,
    fee_status: 'NONE',
    created_at: '2026-03-31T23:30:00Z',
    updated_at: '2026-03-31T23:30:00Z',
    ...fields,
  };
  const columns = Object.keys(row).join(', ');
  await run(
    db,
    `insert into crosschain_transfers (user_id, ${columns})
     select u.user_id, ${columns.replaceAll(/\w+/g, 'r.$&')}
     from users u, jsonb_populate_record(null::crosschain_transfers, $1) r`,
    [JSON.stringify(row)],
  );
  return log_id;
}

async function person(db: Db): Promise<void> {
  await run(
    db,
    `insert into clients (client_id, client_code, email, client_alias, client_type, country_code,
       phone, ekyc_status, ekyb_status)
     values (1, 'CL-202603-0001', 'x@example.test', 'x', 'BUSINESS', 'SG', '+651', 'PENDING',
       'PENDING')`,
    [],
  );
  await run(
    db,
    `insert into users (client_id, username, email, role) values (1, 'ada', 'ada@example.test', 'user')`,
    [],
  );
}

/** What a process of this version does with what it finds. */
async function followUp({ db, pool }: OldDatabase): Promise<() => Promise<void>> {
  const outside = await testNetwork({ db });
  ends.push(() => outside.close());
  const { network: evm } = outside;
  const [clock, log] = [createClock(), createLog('silent')];
  const jobs = createJobs({ pool, clock, log });
  ends.push(() => jobs.stop(0));
  const deps = crosschainDeps({
    db,
    clock,
    log,
    jobs,
    evm,
    config: loadConfig({ NODE_ENV: 'test' }),
    effects: createEffects({ db, jobs, clock, log }),
    vault: createVault(`1:${randomBytes(32).toString('base64')}`),
    quotas: createQuotas({ clock, log, config: loadConfig({ NODE_ENV: 'test' }) }),
    cctp: cctp({ url: () => '', chains: {}, relayer: () => evm.keys.relayer.address }),
    signersOf: async () => [],
  });
  deps.effects.register([deps.burns, deps.mints, deps.fees]);
  return async () => {
    await jobs.drain();
    clock.advance(61_000);
    await jobs.advance(61_000);
    await jobs.drain();
  };
}

it('burns and mints that an earlier version has begun are followed up, and only those', async () => {
  const old = await databaseBefore('_burns_and_mints_as_effects.sql');
  const { db } = old;
  await person(db);
  const burning = { lease: randomUUID(), lease_until: '2026-03-31T23:40:00Z', burn_attempt: 2 };
  const burnt = { status: 'BURNED', burn_mode: 'confirm', burn_proof: 'WORD' };
  const began = { mint_started_at: '2026-03-31T23:35:00Z', mint_operation: randomUUID() };
  const burns = await transfer(db, burning);
  const mints = await transfer(db, { ...burnt, ...began, burn_tx_hash: someHash() });
  const free = await transfer(db, {});
  const waits = await transfer(db, { ...burnt, burn_tx_hash: someHash() });

  await migrate(old.url);

  const open = `select kind, id, opened_at, calls from effects where state = 'OPEN' order by kind`;
  expect(await run(db, open, [])).toEqual([
    { kind: 'burn', id: `${burns}:2`, opened_at: '2026-03-31T23:38:00.000Z', calls: 1 },
    { kind: 'mint', id: `${mints}:1`, opened_at: '2026-03-31T23:35:00.000Z', calls: 1 },
  ]);

  const drain = await followUp(old);
  // The sweep finds what has no job; nothing was sent of the burn, and the mint is made now.
  await drain();
  expect(await run(db, open, [])).toEqual([]);
  const stands = 'select log_id, status, burn_attempt from crosschain_transfers order by serial';
  expect(await run(db, stands, [])).toEqual([
    { log_id: burns, status: 'INITIATED', burn_attempt: 2 },
    { log_id: mints, status: 'MINTED', burn_attempt: 1 },
    { log_id: free, status: 'INITIATED', burn_attempt: 1 },
    { log_id: waits, status: 'BURNED', burn_attempt: 1 },
  ]);
});
