import { afterEach, describe, expect, test } from 'vitest';
import { createRecords } from '#sandbox/records.ts';
import {
  arrive,
  behave,
  type Converting,
  converting,
  EVM_ADDRESS,
  houseBooks,
  saveAddress,
  strayAtExchange,
  TRON_ADDRESS,
  wrongBooks,
} from '#test/conversions.ts';
import { type Body, harness, type Person } from '#test/harness.ts';
import { listWaiting } from './waiting-store.ts';

const h = await harness({ mock: false, config: { JWT_TTL: '100000000' } });
const sandboxRecords = createRecords(h.db);
await h.drain();
afterEach(async () => {
  await h.sandbox('DELETE', '/exchange/behaviour');
  expect(await wrongBooks(h)).toEqual([]);
});

type Path = 'execute' | 'poll-job' | 'execute-trade';
// A log-in of an operator ages while hours go by.
const act = async (path: Path, id: unknown, by?: Person): Promise<[number, Body]> => {
  const call = { as: by ?? (await h.operator()), params: { job_id: id as number } };
  return h.call(`POST /exchange/conversion/${path}/{job_id}`, call);
};
const all = async (path: 'poll-balance' | 'run-trades', by?: Person) => {
  const call = { as: by ?? (await h.operator()) };
  return (await h.call(`POST /exchange/conversion/${path}`, call))[1].data;
};

const adminOf = ({ as: { client_id } }: Converting) => h.user({ role: 'admin', client_id });

async function job(
  until: 'DISBURSING' | 'WAITING_EXCHANGE' | 'TRADING',
  options: Parameters<typeof converting>[1] = {},
  amount = 200_000,
): Promise<{ user: Converting; job_id: number; reference_id: string }> {
  const user = await converting(h, options);
  const [, { data }] = await user.start(amount);
  const { job_id, reference_id } = data;
  if (until !== 'DISBURSING') expect((await act('execute', job_id))[0]).toBe(200);
  if (until === 'TRADING') {
    await arrive(h, reference_id);
    expect((await act('poll-job', job_id))[1].data.status).toBe('TRADING');
  }
  return { user, job_id, reference_id };
}

describe('execute', () => {
  test('lets a job wait for the exchange, and repeats its answer', async () => {
    const { user, job_id } = await job('DISBURSING');
    const [, first] = await act('execute', job_id);
    expect(first).toEqual({
      success: true,
      message: expect.any(String),
      data: {
        job_id,
        user_id: user.as.user_id,
        batch_amount_idr: 200_000,
        disbursement_id: expect.stringMatching(/^disb-/),
        status: 'WAITING_EXCHANGE',
        reconciliation_passed: true,
        executed_at: expect.any(String),
      },
      timestamp: expect.any(String),
    });
    expect((await act('execute', job_id))[1].data.status).toBe('WAITING_EXCHANGE');
  });

  test('leaves a job in a later state as it is', async () => {
    const { job_id } = await job('TRADING');
    expect(await act('execute', job_id)).toMatchObject([
      409,
      { error_code: 'JOB_EXECUTION_FAILED', details: { status: 'TRADING' } },
    ]);
  });

  test('stops where ledger and gateway differ, and leaves the job as it is', async () => {
    const { user, job_id } = await job('DISBURSING');
    const shift = (by: number) =>
      sandboxRecords.update<{ balance: number }>('gateway', 'account', 'IDR', (kept) => ({
        balance: kept.balance + by,
      }));
    await shift(-1);
    expect(await act('execute', job_id)).toMatchObject([
      400,
      {
        error_code: 'RECONCILIATION_FAILED',
        reconciliation_id: expect.any(Number),
        details: { difference_amount: expect.any(Number) },
      },
    ]);
    expect((await user.status(job_id)).status).toBe('DISBURSING');
    await shift(1);
    expect((await act('execute', job_id))[0]).toBe(200);
  });
});

test.each(['execute', 'poll-job', 'execute-trade'] as const)(
  '%s knows no job of another client, and none that is not there',
  async (path) => {
    const { user, job_id } = await job('DISBURSING');
    const stranger = await h.user({ role: 'admin' });
    const denied = { success: false, error_code: 'JOB_NOT_FOUND', message: 'Job not found' };
    expect(await act(path, job_id, stranger)).toMatchObject([404, denied]);
    expect(await act(path, 2_000_000_000)).toMatchObject([404, denied]);
    expect(await act(path, 'x')).toMatchObject([400, { error_code: 'VALIDATION_ERROR' }]);
    expect(await act(path, job_id, user.as)).toMatchObject([403, { error_code: 'FORBIDDEN' }]);
  },
);

test('only its owner and admins in scope see a job', async () => {
  const { user, job_id, reference_id } = await job('DISBURSING');
  const ask = (as: Person) =>
    h.call('GET /exchange/conversion/status/{job_id}', { as, params: { job_id } });
  expect(await ask(user.as)).toEqual([
    200,
    {
      success: true,
      message: 'Job retrieved',
      data: {
        job_id,
        user_id: user.as.user_id,
        batch_amount_idr: 200_000,
        disbursement_id: expect.any(String),
        reference_id,
        status: 'DISBURSING',
        reason: null,
        reconciliation: {
          reconciliation_id: expect.any(Number),
          status: 'MATCHED',
          requires_admin_attention: false,
        },
        trade: null,
        withdrawal: null,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
      timestamp: expect.any(String),
    },
  ]);
  const admin = await h.user({ role: 'admin', client_id: user.as.client_id });
  expect((await ask(admin))[0]).toBe(200);
  const other = await h.user({ client_id: user.as.client_id });
  for (const as of [other, await h.user({ role: 'admin' })])
    expect(await ask(as)).toMatchObject([404, { error_code: 'JOB_NOT_FOUND' }]);
});

describe('poll-balance', () => {
  test('covers the caller’s scope and its share of the balance', async () => {
    const one = await job('WAITING_EXCHANGE');
    const other = await job('WAITING_EXCHANGE', {}, 300_000);
    const [admin, another] = await Promise.all(
      [one, other].map(({ user }) => h.user({ role: 'admin', client_id: user.as.client_id })),
    );
    await arrive(h, one.reference_id);
    await arrive(h, other.reference_id);
    if (!admin || !another) throw new Error('No admins');
    expect(await all('poll-balance', admin)).toMatchObject({
      jobs_checked: 1,
      balance_confirmed: 1,
      still_waiting: 0,
      exchange_balance: { idr: 200_000, usdc: '0.000000' },
    });
    expect((await other.user.status(other.job_id)).status).toBe('WAITING_EXCHANGE');
    expect(await all('poll-balance', another)).toMatchObject({
      balance_confirmed: 1,
      exchange_balance: { spendable: { idr: { held: '300000.00', available: '0.00' } } },
    });
  });

  test('finds rupiah that arrive while the job is disbursing', async () => {
    const { user, job_id, reference_id } = await job('DISBURSING');
    await arrive(h, reference_id);
    await all('poll-balance');
    expect((await user.status(job_id)).status).toBe('TRADING');
  });

  test('confirms paid-out jobs by the balance, the oldest first', async () => {
    const [first, second] = [await job('WAITING_EXCHANGE'), await job('WAITING_EXCHANGE')];
    const pay = (reference: string) => h.sandbox('POST', `/gateway/payouts/${reference}/complete`);
    await arrive(h, second.reference_id, 'unlisted');
    await act('poll-job', second.job_id);
    // The gateway has not said of the first one that it has left.
    expect((await second.user.status(second.job_id)).status).toBe('TRADING');
    await pay(first.reference_id);
    await all('poll-balance');
    expect((await first.user.status(first.job_id)).status).toBe('WAITING_EXCHANGE');
    await arrive(h, first.reference_id, 'nothing');
    await all('poll-balance');
    expect((await first.user.status(first.job_id)).status).toBe('TRADING');
  });

  test('allocates no rupiah twice in concurrent polls', async () => {
    const jobs = await Promise.all([1, 2, 3].map(() => job('WAITING_EXCHANGE')));
    const [, second, third] = jobs;
    for (const { reference_id } of jobs)
      await h.sandbox('POST', `/gateway/payouts/${reference_id}/complete`);
    await arrive(h, second?.reference_id ?? '', 'unlisted');
    await Promise.all(Array.from({ length: 5 }, () => all('poll-balance')));
    const statuses = await Promise.all(jobs.map(({ user, job_id }) => user.status(job_id)));
    const confirmed = statuses.filter(({ status }) => status === 'TRADING');
    expect(confirmed).toHaveLength(1);
    await arrive(h, third?.reference_id ?? '');
    await all('poll-balance');
    expect((await third?.user.status(third.job_id))?.status).toBe('TRADING');
    const { idr } = await strayAtExchange(h);
    expect(idr).toBe(0n);
    const [first] = jobs;
    await arrive(h, first?.reference_id ?? '');
    await all('poll-balance');
  });

  test('defers a job whose deposit has another sum', async () => {
    const { user, job_id, reference_id } = await job('WAITING_EXCHANGE');
    const at = h.clock.now().getTime();
    const deposit = { id: `${job_id}`, at, note: reference_id, amount: '100' };
    await sandboxRecords.insert('exchange', 'deposit', deposit.id, deposit);
    await act('poll-job', job_id);
    expect(await user.status(job_id)).toMatchObject({
      status: 'WAITING_EXCHANGE',
      reason: { code: 'DEPOSIT_DIFFERS' },
    });
  });
});

describe('a pay-out that fails', () => {
  test.each(['fail', 'reverse'])('(%s) refunds the wallet', async (end) => {
    const { user, job_id, reference_id } = await job('WAITING_EXCHANGE');
    if (end === 'reverse') {
      await h.sandbox('POST', `/gateway/payouts/${reference_id}/complete`);
      await act('poll-job', job_id);
      expect((await houseBooks(h))['exchange-transit IDR']).toBeLessThan(0n);
      expect(await user.wallet()).toEqual({ posted: 800_000_00n, held: 0n });
    }
    await h.sandbox('POST', `/gateway/payouts/${reference_id}/${end}`);
    await act('poll-job', job_id);
    expect(await user.status(job_id)).toMatchObject({
      status: 'FAILED',
      reason: { code: 'INVALID_DESTINATION' },
    });
    expect(await user.wallet()).toEqual({ posted: 1_000_000_00n, held: 0n });
  });
});

describe('a trade', () => {
  test('continues after an empty book, order by order, until all is spent', async () => {
    const { user, job_id } = await job('TRADING');
    await behave(h, { asks: [['16000', '5']] });
    await act('execute-trade', job_id);
    await h.drain();
    const done = await user.status(job_id);
    expect(done).toMatchObject({
      status: 'COMPLETED',
      trade: { spent_idr: 200_000, returned_idr: 0, bought_usdc: '12.500000' },
    });
    const orders = await h.db
      .selectFrom('conversion_orders')
      .select(['spent', 'rate'])
      .where('job_id', '=', job_id)
      .orderBy('order_id')
      .execute();
    expect(orders.map(({ spent }) => spent)).toEqual([80_000_00n, 80_000_00n, 40_000_00n]);
    expect(new Set(orders.map(({ rate }) => rate)).size).toBe(1);
  });

  test('leaves a rest below the exchange’s minimum in the wallet', async () => {
    const { user, job_id } = await job('TRADING');
    await behave(h, { asks: [['16000', '12']], fee_asset: 'IDR' });
    await act('execute-trade', job_id);
    expect(await user.status(job_id)).toMatchObject({
      status: 'COMPLETED',
      trade: { spent_idr: 192_192, fee_idr: 192, returned_idr: 7_808, fee_usdc: '0.000000' },
    });
    expect(await user.wallet()).toEqual({ posted: 807_808_00n, held: 0n });
  });

  test('that is refused waits with its reason, and is retried by hand or in time', async () => {
    const { user, job_id } = await job('TRADING');
    await behave(h, { asks: [] });
    expect((await act('execute-trade', job_id))[1].data).toMatchObject({
      status: 'TRADING',
      reason: { code: 'NOT_FILLED' },
    });
    await h.sandbox('DELETE', '/exchange/behaviour');
    const admin = await adminOf(user);
    expect(await all('run-trades', admin)).toMatchObject({ jobs_started: 0, job_ids: [] });
    await h.advance(301);
    expect(await all('run-trades', admin)).toMatchObject({ jobs_started: 1, job_ids: [job_id] });
    await h.drain();
    expect(await user.status(job_id)).toMatchObject({ status: 'COMPLETED', reason: null });
  });

  test('is refused for a job that is not at the exchange, and keeps a completed one', async () => {
    const { job_id, reference_id } = await job('WAITING_EXCHANGE');
    expect(await act('execute-trade', job_id)).toMatchObject([
      409,
      { error_code: 'JOB_EXECUTION_FAILED', details: { status: 'WAITING_EXCHANGE' } },
    ]);
    await arrive(h, reference_id);
    await act('poll-job', job_id);
    const [, first] = await act('execute-trade', job_id);
    expect(first.data.status).toBe('COMPLETED');
    expect((await act('execute-trade', job_id))[1].data).toEqual(first.data);
  });
});

describe('a withdrawal', () => {
  test('waits for a primary wallet, and goes on once there is one', async () => {
    const { user, job_id } = await job('TRADING', { network: null });
    const admin = await adminOf(user);
    await all('run-trades', admin);
    await h.drain();
    expect(await user.status(job_id)).toMatchObject({
      status: 'WITHDRAWING',
      reason: { code: 'NO_PRIMARY_WALLET' },
      withdrawal: null,
    });
    expect(await all('run-trades', admin)).toMatchObject({ jobs_started: 0 });
    await saveAddress(h, user.as, 'POLYGON', EVM_ADDRESS);
    expect(await all('run-trades', admin)).toMatchObject({ job_ids: [job_id] });
    await h.drain();
    expect(await user.status(job_id)).toMatchObject({
      status: 'COMPLETED',
      withdrawal: { network: 'Polygon', tx_hash: expect.stringMatching(/^0x/) },
    });
  });

  test('that the exchange refuses keeps the USDC owed until another wallet gets it', async () => {
    const { user, job_id } = await job('TRADING');
    await behave(h, { withdrawals: 'reject' });
    expect((await act('execute-trade', job_id))[1].data).toMatchObject({
      status: 'WITHDRAWING',
      reason: { code: 'WITHDRAWAL_FAILED' },
    });
    expect((await houseBooks(h))['exchange-owed USDC']).toBeGreaterThan(12_000_000n);
    await h.sandbox('DELETE', '/exchange/behaviour');
    await saveAddress(h, user.as, 'TRC20', TRON_ADDRESS);
    const [, done] = await act('execute-trade', job_id);
    expect(done.data).toMatchObject({ status: 'COMPLETED', reason: null });
    const tried = await h.db
      .selectFrom('conversion_withdrawals')
      .select(['state', 'reference'])
      .where('job_id', '=', job_id)
      .orderBy('withdrawal_id')
      .execute();
    expect(tried.map(({ state }) => state)).toEqual(['REFUSED', 'COMPLETED']);
    expect(new Set(tried.map(({ reference }) => reference)).size).toBe(2);
  });

  test('that is slow ends when the exchange completes it', async () => {
    const { user, job_id } = await job('TRADING');
    await behave(h, { withdrawals: 'hold' });
    expect((await act('execute-trade', job_id))[1].data).toMatchObject({
      status: 'WITHDRAWING',
      reason: null,
      withdrawal: { network: 'Tron (TRC-20)', tx_hash: null },
    });
    await h.advance(3600);
    await h.drain();
    expect((await user.status(job_id)).status).toBe('WITHDRAWING');
    await h.sandbox('DELETE', '/exchange/behaviour');
    await h.advance(600);
    await h.drain();
    expect((await user.status(job_id)).status).toBe('COMPLETED');
  });
});

test('a job times out after a day, and still accepts a late deposit', async () => {
  const { user, job_id, reference_id } = await job('WAITING_EXCHANGE');
  await h.advance(24 * 3600 + 60);
  const { timeout_exceeded: late } = await all('poll-balance');
  expect(late).toBeGreaterThan(0);
  const again = await all('poll-balance');
  expect(again).toMatchObject({ jobs_checked: late + again.still_waiting, timeout_exceeded: late });
  const timedOut = { status: 'TIMEOUT', reason: { code: 'TIMEOUT' } };
  expect(await user.status(job_id)).toMatchObject(timedOut);
  expect((await user.wallet()).held).toBe(200_000_00n);
  await arrive(h, reference_id);
  await all('poll-balance');
  expect(await user.status(job_id)).toMatchObject({ status: 'TRADING', reason: null });
});

test('timed-out jobs keep no others from being polled', async () => {
  const { job_id: late } = await job('WAITING_EXCHANGE');
  await h.advance(24 * 3600 + 60);
  await all('poll-balance');
  const { job_id: fresh } = await job('WAITING_EXCHANGE');
  const listed = (limit: number) => listWaiting(h.db, {}, { lateMs: 1e10, limit });
  const waiting = (await listed(1000)).filter(({ status }) => status === 'WAITING_EXCHANGE');
  expect((await listed(1000)).map(({ job_id }) => job_id)).toContain(late);
  expect(waiting.at(-1)?.job_id).toBe(fresh);
  expect(await listed(waiting.length)).toEqual(waiting);
});
