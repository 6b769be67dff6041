// Long: a process is killed.

import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { orphanHolds } from '#kernel/ledger/holds.ts';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { HOLD_OWNERS } from '#src/app/hold-owners.ts';
import { newSecrets } from '#src/app/start/secrets-file.ts';
import { GOOD } from '#test/cards.ts';
import { checkoutCards } from '#test/checkout-cards.ts';
import { startChild } from '#test/child.ts';
import { harness } from '#test/harness.ts';

/** kill -9 between the page of an invoice and the booking of what a card has paid there. */
const secrets = newSecrets();
const h = await harness({
  mock: false,
  masterKey: secrets.MASTER_KEY,
  jwtSecret: secrets.JWT_SECRET,
  config: { JWT_TTL: '10000000' },
});
await h.drain();
const cards = checkoutCards(h);

const takenByNetwork = async (): Promise<number> => {
  const [row] = await run<{ taken: number }>(
    h.db,
    `select count(*)::integer as taken from sandbox.records
     where provider = 'card-network' and kind = 'transaction' and data ->> 'kind' = 'pull'`,
    [],
  );
  return row?.taken ?? 0;
};

test('a card pays once, also where the process is killed before it hears of it', async () => {
  const merchant = await h.user();
  const { page, read, wallet } = await cards.asked(merchant);
  const worker = await startChild('app-child.ts', {
    databaseUrl: h.kernel.pool.options.connectionString ?? '',
    secrets,
    aheadMs: h.clock.offsetMs,
    settings: {
      NODE_ENV: 'test',
      ROLE: 'api',
      HOST: '127.0.0.1',
      PORT: '0',
      SANDBOX_PORT: new URL(h.app.sandboxUrl()).port,
      SANDBOX_SMTP_PORT: '0',
      MOCK_MODE: 'false',
      DATA_DIR: h.dataDir,
    },
  });
  const before = await takenByNetwork();
  await h.sandbox('POST', '/faults', { provider: 'card-network', kind: 'slow-body', ms: 30_000 });
  const lost = page.cardAt(worker.said, GOOD).catch(() => 'gone');
  await expect.poll(takenByNetwork).toBe(before + 1);
  await worker.end('SIGKILL');
  expect(await lost).toBe('gone');
  expect((await read()).status).toBe('PROCESSING');
  expect(await page.text()).toContain('Your payment is being checked');
  await cards.found();
  expect(await read()).toMatchObject({ status: 'PAID', payments: [{ status: 'SUCCEEDED' }] });
  expect(await takenByNetwork()).toBe(before + 1);
  expect(await wallet()).toEqual([20_00n, 0n]);
  expect((await verifyLedger(h.db)).broken).toEqual([]);
  expect(await orphanHolds(h.db, HOLD_OWNERS)).toEqual([]);
  expect(await cards.agrees()).toBe(true);
});
