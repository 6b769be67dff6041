import { afterEach, describe, expect, test } from 'vitest';
import { createRecords } from '#sandbox/records.ts';
import { arrive, type Converting, converting, giveRupiah, wrongBooks } from '#test/conversions.ts';
import { type Body, harness, type Person } from '#test/harness.ts';

const h = await harness({ mock: false, config: { JWT_TTL: '100000000' } });
await h.drain();
afterEach(async () => expect(await wrongBooks(h)).toEqual([]));

const runDaily = (as: Person): Promise<[number, Body]> =>
  h.call('POST /exchange/conversion/run-daily', { as });
const jobsOf = ({ as }: Converting) =>
  h.db
    .selectFrom('conversion_jobs')
    .selectAll()
    .where('user_id', '=', as.user_id)
    .orderBy('job_id')
    .execute();

/** A client with an admin, and users with so many rupiah each. */
async function company(...all: Parameters<typeof converting>[1][]) {
  const { client_id } = await h.client({ country_code: 'ID' });
  const admin = await h.user({ client_id, role: 'admin' });
  const users: Converting[] = [];
  for (const options of all) users.push(await converting(h, { ...options, client_id }));
  return { admin, users };
}

describe('the daily run', () => {
  test('converts the whole rupiah of every eligible user in scope, once a day', async () => {
    const elsewhere = await company({ rupiah: '900000' });
    const { admin, users } = await company(
      { rupiah: '250000.99' },
      { rupiah: '200000' },
      { rupiah: '199999.99' },
      { rupiah: '500000', network: null },
    );
    const [status, body] = await runDaily(admin);
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        message: expect.any(String),
        data: {
          total_users: 2,
          jobs_created: 2,
          total_idr: 450_000,
          disbursements_initiated: 2,
          failed_jobs: 0,
          processing_time_ms: expect.any(Number),
          summary: { pending: 2, waiting_exchange: 0, trading: 0, completed: 0, failed: 0 },
        },
        timestamp: expect.any(String),
      },
    ]);
    const wallets = await Promise.all(users.map((user) => user.wallet()));
    expect(wallets.map(({ held }) => held)).toEqual([250_000_00n, 200_000_00n, 0n, 0n]);
    expect(await jobsOf(elsewhere.users[0] as Converting)).toEqual([]);
    await h.drain();
    const again = (await runDaily(admin))[1].data;
    expect(again).toMatchObject({
      total_users: 0,
      jobs_created: 0,
      summary: { pending: 0, waiting_exchange: 2 },
    });
  });

  test('drives its jobs to the end with polls and trades', async () => {
    const { admin, users } = await company({ rupiah: '300000' });
    await runDaily(admin);
    await h.drain();
    const [job] = await jobsOf(users[0] as Converting);
    expect(job?.status).toBe('WAITING_EXCHANGE');
    await arrive(h, job?.reference_id ?? '');
    // The hourly schedule, as often as a busy machine needs it.
    let done: Body = {};
    for (let hours = 0; hours < 5 && done.status !== 'COMPLETED'; hours += 1) {
      await h.advance(3601);
      await h.drain();
      done = await users[0]?.status(job?.job_id ?? 0);
    }
    expect(done).toMatchObject({ status: 'COMPLETED', batch_amount_idr: 300_000 });
    const [, { data }] = await runDaily(admin);
    expect(data.summary).toMatchObject({ completed: expect.any(Number) });
  });

  test('makes one job in concurrent runs', async () => {
    const { admin, users } = await company({ rupiah: '250000' }, { rupiah: '350000' });
    const answers = await Promise.all(Array.from({ length: 5 }, () => runDaily(admin)));
    expect(answers.map(([status]) => status)).toEqual(Array(5).fill(200));
    const created = answers.map(([, { data }]) => data.jobs_created as number);
    expect(created.reduce((a, b) => a + b, 0)).toBe(2);
    for (const user of users) expect(await jobsOf(user)).toHaveLength(1);
  });

  test('runs again the next day, also by the schedule', async () => {
    const { admin, users } = await company({ rupiah: '250000' });
    const [user] = users as [Converting];
    await runDaily(admin);
    await giveRupiah(h, user.as.user_id, '400000');
    expect((await runDaily(admin))[1].data.jobs_created).toBe(0);
    await h.advance(24 * 3600);
    await h.drain();
    const jobs = await jobsOf(user);
    expect(jobs.map(({ amount }) => amount)).toEqual([250_000_00n, 400_000_00n]);
    expect(jobs[0]?.day).not.toBe(jobs[1]?.day);
  });

  test('holds nothing where ledger and gateway differ', async () => {
    const { admin, users } = await company({ rupiah: '250000' });
    const shift = (by: number) =>
      createRecords(h.db).update<{ balance: number }>('gateway', 'account', 'IDR', (kept) => ({
        balance: kept.balance + by,
      }));
    await shift(-1_000_000_000);
    expect(await runDaily(admin)).toMatchObject([
      500,
      {
        error_code: 'DAILY_CONVERSION_FAILED',
        reconciliation_id: expect.any(Number),
        details: { psp_balance: expect.any(Number) },
      },
    ]);
    expect((await users[0]?.wallet())?.held).toBe(0n);
    await shift(1_000_000_000);
  });

  test('of an operator covers all clients; a user may not run it', async () => {
    const { users } = await company({ rupiah: '250000' });
    const [user] = users as [Converting];
    expect((await runDaily(user.as))[0]).toBe(403);
    expect((await runDaily(await h.operator()))[1].data.jobs_created).toBeGreaterThan(0);
    expect(await jobsOf(user)).toHaveLength(1);
  });

  test('skips users whose money has gone meanwhile', async () => {
    const { admin, users } = await company({ rupiah: '250000' }, { rupiah: '250000' });
    const [first] = users as [Converting];
    const [answers] = await Promise.all([
      Promise.all(Array.from({ length: 3 }, () => runDaily(admin))),
      first.start(200_000),
    ]);
    for (const [status] of answers) expect(status).toBe(200);
    const jobs = (await Promise.all(users.map(jobsOf))).flat();
    expect(jobs.filter(({ day }) => day === null).length).toBeLessThanOrEqual(1);
    expect((await jobsOf(users[1] as Converting)).length).toBe(1);
  });
});

test('a balance beyond an exact number is converted over several days', async () => {
  const rich = { rupiah: '40000000000000' };
  const { admin, users } = await company(rich, rich, { rupiah: '250000' });
  const [first] = users as [Converting];
  expect(await first.start(90_000_000_000_000)).toMatchObject([
    400,
    { error_code: 'VALIDATION_ERROR', details: [{ field: 'amount_idr' }] },
  ]);
  const listed = await h.call('GET /exchange/conversion/pending', { as: admin });
  expect(listed).toMatchObject([200, { data: { total: 3 } }]);
  const amounts = listed[1].data.users.map((one: Body) => one.total_amount_idr);
  expect(amounts).toEqual([250_000, 40_000_000_000_000, 40_000_000_000_000]);
  expect(await runDaily(admin)).toMatchObject([
    200,
    { data: { jobs_created: 3, total_idr: 2 * 9_999_999_999_999 + 250_000 } },
  ]);
  expect(await jobsOf(first)).toMatchObject([{ amount: 9_999_999_999_999_00n }]);
  await h.drain();
});

test('pending lists users with rupiah to convert, newest first, in pages', async () => {
  const { admin, users } = await company(
    { rupiah: '250000' },
    { rupiah: '100000' },
    { rupiah: '300000.50', network: null },
    { rupiah: '0' },
  );
  const ask = (query = {}) => h.send('GET /exchange/conversion/pending', { as: admin, query });
  const { body } = await ask();
  expect(body).toEqual({
    success: true,
    message: expect.any(String),
    data: {
      total: 3,
      users: [
        expect.objectContaining({
          user_id: users[2]?.as.user_id,
          email: users[2]?.as.email,
          total_amount_idr: 300_000.5,
          eligible_for_conversion: false,
          has_primary_wallet: false,
          wallet_network: null,
        }),
        expect.objectContaining({ total_amount_idr: 100_000, eligible_for_conversion: false }),
        expect.objectContaining({
          total_amount_idr: 250_000,
          eligible_for_conversion: true,
          has_primary_wallet: true,
          wallet_network: 'TRC20',
        }),
      ],
    },
    timestamp: expect.any(String),
  });
  const page = await ask({ limit: 2 });
  expect(page.body.data.total).toBe(2);
  expect(page.headers.get('link')).toContain(`before=${users[1]?.as.user_id}`);
  const rest = await ask({ limit: 2, before: users[1]?.as.user_id });
  expect(rest.body.data.users).toHaveLength(1);
  const [denied] = await h.call('GET /exchange/conversion/pending', { as: users[0]?.as as Person });
  expect(denied).toBe(403);
});
