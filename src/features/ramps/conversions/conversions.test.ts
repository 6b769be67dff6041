import { afterEach, expect, test } from 'vitest';
import { readBalances } from '#chains/evm/port.ts';
import {
  arrive,
  converting,
  EVM_ADDRESS,
  houseBooks,
  misbehave,
  strayAtExchange,
  wrongBooks,
} from '#test/conversions.ts';
import { harness } from '#test/harness.ts';

const modes = { mock: await harness(), live: await harness({ mock: false }) };
const { mock } = modes;
await mock.sandbox('POST', '/gateway/holds', { payouts: 'all' });
afterEach(async () => {
  for (const h of Object.values(modes)) expect(await wrongBooks(h)).toEqual([]);
});

test.each(['mock', 'live'] as const)(
  'rupiah become USDC in the user’s own wallet (%s)',
  async (mode) => {
    const h = modes[mode];
    const user = await converting(h, { network: 'ERC20' });
    const admin = await h.user({ role: 'admin', client_id: user.as.client_id });
    const act = (path: string, job_id?: number) =>
      h.call(`POST /exchange/conversion/${path}`, {
        as: admin,
        ...(job_id === undefined ? {} : { params: { job_id } }),
      });

    const [status, started] = await user.start(500_000);
    expect([status, started]).toEqual([
      200,
      {
        success: true,
        message: expect.any(String),
        data: {
          job_id: expect.any(Number),
          disbursement_id: expect.stringMatching(/^disb-/),
          reference_id: expect.stringMatching(/^ARC-DISB-\d+-\d{13}$/),
          amount_idr: 500_000,
          status: 'DISBURSING',
          reconciliation: {
            reconciliation_id: expect.any(Number),
            status: 'MATCHED',
            requires_admin_attention: false,
          },
          estimate: {
            usdc_bought: expect.any(String),
            exchange_fee_usdc: null,
            network_fee_usdc: null,
            usdc_arriving: null,
          },
        },
        timestamp: expect.any(String),
      },
    ]);
    const { job_id, reference_id } = started.data;
    expect(await user.status(job_id)).toMatchObject({ status: 'DISBURSING' });
    expect(await user.wallet()).toEqual({ posted: 1_000_000_00n, held: 500_000_00n });

    expect(await act('execute/{job_id}', job_id)).toMatchObject([
      200,
      { data: { job_id, status: 'WAITING_EXCHANGE', reconciliation_passed: true } },
    ]);
    expect((await act('poll-balance'))[1].data).toMatchObject({
      jobs_checked: 1,
      balance_confirmed: 0,
      still_waiting: 1,
      timeout_exceeded: 0,
    });
    await arrive(h, reference_id);
    expect((await act('poll-balance'))[1].data).toMatchObject({
      jobs_checked: 1,
      balance_confirmed: 1,
      still_waiting: 0,
      exchange_balance: {
        idr: 500_000,
        usdc: '0.000000',
        spendable: {
          idr: { held: '500000.00', available: '0.00' },
          usdc: { held: '0.000000', available: '0.000000' },
        },
      },
    });
    expect(await user.status(job_id)).toMatchObject({ status: 'TRADING' });
    expect(await user.wallet()).toEqual({ posted: 500_000_00n, held: 0n });

    expect((await act('run-trades'))[1].data).toMatchObject({ jobs_started: 1, job_ids: [job_id] });
    await h.drain();
    const done = await user.status(job_id);
    expect(done).toMatchObject({
      status: 'COMPLETED',
      reason: null,
      trade: {
        spent_idr: 499_999.99,
        fee_idr: 0,
        returned_idr: 0.01,
        bought_usdc: '31.446540',
        fee_usdc: '0.031446',
      },
      withdrawal: {
        network: 'Ethereum (ERC-20)',
        address: EVM_ADDRESS,
        amount: '29.915094',
        fee: '1.500000',
        tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      },
    });
    const { sepolia } = h.app.evm.chains;
    const held = await readBalances(sepolia, EVM_ADDRESS, [sepolia.contracts.usdc]);
    expect(held.tokens).toEqual([29_915_094n]);
    expect(await houseBooks(h)).toMatchObject({
      'gateway IDR': 500_000_00n,
      'exchange-transit IDR': 0n,
      // What the exchange would not trade: ours there, and the user’s in the wallet.
      'exchange IDR': -1n,
      'exchange-owed IDR': 0n,
      'exchange USDC': 0n,
      'exchange-owed USDC': 0n,
    });
    expect(await user.wallet()).toEqual({ posted: 500_000_01n, held: 0n });
    expect(await strayAtExchange(h)).toEqual({ idr: 0n, usdc: 0n });
  },
);

test('in mock mode the rupiah are at the exchange at once, without a gateway', async () => {
  await mock.sandbox('DELETE', '/gateway/holds');
  await misbehave(mock, 'gateway', 'refuse', 100);
  const user = await converting(mock, { network: 'ERC20' });
  const as = await mock.user({ role: 'admin', client_id: user.as.client_id });
  const act = (path: string, params?: object) =>
    mock.call(`POST /exchange/conversion/${path}`, { as, ...(params && { params }) } as never);
  const [, { data }] = await user.start(500_000);
  const { job_id } = data;
  expect(data).toMatchObject({ status: 'DISBURSING', reconciliation: { status: 'MATCHED' } });
  expect(await user.wallet()).toEqual({ posted: 500_000_00n, held: 0n });
  expect((await act('execute/{job_id}', { job_id }))[1].data.status).toBe('WAITING_EXCHANGE');
  expect((await act('poll-balance'))[1].data).toMatchObject({ balance_confirmed: 1 });
  expect((await user.status(job_id)).status).toBe('TRADING');
  await act('run-trades');
  await mock.drain();
  expect((await user.status(job_id)).status).toBe('COMPLETED');
  // The next one is explained to the last rupiah, too.
  const [, again] = await user.start(200_000);
  expect(again.data.reconciliation).toMatchObject({ status: 'MATCHED' });
  const { usdc_bought, exchange_fee_usdc, network_fee_usdc, usdc_arriving } = again.data.estimate;
  expect(network_fee_usdc).toBe('1.500000');
  const [bought, fee] = [usdc_bought, exchange_fee_usdc].map(Number) as [number, number];
  expect(fee / bought).toBeCloseTo(0.001, 5);
  expect(Number(usdc_arriving)).toBeCloseTo(bought - fee - 1.5, 6);
  await mock.sandbox('DELETE', '/faults');
});
