import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { cardUser, SILENT } from '#test/cards.ts';
import { type Body, harness } from '#test/harness.ts';

/** Against the simulated network, whose clearing records are compared with the books. */
const h = await harness({ mock: false });
const admin = await h.user({ role: 'admin' });
const { client_id } = admin;
const ada = cardUser(h, await h.user({ client_id }));
const FAULTS = '/statements/card-network/faults';
// Schedules are due from their first run on.
await h.drain();

/** As often as the schedule runs in an hour, after which nothing counts as late. */
async function breaks(query: Record<string, string> = {}): Promise<Body[]> {
  await h.advance(3600);
  await h.drain();
  const [status, { data }] = await h.call('GET /reconciliation/breaks', { as: admin, query });
  expect(status).toBe(200);
  return data.breaks;
}
const standing = async (): Promise<Body> => {
  const [, { data }] = await h.call('GET /reconciliation/breaks', { as: await h.operator() });
  return data.rails.find(({ rail }: Body) => rail === 'card-network');
};
const rrnOf = async (reference: string) => {
  const rows = await run<{ rrn: string }>(
    h.db,
    'select rrn from card_transactions where reference_id = $1',
    [reference],
  );
  return rows[0]?.rrn ?? '';
};
async function toppedUp(amount: number): Promise<{ reference: string; rrn: string }> {
  const [status, { data }] = await ada.topUp(amount);
  expect(status).toBe(200);
  return { reference: data.reference_id, rrn: await rrnOf(data.reference_id) };
}

test('top-ups, refunds and pushes match the network’s clearing', async () => {
  const { reference } = await toppedUp(200);
  expect((await ada.refund(reference, '33.34'))[0]).toBe(200);
  expect((await ada.push(10))[0]).toBe(200);
  // Its answer gets lost; a look-up settles it.
  await ada.topUp(50, SILENT);
  await h.advance(120);
  await h.drain();
  expect(await breaks()).toEqual([]);
  const settled = await run<{ kind: string; side: string; units: bigint }>(
    h.db,
    `select kind, side, units from reconciliation_lines
     where rail = 'card-network' and state = 'SETTLED' order by side, units`,
    [],
  );
  const each = (side: string) => [
    { kind: 'refund', side, units: -3334n },
    { kind: 'push', side, units: -1000n },
    { kind: 'top-up', side, units: 5000n },
    { kind: 'top-up', side, units: 20_000n },
  ];
  expect(settled).toEqual([...each('OURS'), ...each('THEIRS')]);
});

test('a lost, doubled or altered line of the network is a break until it is corrected', async () => {
  const faults = ['lose', 'double', 'alter'] as const;
  const rrns = [];
  for (const [i, kind] of faults.entries()) {
    const { rrn } = await toppedUp(100 + i);
    rrns.push(rrn);
    await h.sandbox('POST', FAULTS, { kind, reference: rrn });
  }
  const found = await breaks();
  const shown = new Map(found.map((row) => [row.reference, row]));
  expect(rrns.map((rrn) => shown.get(rrn))).toMatchObject([
    { cause: 'MISSING_AT_PROVIDER', kind: 'top-up', our_amount: '100.00', client_id },
    { cause: 'DOUBLED_AT_PROVIDER', our_amount: null, their_amount: '101.00', client_id },
    { cause: 'AMOUNT_DIFFERS', our_amount: '102.00', their_amount: '1102.00', client_id },
  ]);
  const operator = await h.operator();
  const [, { data }] = await h.call('GET /reconciliation/breaks', { as: operator });
  expect(data.breaks).toHaveLength(3);
  await h.sandbox('DELETE', FAULTS);
  expect(await breaks({ state: 'OPEN' })).toEqual([]);
});

test('money at the network that we have not booked is a break for the operator', async () => {
  const { reference, rrn } = await toppedUp(7);
  await run(h.db, `update card_transactions set simulated = true where reference_id = $1`, [
    reference,
  ]);
  expect(await breaks({ state: 'OPEN' })).toEqual([]);
  const [, { data }] = await h.call('GET /reconciliation/breaks', {
    as: await h.operator(),
    query: { state: 'OPEN' },
  });
  expect(data.breaks).toMatchObject([
    { cause: 'MISSING_IN_OUR_BOOKS', reference: rrn, their_amount: '7.00', client_id: null },
  ]);
});

test.each(['drop', 'error'])(
  'a network that answers with %s leaves no break, and the run continues',
  async (kind) => {
    const before = await standing();
    await toppedUp(5);
    await h.sandbox('POST', '/faults', { provider: 'card-network', kind, times: 1 });
    expect(await breaks({ state: 'OPEN' })).toEqual([]);
    const during = await standing();
    expect(during.compared_until).toBe(before.compared_until);
    expect(during.failure).toMatch(/^THEIRS: ./);
    expect(await breaks({ state: 'OPEN' })).toEqual([]);
    expect(await standing()).toMatchObject({ failing_since: null });
  },
);

test('a charge-back whose callback got lost is found in the clearing, and booked', async () => {
  const user = cardUser(h, await h.user({ client_id }));
  const [, { data }] = await user.topUp(30);
  await h.sandbox('POST', '/faults', { provider: 'card-network', kind: 'drop', times: 1 });
  const { transaction_identifier: name } = data;
  await h.sandbox('POST', `/cards/${name}/status`, { status: 'CHARGEBACK', amount: '20' });
  expect(await breaks({ state: 'OPEN' })).toEqual([]);
  expect(await breaks({ state: 'OPEN' })).toEqual([]);
  expect(await user.balance()).toEqual([9_70n, 0n]);
});
