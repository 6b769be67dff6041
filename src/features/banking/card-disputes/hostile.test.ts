import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { uuidOfObjectId } from '#kernel/object-id.ts';
import { cardDisputes } from '#test/card-disputes.ts';
import { type Body, harness } from '#test/harness.ts';
import { processorProof } from '#test/issued-cards.ts';

const h = await harness();
const c = cardDisputes(h);

const tell = (case_token: string, token: string, headers = processorProof()) =>
  h.call('POST /cards/processor/events', {
    as: 'nobody',
    headers,
    body: JSON.stringify({
      casetransitions: [{ type: 'casetransition.closed', token, case_token }],
    }),
  });
const uuid = (dispute_id: string): string => uuidOfObjectId('dsp', dispute_id) ?? '';
const arm = (kind: string, times = 1) =>
  h.sandbox('POST', '/faults', { provider: 'issuing', kind, times });

async function later(): Promise<void> {
  for (let n = 0; n < 3; n += 1) {
    await h.advance(3600);
    await h.drain();
  }
}

test('a forged notification changes nothing: the case is looked up', async () => {
  const siti = await c.cardHolder('100.00');
  const id = await c.submitted(siti, 40);
  const forged = { authorization: `Basic ${Buffer.from('archipay:guess').toString('base64')}` };
  expect((await tell(uuid(id), 'x', { ...processorProof(), ...forged }))[0]).toBe(401);
  expect((await tell(uuid(id), 'it-is-won'))[0]).toBe(200);
  expect((await tell('019e4d6f-2a7b-7c31-9d52-8f4b6c1a7e30', 'none'))[0]).toBe(200);
  expect((await tell('../../cards', 'odd'))[0]).toBe(200);
  await h.drain();
  expect((await c.read(siti, id)).status).toBe('SUBMITTED');
  expect(await c.balance(siti)).toBe('100.00 0.00');
});

test('news that come twice, late and again move the money once', async () => {
  const siti = await c.cardHolder('100.00');
  const id = await c.submitted(siti, 40);
  const first = await c.news(id, 'representment', true);
  const second = await c.news(id, 'prearbitration', true);
  const last = await c.news(id, 'won', true);
  const told = [last, first, second, last, first].map((one: Body) => one.transition.token);
  for (const token of told) {
    await tell(uuid(id), token);
    await h.drain();
  }
  const dispute = await c.read(siti, id);
  expect([dispute.status, dispute.network_events.length]).toEqual(['WON', 4]);
  const [open, posted] = await c.credited();
  expect([await c.balance(siti), posted]).toEqual(['100.00 0.00', open]);
  expect(await c.sums()).toEqual([]);
});

test.each(['transaction', 'amount'])(
  'a case about another %s than ours changes nothing',
  async (what) => {
    const siti = await c.cardHolder('100.00');
    const id = await c.submitted(siti, 40);
    const other = await c.bought(siti, 40);
    const field =
      what === 'amount'
        ? { dispute_amount: 4000 }
        : { original_transaction_token: other.transaction.token };
    await run(
      h.db,
      `update sandbox.records set data = jsonb_set(data::jsonb, '{dispute_details}', (data::jsonb -> 'dispute_details') || $2::jsonb)
     where kind = 'case' and id = $1`,
      [uuid(id), JSON.stringify(field)],
    );
    const before = await c.balance(siti);
    await c.news(id, 'won');
    expect([(await c.read(siti, id)).status, await c.balance(siti)]).toEqual(['SUBMITTED', before]);
  },
);

test('a notification that got lost is made up for by asking', async () => {
  const siti = await c.cardHolder('100.00');
  const id = await c.submitted(siti, 40);
  await c.news(id, 'lost', true);
  for (let n = 0; n < 8; n += 1) await h.advance(3600);
  await h.drain();
  const [row] = await run<{ status: string }>(
    h.db,
    'select status from card_disputes where object_id = $1',
    [id],
  );
  expect([row?.status, await c.balance(siti)]).toEqual(['LOST', '60.00 0.00']);
});

test.each(['commit-then-drop', 'drop'])(
  'calls whose answers get lost (%s) open, document and submit one case',
  async (kind) => {
    const siti = await c.cardHolder('100.00');
    const { ctx } = await c.bought(siti, 40);
    const evidence = [await c.file(siti, `%PDF-1.7 ${kind}`)];
    const [, { data }] = await c.dispute(siti, ctx, { evidence });
    await arm(kind, 5);
    await c.act(siti, 'submit', data.dispute_id);
    await later();
    await later();
    const [row] = await run<{ status: string; accepted_at: string | null }>(
      h.db,
      'select status, accepted_at from card_disputes where object_id = $1',
      [data.dispute_id],
    );
    expect(row).toMatchObject({ status: 'SUBMITTED', accepted_at: expect.any(String) });
    const documents = await h.db
      .selectFrom('sandbox.records')
      .select('data')
      .where('kind', '=', 'case-document')
      .execute();
    const ours = documents.filter(
      ({ data: one }) => (one as Body).case_token === uuid(data.dispute_id),
    );
    expect(ours).toHaveLength(1);
    expect(await c.balance(siti)).toBe('100.00 0.00');
  },
);

test('of twenty submissions and withdrawals at once each happens once', async () => {
  const siti = await c.cardHolder('100.00');
  const { ctx } = await c.bought(siti, 40);
  const made = await Promise.all(Array.from({ length: 10 }, () => c.dispute(siti, ctx)));
  const created = made.filter(([status]) => status === 201);
  expect(created).toHaveLength(1);
  const id = created[0]?.[1].data.dispute_id;
  await Promise.all(Array.from({ length: 10 }, () => c.act(siti, 'submit', id)));
  expect(await c.balance(siti)).toBe('100.00 0.00');
  await Promise.all(Array.from({ length: 10 }, () => c.act(siti, 'withdraw', id)));
  expect(await c.balance(siti)).toBe('60.00 0.00');
  const [open, posted] = await c.credited();
  expect([posted, await c.sums()]).toEqual([open, []]);
});
