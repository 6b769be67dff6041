import { afterEach, expect, test } from 'vitest';
import { appProcess } from '#test/app-process.ts';
import { killWhereItHangs } from '#test/child.ts';
import {
  arrive,
  type Converting,
  converting,
  doneThere,
  saveAddress,
  strayAtExchange,
  TRON_ADDRESS,
  wrongBooks,
} from '#test/conversions.ts';
import type { Orders } from '#test/conversions-child.ts';
import { harness } from '#test/harness.ts';
import { logInAgain } from '#test/log-in-again.ts';
import { unlessRefused } from '#test/sandbox-controls.ts';

const secrets = {
  MASTER_KEY: `1:${Buffer.alloc(32, 7).toString('base64')}`,
  JWT_SECRET: 'a secret that only this file knows, and nobody else',
  EVM_MNEMONIC: 'test test test test test test test test test test test junk',
};
const h = await harness({
  mock: false,
  masterKey: secrets.MASTER_KEY,
  jwtSecret: secrets.JWT_SECRET,
  config: { JWT_TTL: '100000000' },
});
await h.drain();
const operator = await h.operator();
const databaseUrl = h.kernel.pool.options.connectionString ?? '';
afterEach(async () => expect(await wrongBooks(h)).toEqual([]));

const act = (path: string) => h.call(`POST /exchange/conversion/${path}`, { as: operator });
const jobOf = ({ as }: Converting) =>
  h.db
    .selectFrom('conversion_jobs')
    .selectAll()
    .where('user_id', '=', as.user_id)
    .executeTakeFirstOrThrow();

/** Drives a new user's job up to that call, and leaves the call to the next process. */
async function upTo(kind: Orders['kind']): Promise<{ user: Converting; id: string }> {
  const user = await converting(h, { rupiah: '200000' });
  await act('run-daily');
  const { job_id, reference_id } = await jobOf(user);
  if (kind === 'conversion-payout') return { user, id: `${job_id}` };
  await h.drain();
  await arrive(h, reference_id);
  await act('poll-balance');
  if (kind === 'conversion-withdrawal') {
    const [, { data }] = await h.call('GET /exchange/crypto-wallet/primary', { as: user.as });
    const body = { bw_id: data.bw_id };
    await h.call('POST /exchange/crypto-wallet/delete', { as: user.as, body });
    await act('run-trades');
    await h.drain();
    await saveAddress(h, user.as, 'TRC20', TRON_ADDRESS);
  }
  await act('run-trades');
  const table =
    kind === 'conversion-order'
      ? ('conversion_orders' as const)
      : ('conversion_withdrawals' as const);
  const { reference } = await h.db
    .selectFrom(table)
    .select('reference')
    .where('job_id', '=', job_id)
    .where('state', '=', 'OPEN')
    .executeTakeFirstOrThrow();
  return { user, id: reference };
}

const kinds = ['conversion-payout', 'conversion-order', 'conversion-withdrawal'] as const;
const places = ['stored', 'answered', 'booked'] as const;
const cases = kinds.flatMap((kind) => places.map((hangs) => [kind, hangs] as const));

test.each(cases)('%s of a process killed when %s is done once', async (kind, hangs) => {
  const { user, id } = await upTo(kind);
  const { offsetMs: aheadMs } = h.clock;
  const orders = { databaseUrl, sandboxUrl: h.app.sandboxUrl(), kind, id, hangs, aheadMs };
  await killWhereItHangs('conversions-child.ts', orders);
  const { job_id, reference_id } = await jobOf(user);
  // What was never seen at the exchange is given up after ten minutes, and tried again after five.
  for (let quarter = 0; quarter < 6; quarter += 1) {
    await h.advance(900);
    await h.drain();
    await unlessRefused(arrive(h, reference_id));
    await act('poll-balance');
    await act('run-trades');
    await h.drain();
    if ((await user.status(job_id)).status === 'COMPLETED') break;
  }
  await h.advance(900);
  await h.drain();
  expect(await user.status(job_id)).toMatchObject({ status: 'COMPLETED' });
  expect(await doneThere(h, reference_id, job_id)).toEqual({
    payouts: 1,
    orders: 1,
    withdrawals: 1,
  });
  expect(await strayAtExchange(h)).toEqual({ idr: 0n, usdc: 0n });
});

test('two workers, of which one is killed, do each of many jobs once', async () => {
  const users = [];
  for (let n = 0; n < 12; n += 1) users.push(await converting(h, { rupiah: '210000' }));
  await act('run-daily');
  await h.drain();
  const jobs = await Promise.all(users.map(jobOf));
  for (const { reference_id } of jobs) await arrive(h, reference_id);
  await act('poll-balance');
  await act('run-trades');
  const worker = await appProcess({
    databaseUrl,
    secrets,
    aheadMs: h.clock.offsetMs,
    settings: {
      NODE_ENV: 'test',
      ROLE: 'all',
      HOST: '127.0.0.1',
      PORT: '0',
      SANDBOX_PORT: new URL(h.app.sandboxUrl()).port,
      SANDBOX_SMTP_PORT: '0',
      MOCK_MODE: 'false',
      DATA_DIR: h.dataDir,
    },
  });
  const done = () =>
    h.db
      .selectFrom('conversion_orders')
      .select('order_id')
      .where('state', '=', 'FILLED')
      .where(
        'job_id',
        'in',
        jobs.map(({ job_id }) => job_id),
      )
      .execute();
  await Promise.all([h.drain(), expect.poll(async () => (await done()).length).toBeGreaterThan(2)]);
  await worker.end('SIGKILL');
  // Its jobs are taken over when its claims have lapsed; an admin need not wait for that.
  for (let quarter = 0; quarter < 4; quarter += 1) {
    await h.advance(900);
    for (const { job_id } of jobs)
      await h.call('POST /exchange/conversion/execute-trade/{job_id}', {
        as: await logInAgain(h, operator),
        params: { job_id },
      });
  }
  for (const [i, user] of users.entries()) {
    const { job_id = 0, reference_id = '' } = jobs[i] ?? {};
    expect((await user.status(job_id)).status).toBe('COMPLETED');
    const once = { payouts: 1, orders: 1, withdrawals: 1 };
    expect(await doneThere(h, reference_id, job_id)).toEqual(once);
  }
  expect(await strayAtExchange(h)).toEqual({ idr: 0n, usdc: 0n });
});
