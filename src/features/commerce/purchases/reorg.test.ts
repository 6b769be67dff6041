import { expect, test } from 'vitest';
import { createClock } from '#kernel/clock.ts';
import type { Rail } from '#kernel/reconciliation/rail.ts';
import { reconcileRail } from '#kernel/reconciliation/reconcile.ts';
import { emittedEvents } from '#test/emitted-events.ts';
import { harness } from '#test/harness.ts';
import { purchases } from '#test/purchases.ts';
import { node } from '#test/strangers.ts';

const h = await harness();
const p = purchases(h);
const RAIL = 'chain-neon';

test('a payment that its chain drops after it counted is a break for the operator', async () => {
  const { neon } = h.app.evm.chains;
  const operator = await h.operator();
  const who = await p.buyer();
  const order_id = await p.ordered(who);
  const checkpoint = await node(neon, 'evm_snapshot');
  expect((await p.execute(who, order_id))[0]).toBe(200);
  const { payment_tx_hash } = await p.row(order_id);
  await node(neon, 'evm_revert', checkpoint);
  await node(neon, 'anvil_mine', '0x20');
  const rail = h.app.features.rails.find(({ name }) => name === RAIL);
  const clock = createClock(h.clock.offsetMs + 3_600_000);
  const signal = new AbortController().signal;
  await reconcileRail({ ...h.kernel, clock }, rail as Rail, { signal, again: true });
  const query = { state: 'OPEN', rail: RAIL };
  const [, { data }] = await h.call('GET /reconciliation/breaks', { as: operator, query });
  const found = data.breaks.find(
    ({ reference }: { reference: string }) => reference === payment_tx_hash,
  );
  expect(found).toMatchObject({ rail: RAIL, cause: 'MISSING_AT_PROVIDER', state: 'OPEN' });
  const told = await emittedEvents(h, 'reconciliation', found.break_id);
  expect(told.map(({ type }) => type)).toEqual(['reconciliation.break_found']);
  const metrics = await (await fetch(new URL('/metrics', h.app.apiUrl()))).text();
  expect(metrics).toMatch(/archipay_reconciliation_breaks\{[^}]*rail="chain-neon"[^}]*\} [1-9]/);
});
