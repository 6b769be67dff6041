// Long: the exchange fails in every way at every step.

import { afterEach, expect, test } from 'vitest';
import {
  arrive,
  type Converting,
  converting,
  doneThere,
  misbehave,
  saveAddress,
  strayAtExchange,
  TRON_ADDRESS,
  wrongBooks,
} from '#test/conversions.ts';
import { harness } from '#test/harness.ts';
import { logInAgain } from '#test/log-in-again.ts';
import { unlessRefused } from '#test/sandbox-controls.ts';

const h = await harness({
  mock: false,
  config: { JWT_TTL: '100000000', EXCHANGE_SLIPPAGE: '100' },
});
await h.drain();
const operator = await h.operator();
afterEach(async () => {
  await h.sandbox('DELETE', '/faults');
  expect(await wrongBooks(h)).toEqual([]);
});

const act = async (path: string, job_id?: number) =>
  h.call(`POST /exchange/conversion/${path}`, {
    as: operator,
    ...(job_id === undefined ? {} : { params: { job_id } }),
  });

/** Until nothing moves any more, as hours go by; every answer may be an error on the way. */
async function goOn(user: Converting, job_id: number, reference_id: string): Promise<string> {
  for (let hour = 0; hour < 12; hour += 1) {
    await h.advance(1200);
    await h.drain();
    // It has arrived already, or has not been sent yet.
    await unlessRefused(arrive(h, reference_id));
    await act('poll-balance');
    await act('run-trades');
    await h.drain();
    const { status } = await user.status(job_id);
    if (status === 'COMPLETED' || status === 'FAILED') return status;
  }
  return (await user.status(job_id)).status;
}

/** Takes the job to its withdrawal, by removing the wallet meanwhile, and adds another one. */
async function tradeWithoutWallet({ as, status }: Converting, job_id: number): Promise<void> {
  const [, { data }] = await h.call('GET /exchange/crypto-wallet/primary', { as });
  const body = { bw_id: data.bw_id };
  await h.call('POST /exchange/crypto-wallet/delete', { as, body });
  await act('run-trades');
  await h.drain();
  expect((await status(job_id)).reason).toMatchObject({ code: 'NO_PRIMARY_WALLET' });
  await saveAddress(h, as, 'TRC20', TRON_ADDRESS);
}

const kinds = ['delay', 'refuse', 'drop', 'commit-then-drop', 'error'] as const;
const steps = ['payout', 'poll', 'order', 'withdrawal'] as const;
const cases = steps.flatMap((step) => kinds.map((kind) => [kind, step] as const));

test.each(cases)('%s at the %s is done once, and loses nothing', async (kind, step) => {
  const user = await converting(h, { rupiah: '200000' });
  const spoil = (provider: string) => misbehave(h, provider, kind, 2);
  const [, { data }] = await h.call('POST /exchange/conversion/run-daily', { as: operator });
  expect(data.jobs_created).toBe(1);
  const found = await h.db
    .selectFrom('conversion_jobs')
    .select(['job_id', 'reference_id'])
    .where('user_id', '=', user.as.user_id)
    .executeTakeFirstOrThrow();
  const { job_id, reference_id } = found;
  if (step === 'payout') await spoil('gateway');
  await h.drain();
  if (step !== 'payout') {
    await arrive(h, reference_id);
    if (step === 'poll') await spoil('exchange');
    await act('poll-balance');
    if (step === 'withdrawal') await tradeWithoutWallet(user, job_id);
    if (step === 'order') await spoil('exchange');
    await act('run-trades');
    if (step === 'withdrawal') await spoil('exchange');
    await h.drain();
  }
  expect(await goOn(user, job_id, reference_id)).toBe('COMPLETED');
  expect(await doneThere(h, reference_id, job_id)).toEqual({
    payouts: 1,
    orders: 1,
    withdrawals: 1,
  });
  expect((await user.wallet()).held).toBe(0n);
  expect(await strayAtExchange(h)).toEqual({ idr: 0n, usdc: 0n });
});

test('a pay-out without an answer is looked up, and paid once', async () => {
  const user = await converting(h);
  const [, { data }] = await user.start(200_000);
  expect(data.disbursement_id).toEqual(expect.any(String));
  await misbehave(h, 'gateway', 'drop', 4);
  const [status, body] = await h.call('POST /exchange/conversion/execute/{job_id}', {
    as: await logInAgain(h, operator),
    params: { job_id: data.job_id },
  });
  expect([status, body.error_code]).toEqual([503, 'PROVIDER_UNAVAILABLE']);
  expect((await user.status(data.job_id)).status).toBe('DISBURSING');
  expect(await goOn(user, data.job_id, data.reference_id)).toBe('COMPLETED');
  const done = await doneThere(h, data.reference_id, data.job_id);
  expect(done).toEqual({ payouts: 1, orders: 1, withdrawals: 1 });
});

test('polls report an unreachable exchange and change nothing', async () => {
  const user = await converting(h);
  await user.start(200_000);
  await misbehave(h, 'exchange', 'drop', 3);
  expect(await act('poll-balance')).toMatchObject([503, { error_code: 'PROVIDER_UNAVAILABLE' }]);
});
