import { beforeEach, expect, test } from 'vitest';
import { payoutTotals } from '#features/fiat/payouts/payouts.ts';
import { HOST_CURRENCIES, type HostCurrency } from '#providers/bank-host/port.ts';
import { endAtHost, hostBank } from '#test/bank-host.ts';
import { expectEven, flowsOf, houseOf, rampUser } from '#test/cardano-ramps.ts';
import { harness } from '#test/harness.ts';
import { payoutState } from '#test/payouts.ts';

/** Banks in the five currencies beside rupiah, by the bank host: looked up by EndToEndId, paid once. */
const h = await harness({ mock: false });
await h.drain();
beforeEach(() => h.sandbox('DELETE', '/faults'));

async function cardanoPayout(currency: HostCurrency) {
  const user = await rampUser(h, undefined, '100');
  const wish = { currency_to: currency, destination_bank: hostBank(currency) };
  const [status, body] = await user.ramp('wallet-offramp-bank', wish);
  expect([currency, status, body.bankTx?.status]).toEqual([currency, 200, 'PENDING']);
  return { user, reference: body.bankTx.transaction_id as string, body };
}

const polled = async (minutes = 11) => {
  await h.advance(minutes * 60);
  await h.drain();
};

test.each(HOST_CURRENCIES)('a bank in %s is paid', async (currency) => {
  const { user, reference } = await cardanoPayout(currency);
  await endAtHost(h, reference, 'complete');
  await polled();
  expect(await flowsOf(h, user)).toMatchObject([{ state: 'paid', status: 'DONE' }]);
  await expectEven(h);
});

test('a transfer that the bank refuses later is refunded', async () => {
  const { user, reference } = await cardanoPayout('INR');
  await endAtHost(h, reference, 'reject', 'AC01');
  await polled();
  expect(await flowsOf(h, user)).toMatchObject([{ status: 'FAILED', given_back: 'WALLET' }]);
  expect(await user.balance('USD')).toEqual([10_000n, 0n]);
  await expectEven(h);
});

test('a bank that refuses at once is the caller’s error, and nothing stays held', async () => {
  const user = await rampUser(h, undefined, '100');
  const destination_bank = { ...hostBank('SGD'), account_number: 'ABCD1234' };
  const answer = await user.ramp('wallet-offramp-bank', { currency_to: 'SGD', destination_bank });
  expect(answer).toMatchObject([400, { code: 'PROVIDER_REJECTED' }]);
  expect(await user.balance('USD')).toEqual([10_000n, 0n]);
  await expectEven(h);
});

test('a transfer that comes back after its arrival is found by the bank’s entries', async () => {
  const { user, reference } = await cardanoPayout('USD');
  const before = await houseOf(h);
  await endAtHost(h, reference, 'complete');
  await polled();
  await endAtHost(h, reference, 'return', 'AC04');
  const rail = h.app.features.rails.find(({ name }) => name === 'bank-host');
  await rail?.theirs({ from: new Date(0), to: new Date(h.clock.now().getTime() + 60_000) });
  await h.drain();
  expect(await payoutState(h, reference)).toBe('RETURNED');
  expect(await flowsOf(h, user)).toMatchObject([{ status: 'FAILED', given_back: 'WALLET' }]);
  expect((await houseOf(h))['bank-host USD']).toBe(before['bank-host USD'] ?? 0n);
  await expectEven(h);
});

test.each(['drop', 'refuse', 'error', 'commit-then-drop', 'throttle', 'html', 'unauthorized'])(
  'a bank that answers by %s pays once',
  async (kind) => {
    await h.sandbox('POST', '/faults', { provider: 'bank-host', kind, times: 2, ms: 20 });
    const { user, reference } = await cardanoPayout('VND');
    await polled(2);
    await endAtHost(h, reference, 'complete');
    await polled();
    expect(await flowsOf(h, user)).toMatchObject([{ state: 'paid' }]);
    await expectEven(h);
  },
);

test('the bank’s entries and the books are the same, line by line', async () => {
  const rail = h.app.features.rails.find(({ name }) => name === 'bank-host');
  const window = { from: new Date(0), to: new Date(h.clock.now().getTime() + 60_000) };
  const ours: string[] = [];
  const lineOf = (line: { reference: string; kind: string; asset: string; units: bigint }) =>
    `${line.reference} ${line.kind} ${line.asset} ${line.units}`;
  for (let after: string | undefined; ; ) {
    const page = await rail?.ours(h.db, window, after);
    ours.push(...(page?.lines ?? []).map(lineOf));
    after = page?.next;
    if (after === undefined) break;
  }
  const theirs = await rail?.theirs(window);
  expect(theirs?.kind).toBe('done');
  const lines = theirs?.kind === 'done' ? theirs.value.lines : [];
  expect(ours.length).toBeGreaterThan(12);
  expect(ours.sort()).toEqual(lines.map(lineOf).sort());
  expect(await rail?.isUsed(h.db)).toBe(true);
  // The sums explain the gateway's balance, which is in rupiah.
  expect(await payoutTotals(h.db)).toEqual({ asked: 0n, sent: 0n });
});

test.each([
  [{}, 400, /destination_bank is required/],
  [{ destination_bank: { ...hostBank('SGD'), bank_code: 'BCA' } }, 400, /bank_code.*BIC/],
  [{ destination_bank: { ...hostBank('AUD') } }, 400, /bank_code/],
  [{ currency_to: 'IDR', destination_bank: hostBank('SGD') }, 400, /first bank account/],
])('an order from Cardano to %j is refused before anything moves', async (over, status, error) => {
  const user = await rampUser(h, undefined, '100');
  const answer = await user.ramp('wallet-offramp-bank', { currency_to: 'SGD', ...over });
  expect(answer).toMatchObject([status, { error: expect.stringMatching(error) }]);
  expect(await user.balance('USD')).toEqual([10_000n, 0n]);
});
