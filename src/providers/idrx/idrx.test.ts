import { describe, expect, it } from 'vitest';
import type { BookLine } from '#kernel/reconciliation/rail.ts';
import { doneBy } from '#test/gateway.ts';
import { joinedIdrx, redeemWish, testIdrx, WALLET } from '#test/idrx.ts';
import { idrx } from './adapter.ts';

/** A chain that is there or away, as the test wants it. */
const chain = { isAway: false, issued: [] as string[] };
const { sandbox, settings, gateway, wish, pay, expire, endRedeem, mints, redeems } = await testIdrx(
  async ({ chainId, to, units, reference }) => {
    if (chain.isAway) throw new Error('The chain is away');
    chain.issued.push(`${reference} ${chainId} ${to} ${units}`);
    return `0x${'ab'.repeat(32)}`;
  },
);
const paid = async (fields = {}) => {
  const asked = wish();
  const { id } = doneBy(await gateway.createPayment(asked));
  await pay(asked.reference, fields);
  return { reference: asked.reference, id };
};

describe('a payment', () => {
  it('is a request to mint, found again by our reference or their id', async () => {
    const asked = wish();
    const made = doneBy(await gateway.createPayment(asked));
    expect(made).toMatchObject({
      reference: asked.reference,
      status: 'PENDING',
      units: 2_500_000n,
    });
    expect(made.paymentUrl).toContain('/idrx/checkout/');
    expect(doneBy(await gateway.findPayment(asked.reference))).toEqual(made);
    expect(doneBy(await gateway.findPayment(asked.reference, made.id))).toEqual(made);
    expect(await mints(asked.reference)).toMatchObject([
      { toBeMinted: '25000', networkChainId: '80002', destinationWalletAddress: WALLET },
    ]);
    expect(await gateway.findPayment('MINT-0-0')).toEqual({ kind: 'done', value: undefined });
    expect((await gateway.findPayment('MINT-0-0', 'none')).kind).toBe('unknown');
  });

  it('that is paid is minted once, in a known transaction', async () => {
    const seen = sandbox.received.length;
    const { reference } = await paid();
    expect(await pay(reference)).toMatchObject({ status: 409 });
    expect(doneBy(await gateway.findPayment(reference))).toMatchObject({
      status: 'PAID',
      units: 2_500_000n,
    });
    const hash = `0x${'ab'.repeat(32)}`;
    expect(doneBy(await gateway.findMint(reference))).toEqual({ hash });
    await sandbox.world.callbacks.idle();
    const calls = sandbox.received.slice(seen);
    expect(calls.map(({ path }) => path)).toEqual(['/api/idrtoken/callback/payment']);
    expect(gateway.isGenuine(calls[0]?.headers ?? {})).toBe(false);
    expect(gateway.readPaymentNotification(JSON.parse(String(calls[0]?.raw)))).toMatchObject({
      reference,
      status: 'PAID',
    });
  });

  it('by a dearer way costs as much more', async () => {
    for (const [way, units] of [
      ['VA', 2_800_000n],
      ['EWALLET', 2_541_750n],
    ] as const) {
      const { reference } = await paid({ way });
      expect(doneBy(await gateway.findPayment(reference))?.units).toBe(units);
    }
    const asked = wish();
    await gateway.createPayment(asked);
    expect(await pay(asked.reference, { way: 'CASH' })).toMatchObject({ status: 400 });
  });

  it('waits for an unreachable chain, and is minted at a later look-up', async () => {
    chain.isAway = true;
    const { reference } = await paid();
    expect(doneBy(await gateway.findPayment(reference))?.status).toBe('PAID');
    expect(doneBy(await gateway.findMint(reference))).toBeUndefined();
    chain.isAway = false;
    const before = chain.issued.length;
    // The look that finds it away starts it; whether that or a later one sees the end is open.
    while (doneBy(await gateway.findMint(reference)) === undefined);
    const references = chain.issued.slice(before).map((issued) => issued.split(' ')[0]);
    expect(new Set(references).size).toBe(1);
  });

  it('cannot be expired by us, and expires when its time is over', async () => {
    const asked = wish();
    const { id } = doneBy(await gateway.createPayment(asked));
    expect(await gateway.expirePayment(asked.reference, id)).toMatchObject({ kind: 'unknown' });
    await sandbox.control('POST /clock', { advance_s: 86_401 });
    expect(doneBy(await gateway.expirePayment(asked.reference)).status).toBe('EXPIRED');
    expect(await pay(asked.reference)).toMatchObject({ status: 409 });
    const lapsed = wish();
    await gateway.createPayment(lapsed);
    expect(await expire(lapsed.reference)).toMatchObject({ status: 200 });
    expect(await expire(lapsed.reference)).toMatchObject({ status: 409 });
    expect(await gateway.expirePayment('MINT-0-0')).toMatchObject({ kind: 'refused', status: 404 });
  });

  it('without a token, too small, or expired is refused', async () => {
    const { gateway: bare } = idrx(settings);
    expect(await bare.createPayment(wish())).toMatchObject({ code: 'MINT_REQUIRED' });
    const small = wish({ sale: { chain: 'amoy', address: WALLET, units: 100n } });
    expect(await gateway.createPayment(small)).toMatchObject({ kind: 'refused', status: 400 });
    const over = wish({ expiresAt: sandbox.clock.now() });
    expect(await gateway.createPayment(over)).toMatchObject({ code: 'EXPIRED' });
  });
});

describe('a pay-out', () => {
  it('redeems a burn once, also for twenty concurrent requests', async () => {
    const asked = redeemWish();
    const all = await Promise.all(Array.from({ length: 20 }, () => gateway.createPayout(asked)));
    expect(new Set(all.map((made) => doneBy(made).id)).size).toBe(1);
    expect(await redeems(asked.reference)).toMatchObject([
      { txHash: asked.burnt.hash, amount: '50000', bankCode: '014', bankName: 'BCA' },
    ]);
    const found = doneBy(await gateway.findPayout(asked.reference));
    expect(found).toMatchObject({
      reference: asked.reference,
      status: 'PENDING',
      units: asked.units,
    });
    const burnHash = asked.burnt.hash.toUpperCase().replace('0X', '0x');
    expect(doneBy(await gateway.findRedemption(asked.reference, burnHash))).toEqual(found);
    expect(doneBy(await gateway.findPayout('REDEEM-0-0'))).toBeUndefined();
  });

  it('of a burn that was redeemed for another account stays unknown', async () => {
    const asked = redeemWish();
    await gateway.createPayout(asked);
    const elsewhere = { ...asked, to: { ...asked.to, accountNumber: '999999999' } };
    expect(await gateway.createPayout(elsewhere)).toMatchObject({ kind: 'unknown' });
  });

  it.each([
    ['complete', 'COMPLETED', 'PROCESSED'],
    ['fail', 'FAILED', 'REJECTED'],
  ] as const)('that ends by %s is %s', async (end, status, word) => {
    const { reference } = doneBy(await gateway.createPayout(redeemWish()));
    const seen = sandbox.received.length;
    expect(await endRedeem(reference, end)).toMatchObject({
      status: 200,
      body: { delivered: true },
    });
    expect(await endRedeem(reference, end)).toMatchObject({ status: 409 });
    expect(doneBy(await gateway.findPayout(reference))?.status).toBe(status);
    const [call] = sandbox.received.slice(seen);
    const body = JSON.parse(String(call?.raw));
    expect([call?.path, body.burnStatus]).toEqual(['/api/idrtoken/callback/transfer', word]);
    expect(gateway.readPayoutNotification(body)).toMatchObject({ reference, status });
  });

  it('without a burn, or to a bank that IDRX does not know, is refused', async () => {
    const { gateway: bare } = idrx(settings);
    expect(await bare.createPayout(redeemWish())).toMatchObject({ code: 'BURN_REQUIRED' });
    const asked = redeemWish();
    const nowhere = { ...asked, to: { ...asked.to, bankCode: 'NOBANK' } };
    expect(await gateway.createPayout(nowhere)).toMatchObject({ code: 'BANK_NOT_SUPPORTED' });
    expect(await redeems(asked.reference)).toEqual([]);
    const byNumber = { ...asked, to: { ...asked.to, bankCode: '008' } };
    expect(doneBy(await gateway.createPayout(byNumber)).status).toBe('PENDING');
  });
});

describe('its door', () => {
  it.each(['url', 'path'] as const)('takes requests signed in the form of %s', async (form) => {
    const on = joinedIdrx({ ...settings, form });
    const asked = wish();
    expect(doneBy(await on.createPayment(asked)).status).toBe('PENDING');
    expect(doneBy(await on.findPayment(asked.reference))?.status).toBe('PENDING');
  });

  it('takes no other signature, no other key and no old one', async () => {
    const hour = sandbox.clock.now().getTime() - 3_600_000;
    const clock = { ...sandbox.clock, now: () => new Date(hour) };
    for (const wrong of [{ secret: 'YW5vdGhlcg==' }, { apiKey: 'other' }, { clock }])
      expect(await joinedIdrx({ ...settings, ...wrong }).findPayment('MINT-0-0')).toMatchObject({
        kind: 'unknown',
        cause: 'answered 401',
      });
  });

  it('refuses common clients at its edge', async () => {
    for (const agent of ['curl/8.5.0', 'node', 'undici']) {
      const reply = await fetch(`${settings.url()}/transaction/method`, {
        headers: { 'user-agent': agent },
      });
      expect(reply.status).toBe(403);
    }
  });
});

it('its statement has payments and redemptions of all pages, by our references', async () => {
  const { reference } = await paid({ way: 'VA' });
  const done = doneBy(await gateway.createPayout(redeemWish()));
  await endRedeem(done.reference, 'complete');
  const rejected = doneBy(await gateway.createPayout(redeemWish()));
  await endRedeem(rejected.reference, 'fail');
  const window = { from: new Date(0), to: new Date(sandbox.clock.now().getTime() + 1000) };
  const lines: BookLine[] = [];
  for (let after: string | undefined; ; ) {
    const page = doneBy(await gateway.statement(window, after));
    lines.push(...page.lines);
    if (page.next === undefined) break;
    after = page.next;
  }
  const of = (one: string) => lines.filter((line) => line.reference === one);
  expect(of(reference)).toMatchObject([{ kind: 'payment', units: 2_800_000n }]);
  expect(of(done.reference)).toMatchObject([{ kind: 'payout', units: -4_500_000n }]);
  expect(of(rejected.reference)).toEqual([]);
  expect(doneBy(await gateway.balance())).toBe(0n);
});

it('a control reports an unknown object', async () => {
  expect(await pay('MINT-0-0')).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  expect(await expire('MINT-0-0')).toMatchObject({ status: 404 });
  expect(await endRedeem('REDEEM-0-0', 'fail')).toMatchObject({ status: 404 });
});
