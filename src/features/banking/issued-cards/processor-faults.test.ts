import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';

const h = await harness();

async function asked() {
  const as = await h.user({ ekyc_status: 'APPROVED' });
  const [, wallet] = await h.call('POST /wallets/fiat', { as, body: { currency: 'USD' } });
  const body = { wallet_id: wallet.data.wallet_id, name_on_card: 'Siti Rahma' };
  const [, { data }] = await h.call('POST /cards', { as, body });
  const { card_id } = data;
  const now = async () =>
    (await h.call('GET /cards/{card_id}', { as, params: { card_id } }))[1].data;
  return { as, card_id, first: data, now };
}
const made = async () => {
  const rows = await h.db
    .selectFrom('sandbox.records')
    .select('id')
    .where('provider', '=', 'issuing')
    .where('kind', '=', 'card')
    .execute();
  return rows.length;
};

const arm = (kind: string, times = 1) =>
  h.sandbox('POST', '/faults', { provider: 'issuing', kind, times });

/** Long enough for every further try. */
async function later(): Promise<void> {
  for (let n = 0; n < 3; n += 1) {
    await h.advance(3_600);
    await h.drain();
  }
}

test('a card whose answer is lost is made once, and shown once it is known', async () => {
  const before = await made();
  await arm('commit-then-drop', 2);
  const { first, now } = await asked();
  expect(['PENDING', 'INACTIVE']).toContain(first.status);
  await later();
  expect((await now()).status).toBe('INACTIVE');
  expect((await made()) - before).toBe(1);
});

test('a card that the processor refuses has failed, and is none of the open ones', async () => {
  await arm('refuse-with');
  const { first } = await asked();
  expect([first.status, first.last4]).toEqual(['FAILED', null]);
});

test('a card is frozen here at once, and at the processor once that answers', async () => {
  const { as, card_id } = await asked();
  await h.call('POST /cards/{card_id}/activate', { as, params: { card_id }, body: {} });
  await h.drain();
  await arm('drop', 2);
  const [, { data }] = await h.call('POST /cards/{card_id}/freeze', {
    as,
    params: { card_id },
    body: {},
  });
  expect(data.status).toBe('FROZEN');
  await later();
  const kept = await h.db
    .selectFrom('sandbox.records')
    .select('data')
    .where('provider', '=', 'issuing')
    .where('kind', '=', 'card')
    .execute();
  const states = kept.map(({ data: card }) => (card as { state: string }).state);
  expect(states).toContain('SUSPENDED');
});
