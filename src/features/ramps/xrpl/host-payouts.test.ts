import { beforeEach, expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { HOST_CURRENCIES, type HostCurrency } from '#providers/bank-host/port.ts';
import { endAtHost, hostBank } from '#test/bank-host.ts';
import { harness } from '#test/harness.ts';
import { payoutState } from '#test/payouts.ts';
import { ramps } from '#test/ramps.ts';

/** Banks in the five currencies beside rupiah, by the bank host: looked up by EndToEndId, paid once. */
const h = await harness({ mock: false });
await h.drain();
const xrpl = ramps(h);
beforeEach(() => h.sandbox('DELETE', '/faults'));

async function sold(currency: HostCurrency) {
  const as = await h.user();
  await xrpl.fund(as, 'USD', 10_000n);
  await xrpl.on(as, { fiat_currency: 'USD', fiat_amount: 50 });
  const before = await xrpl.usdcOf(as);
  const destination_bank = hostBank(currency);
  const wish = { usdc_amount: 10, target_fiat: currency, payout_type: 'BANK', destination_bank };
  const [status, { data }] = await xrpl.off(as, wish);
  expect([currency, status]).toEqual([currency, 200]);
  const text = 'select operation from xrpl_transactions where id = $1';
  const [row] = await run<{ operation: string }>(h.db, text, [data.xrpl_tx.id]);
  const reference = `XO-${row?.operation.replace('xrpl-offramp-', '').replaceAll('-', '')}`;
  return { as, before, id: data.xrpl_tx.id as number, payout: data.payout, reference };
}

const polled = async (minutes = 11) => {
  await h.advance(minutes * 60);
  await h.drain();
};

test.each(HOST_CURRENCIES)(
  'a bank in %s is paid, less the cost of the transfer',
  async (currency) => {
    const before = await xrpl.house('bank-host', currency);
    const { as, id, payout, reference } = await sold(currency);
    const { fiat_amount, receiver_amount, transfer_fee } = payout;
    expect(transfer_fee).toBeGreaterThan(0);
    expect(receiver_amount).toBeCloseTo(fiat_amount - transfer_fee, 5);
    expect(await payoutState(h, reference)).toBe('SENT');
    await endAtHost(h, reference, 'complete');
    await polled();
    expect(await xrpl.status(as, 'off', id)).toMatchObject([200, { status: 'validated' }]);
    expect(await payoutState(h, reference)).toBe('PAID');
    expect((await xrpl.house('bank-host', currency)) - before).toBeGreaterThan(0n);
    expect(await xrpl.house('xrpl-payouts', currency)).toBe(0n);
    await xrpl.agree();
  },
);

test('a transfer that the bank refuses later is reissued', async () => {
  const { as, before, reference } = await sold('AUD');
  await endAtHost(h, reference, 'reject', 'AC01');
  await polled();
  expect(await xrpl.usdcOf(as)).toEqual(before);
  await xrpl.agree();
});

test('a transfer that comes back after its arrival is reissued', async () => {
  const house = await xrpl.house('bank-host', 'SGD');
  const { as, before, reference } = await sold('SGD');
  await endAtHost(h, reference, 'complete');
  await polled();
  await endAtHost(h, reference, 'return', 'AC04');
  const rail = h.app.features.rails.find(({ name }) => name === 'bank-host');
  await rail?.theirs({ from: new Date(0), to: new Date(h.clock.now().getTime() + 60_000) });
  await h.drain();
  expect(await payoutState(h, reference)).toBe('RETURNED');
  expect(await xrpl.usdcOf(as)).toEqual(before);
  expect(await xrpl.house('bank-host', 'SGD')).toBe(house);
  await xrpl.agree();
});
