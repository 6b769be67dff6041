// Long: a process dies at every step.

import { randomUUID } from 'node:crypto';
import { encodeFunctionData, keccak256, toHex } from 'viem';
import { expect, test } from 'vitest';
import { marketplacePayments } from '#chains/evm/contracts/contracts.generated.ts';
import { recordPurchaseCall } from '#chains/evm/contracts/port.ts';
import { createEffects } from '#kernel/effects/effects.ts';
import { createSagas } from '#kernel/effects/saga.ts';
import { createJobs } from '#kernel/jobs/jobs.ts';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { emittedTypes } from '#test/emitted-events.ts';
import { harness } from '#test/harness.ts';
import { type Buyer, purchases } from '#test/purchases.ts';
import { until } from '#test/until.ts';
import { gate } from '#test/waiting.ts';
import { heldOf } from '#test/wallets.ts';
import { executeOrder } from './execute.ts';
import { purchaseMachine } from './machine.ts';

/**
 * What purchases promise where a process dies in the middle of one. The death is a call that never comes
 * back, which leaves the same behind; that nothing more is needed of a dead process is shown by the crash
 * matrix of the effects and, of the journal, by `chains/evm`.
 */
const h = await harness({ mock: false });
await h.drain();
const p = purchases(h);
const { evm, providers } = h.app;
const { neon } = evm.chains;
const { hot, deployer } = evm.keys;

type Death = 'written' | 'sent' | 'mined';
interface Place {
  readonly purpose: string;
  readonly dies: Death;
}

/** Confirms it in a process of its own, and lets that stay for ever where it says. */
async function confirmAndDie(who: Buyer, order_id: string, place: Place): Promise<void> {
  const there = gate();
  const { sender } = neon;
  const hanging: typeof sender = {
    ...sender,
    async execute(outgoing) {
      if (outgoing.purpose !== place.purpose) return sender.execute(outgoing);
      if (place.dies === 'sent') await sender.send(outgoing);
      const row = place.dies === 'mined' ? await sender.execute(outgoing) : undefined;
      await there.pass();
      return row ?? sender.execute(outgoing);
    },
  };
  const chains = { ...evm.chains, neon: { ...neon, sender: hanging } };
  const jobs = createJobs(h.kernel);
  const effects = createEffects({ ...h.kernel, jobs });
  const sagas = createSagas({ ...h.kernel, jobs, effects });
  const { fx, messages } = { ...providers, messages: { send: async () => undefined } };
  const deps = { ...h.kernel, sagas, fx, messages, evm: { ...evm, chains } };
  const machine = purchaseMachine(deps);
  sagas.register([machine]);
  const { user_id, client_id } = who.as;
  const caller = {
    key: null,
    user_id,
    client_id,
    role: 'user' as const,
    operator: false,
    session_id: randomUUID(),
  };
  const request = { id: 'r', ip: '127.0.0.1', userAgent: '', headers: {}, raw: Buffer.alloc(0) };
  const body = { order_id, confirmation: 'confirm', wallet_address: who.wallet_address };
  const asked = { caller, request, body };
  void executeOrder({ ...deps, machine, home: 'neon' }, asked).catch(() => undefined);
  await there.reached;
}

/** Makes the commerce contract refuse an order: it has one of that name. */
async function recordBefore(order_id: string): Promise<void> {
  const paymentTx = keccak256(toHex(order_id));
  const entry = { orderId: order_id, buyer: hot.address, units: 1n, paymentTx };
  const call = recordPurchaseCall(neon.contracts, { ...entry, metaHash: paymentTx });
  await neon.sender.execute({ signer: hot, ...call, reference: randomUUID(), purpose: 'test' });
}

/** Whether the payment contract takes USDC at all. */
async function accept(isAccepted: boolean): Promise<void> {
  const args = [neon.contracts.usdc, isAccepted] as const;
  const data = encodeFunctionData({ abi: marketplacePayments.abi, functionName: 'accept', args });
  const call = { to: neon.contracts.marketplace, data };
  const named = { reference: randomUUID(), purpose: 'test' };
  await neon.sender.execute({ signer: deployer, ...call, ...named });
}

/** What is told on the way to each end, each once. */
const STEPS_TO: Readonly<Record<string, readonly string[]>> = {
  FAILED: ['failed'],
  COMPLETED: ['paid', 'completed'],
  REFUNDED: ['paid', 'refund_started', 'refunded'],
};
const paidBack = (status: string) => status === 'REFUNDED' || status === 'FAILED';

async function endedOnce(who: Buyer, order_id: string, status: string): Promise<void> {
  expect(await p.row(order_id)).toMatchObject({ status });
  const left = paidBack(status) ? 100_000_000n : 80_000_000n;
  expect(await p.usdcOf('neon', who.wallet_address)).toBe(left);
  expect(await heldOf(h, who.wallet_address)).toEqual([]);
  const mails = await h.messages(who.as.email);
  const receipts = mails.filter(({ subject }) => subject.includes(order_id));
  expect(receipts).toHaveLength(paidBack(status) ? 0 : 1);
  const steps = ['created', 'confirmed', ...(STEPS_TO[status] ?? [])];
  expect(await emittedTypes(h, 'purchase', order_id)).toEqual(
    steps.map((one) => `purchase.${one}`),
  );
}

const STEPS = ['purchase allowance', 'purchase payment', 'purchase record', 'purchase refund'];
const DEATHS: readonly Death[] = ['written', 'sent', 'mined'];
const PLACES = STEPS.flatMap((purpose) => DEATHS.map((dies) => ({ purpose, dies })));

test('a purchase whose process dies anywhere happens once or is paid back once', async () => {
  const cases = [];
  for (const place of PLACES) {
    const [left, repeated] = [await p.buyer(), await p.buyer()];
    const ids = [await p.ordered(left), await p.ordered(repeated)];
    const isRefused = place.purpose === 'purchase refund';
    for (const id of ids) if (isRefused) await recordBefore(id);
    await confirmAndDie(left, ids[0] ?? '', place);
    await confirmAndDie(repeated, ids[1] ?? '', place);
    cases.push({ place, left, repeated, ids, status: isRefused ? 'REFUNDED' : 'COMPLETED' });
  }
  // Those are asked for again, several times at once; the others are left to their jobs.
  for (const { repeated, ids, status } of cases) {
    const again = () => p.execute(repeated, ids[1] ?? '');
    const answers = await Promise.all([again(), again(), again()]);
    const wanted = status === 'COMPLETED' ? 200 : 400;
    expect(answers.map(([answered]) => answered)).toEqual([wanted, wanted, wanted]);
    expect(
      new Set(answers.map(([, { request_id: _, ...body }]) => JSON.stringify(body))).size,
    ).toBe(1);
  }
  await h.advance(180);
  const ids = cases.flatMap((one) => one.ids);
  await until(h, async () => {
    const rows = await Promise.all(ids.map((id) => p.row(id)));
    return rows.every(({ status }) => status === 'COMPLETED' || status === 'REFUNDED');
  });
  for (const { left, repeated, ids, status } of cases) {
    await endedOnce(left, ids[0] ?? '', status);
    await endedOnce(repeated, ids[1] ?? '', status);
  }
  const completed = BigInt(cases.filter(({ status }) => status === 'COMPLETED').length * 2);
  expect(await p.house('purchases-owed', 'USD')).toBe(completed * 2_000n);
  expect(await p.house('purchase-payments', 'USDC')).toBe(-completed * 20_000_000n);
  expect(await p.house('purchases', 'USDC')).toBe(0n);
  expect(await verifyLedger(h.db)).toMatchObject({ broken: [] });
});

test('what the payment contract refuses has taken nothing', async () => {
  const who = await p.buyer();
  const order_id = await p.ordered(who);
  await accept(false);
  const refused = await p.execute(who, order_id);
  await accept(true);
  expect(refused).toMatchObject([
    400,
    { code: 'PROVIDER_REJECTED', details: { order_id, status: 'FAILED' } },
  ]);
  await endedOnce(who, order_id, 'FAILED');
  // It is over: the next one is another order.
  expect(await p.execute(who, order_id)).toMatchObject([400, { code: 'PROVIDER_REJECTED' }]);
});

test('an order that the commerce contract refuses is refunded, and its answer says so', async () => {
  const who = await p.buyer();
  const order_id = await p.ordered(who);
  await recordBefore(order_id);
  expect(await p.execute(who, order_id)).toMatchObject([
    400,
    {
      code: 'PROVIDER_REJECTED',
      details: { order_id, status: 'REFUNDED', tx_hash_refund: expect.stringMatching(/^0x/) },
    },
  ]);
  await endedOnce(who, order_id, 'REFUNDED');
});

test('what chains and journal say of purchases is the same, payments and refunds alike', async () => {
  const rail = h.app.features.rails.find(({ name }) => name === 'chain-neon');
  const window = { from: new Date(0), to: new Date(h.clock.now().getTime() + 60_000) };
  const theirs = await rail?.theirs(window);
  const ours = await rail?.ours(h.db, window);
  const told = (lines: readonly { reference: string; kind: string; units: bigint }[] = []) =>
    lines.map(({ reference, kind, units }) => `${reference} ${kind} ${units}`).sort();
  expect(theirs?.kind).toBe('done');
  expect(told(ours?.lines)).toEqual(theirs?.kind === 'done' ? told(theirs.value.lines) : []);
  const { payment_tx_hash } = await h.db
    .selectFrom('purchase_orders')
    .select('payment_tx_hash')
    .where('status', '=', 'COMPLETED')
    .executeTakeFirstOrThrow();
  expect(told(ours?.lines)).toContain(`${payment_tx_hash} send -20000000`);
});

test('out of mock mode a buyer without gas is refused before anything moves', async () => {
  const who = await p.buyer({ native: '0' });
  const [, order] = await p.create(who);
  expect(order).toMatchObject({
    transaction: { sufficient_balance: true, can_proceed: false },
    ready_for_payment: false,
  });
  expect(await p.execute(who, order.order_id)).toMatchObject([
    400,
    { code: 'INSUFFICIENT_FUNDS', error: 'Not enough NEON for gas' },
  ]);
  expect(await p.row(order.order_id)).toMatchObject({ status: 'CREATED' });
});
