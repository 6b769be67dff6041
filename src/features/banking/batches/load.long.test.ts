// Long: it pays two thousand rows, and with LOAD_ROWS=10000 as many as a batch may have.

import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { newSecrets } from '#src/app/start/secrets-file.ts';
import { batchMaker } from '#test/batches.ts';
import { startChild } from '#test/child.ts';
import { type Body, harness } from '#test/harness.ts';
import { logInAgain } from '#test/log-in-again.ts';

const { MASTER_KEY, JWT_SECRET } = newSecrets();
const h = await harness({ masterKey: MASTER_KEY, jwtSecret: JWT_SECRET });
await h.drain();

const ROWS = Number(process.env['LOAD_ROWS'] ?? 2000);
const LANES = '5';
/** In cents: an amount and its fee. */
const COST = 51;

/** Another process of the service, on the same database. */
const worker = () =>
  startChild('app-child.ts', {
    databaseUrl: h.kernel.pool.options.connectionString ?? '',
    secrets: {
      MASTER_KEY,
      JWT_SECRET,
      EVM_MNEMONIC: 'test test test test test test test test test test test junk',
    },
    aheadMs: h.clock.offsetMs,
    settings: {
      NODE_ENV: 'test',
      HOST: '127.0.0.1',
      PORT: '0',
      ROLE: 'all',
      SANDBOX_PORT: new URL(h.app.sandboxUrl()).port,
      SANDBOX_SMTP_PORT: '0',
      RATE_LIMITS: 'off',
      MOCK_MODE: 'true',
      BATCH_LANES: LANES,
      DATA_DIR: h.dataDir,
    },
  });

async function paid(): Promise<number> {
  const text = `select count(*)::integer as n from batch_items where status = 'COMPLETED'`;
  return (await run<{ n: number }>(h.db, text, []))[0]?.n ?? 0;
}

async function draftOf(user: Awaited<ReturnType<typeof batchMaker>>): Promise<Body> {
  const rows = Array.from(
    { length: ROWS },
    (_, n) => `Payee ${n},bank,US,USD,021000021,${100_000_000 + n},0.01,load-${n}\n`,
  );
  const head = 'name,kind,country,currency,bank_code,account_number,amount,reference\n';
  const url = `${h.app.apiUrl()}/batches?source_wallet_id=${user.wallet_id}&name=Load`;
  const reply = await fetch(url, {
    method: 'POST',
    headers: {
      'x-api-key': h.key,
      authorization: `Bearer ${user.as.token}`,
      'content-type': 'text/csv',
    },
    body: head + rows.join(''),
  });
  const { data } = (await reply.json()) as Body;
  expect([reply.status, data]).toMatchObject([201, { count: ROWS, errors: [] }]);
  return data;
}

test('each row of a large table is paid once, although a process is killed in the middle', async () => {
  const user = await batchMaker(h, 'USD', BigInt(2 * ROWS * COST));
  const [, { data: submitted }] = await user.submit(await draftOf(user));
  expect((await user.approve(submitted))[0]).toBe(200);
  const child = await worker();
  await expect.poll(paid, { timeout: 300_000, interval: 50 }).toBeGreaterThan(ROWS / 10);
  await child.end('SIGKILL');
  for (let tries = 0; tries < 20 && (await paid()) < ROWS; tries += 1) {
    await h.advance(300);
    await h.drain();
  }
  await logInAgain(h, user.as);
  expect(await user.read(submitted.batch_id)).toMatchObject({
    status: 'COMPLETED',
    completed_count: ROWS,
  });
  const left = (ROWS * COST) / 100;
  expect(await user.balance()).toEqual({ balance: left.toFixed(2), held: '0.00' });
  const open = `select reference from payouts where payer = 'batches' and state <> 'PAID'`;
  expect(await run(h.db, open, [])).toEqual([]);
  expect((await verifyLedger(h.db)).broken).toEqual([]);
}, 900_000);
