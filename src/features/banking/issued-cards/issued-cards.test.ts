import { expect, test } from 'vitest';
import { objectId } from '#kernel/object-id.ts';
import { type Body, harness, type Person } from '#test/harness.ts';

const h = await harness();

async function holder(ekyc_status: 'APPROVED' | 'PENDING' = 'APPROVED') {
  const as = await h.user({ ekyc_status });
  const [, wallet] = await h.call('POST /wallets/fiat', { as, body: { currency: 'USD' } });
  return { as, wallet_id: wallet.data.wallet_id as number };
}
type Holder = Awaited<ReturnType<typeof holder>>;

const make = ({ as, wallet_id }: Holder, more: object = {}): Promise<[number, Body]> =>
  h.call('POST /cards', { as, body: { wallet_id, name_on_card: 'Siti Rahma', ...more } });
const made = async (of: Holder, more: object = {}) => (await make(of, more))[1].data;

type Act = 'activate' | 'freeze' | 'unfreeze' | 'close' | 'replace' | 'reveal' | 'pin';
const act = (as: Person, name: Act, card_id: string, body: object = {}, headers = {}) =>
  h.call(`POST /cards/{card_id}/${name}`, { as, params: { card_id }, body, headers });
const read = async (as: Person, card_id: string) =>
  (await h.call('GET /cards/{card_id}', { as, params: { card_id } }))[1].data;

/** As the processor has it. */
async function atProcessor(card_id: string) {
  await h.drain();
  const found = await h.db
    .selectFrom('sandbox.records')
    .select('data')
    .where('provider', '=', 'issuing')
    .where('kind', '=', 'card')
    .execute();
  const row = await h.db.selectFrom('issued_cards').select(['card_id', 'last4']).execute();
  const uuid = row.find(({ card_id: id }) => crd(id) === card_id)?.card_id;
  return found.map(({ data }) => data as Body).find(({ token }) => token === uuid);
}
const crd = (uuid: string) => objectId('crd', uuid);

test('a verified person gets a card on a wallet of their own', async () => {
  const siti = await holder();
  const [status, { data }] = await make(siti, { reference: 'travel' });
  expect([status, data]).toMatchObject([
    201,
    { status: 'INACTIVE', wallet_id: siti.wallet_id, currency: 'USD', reference: 'travel' },
  ]);
  expect(data.last4).toMatch(/^\d{4}$/);
  expect(await read(siti.as, data.card_id)).toMatchObject({
    last4: data.last4,
    reference: 'travel',
  });
  const kept = await atProcessor(data.card_id);
  expect(kept).toMatchObject({ name: 'Siti Rahma', state: 'UNACTIVATED' });
  expect(JSON.stringify([data, h.logs])).not.toContain(kept.pan);
  expect(JSON.stringify(await h.messages(siti.as.email))).toContain(`ends in ${data.last4}`);
});

test('whose identity is not verified gets no card', async () => {
  const [status, body] = await make(await holder('PENDING'));
  expect([status, body.error.code]).toEqual([403, 'VERIFICATION_REQUIRED']);
});

test('a wallet of another person or in another currency has no card', async () => {
  const [siti, other] = [await holder(), await holder()];
  const [status, body] = await make(siti, { wallet_id: other.wallet_id });
  expect([status, body.error.code]).toEqual([404, 'WALLET_NOT_FOUND']);
  const [, idr] = await h.call('POST /wallets/fiat', { as: siti.as, body: { currency: 'IDR' } });
  const refused = await make(siti, { wallet_id: idr.data.wallet_id });
  expect([refused[0], refused[1].error.code]).toEqual([400, 'RAIL_NOT_AVAILABLE']);
});

test('of twenty requests at once ten make a card', async () => {
  const siti = await holder();
  const answers = await Promise.all(Array.from({ length: 20 }, () => make(siti)));
  expect(answers.filter(([status]) => status === 201)).toHaveLength(10);
  expect(answers.find(([status]) => status === 409)?.[1].error.code).toBe('LIMIT_EXCEEDED');
});

test('a card goes its way, and the processor follows', async () => {
  const siti = await holder();
  const { card_id } = await made(siti);
  const step = async (name: Act, body: object = {}) => {
    const [status, answer] = await act(siti.as, name, card_id, body);
    return [status, answer.data?.status ?? answer.error.code, (await atProcessor(card_id)).state];
  };
  expect(await step('freeze')).toEqual([409, 'INVALID_STATUS', 'UNACTIVATED']);
  expect(await step('activate')).toEqual([200, 'ACTIVE', 'ACTIVE']);
  expect(await step('activate')).toEqual([200, 'ACTIVE', 'ACTIVE']);
  expect(await step('freeze')).toEqual([200, 'FROZEN', 'SUSPENDED']);
  expect(await step('unfreeze')).toEqual([200, 'ACTIVE', 'ACTIVE']);
  expect(await step('close', { reason: 'STOLEN' })).toEqual([200, 'CLOSED', 'TERMINATED']);
  expect(await step('activate')).toEqual([409, 'INVALID_STATUS', 'TERMINATED']);
});

test('however fast a card is frozen and unfrozen, the processor has its last state', async () => {
  const siti = await holder();
  const { card_id } = await made(siti);
  await act(siti.as, 'activate', card_id);
  for (let n = 0; n < 5; n += 1)
    await Promise.all([act(siti.as, 'freeze', card_id), act(siti.as, 'unfreeze', card_id)]);
  await act(siti.as, 'freeze', card_id);
  expect((await atProcessor(card_id)).state).toBe('SUSPENDED');
});

test('a lost card is replaced by one with its controls and another number', async () => {
  const siti = await holder();
  const old = await made(siti, { controls: { online: false } });
  const [status, { data }] = await act(siti.as, 'replace', old.card_id, { reason: 'LOST' });
  expect([status, data]).toMatchObject([
    201,
    { status: 'INACTIVE', replaces: old.card_id, controls: { online: false } },
  ]);
  expect(await read(siti.as, old.card_id)).toMatchObject({
    status: 'CLOSED',
    closed_reason: 'LOST',
    replaced_by: data.card_id,
  });
  const numbers = [await atProcessor(old.card_id), await atProcessor(data.card_id)];
  expect(numbers[0].pan).not.toBe(numbers[1].pan);
  expect(numbers[0]).toMatchObject({ state: 'TERMINATED', state_reason: 'LOST' });
  expect((await act(siti.as, 'replace', old.card_id, { reason: 'LOST' }))[0]).toBe(409);
});

test('what an admin has frozen its owner does not unfreeze, and is mailed', async () => {
  const siti = await holder();
  const ada = await h.user({ role: 'admin', client_id: siti.as.client_id });
  const stranger = await h.user({ role: 'admin' });
  const { card_id } = await made(siti);
  await act(siti.as, 'activate', card_id);
  expect((await act(stranger, 'freeze', card_id))[0]).toBe(404);
  expect((await act(ada, 'freeze', card_id, { reason: 'Odd payments' }))[1].data.frozen_by).toBe(
    'ADMIN',
  );
  const refused = await act(siti.as, 'unfreeze', card_id);
  expect([refused[0], refused[1].error.code]).toEqual([403, 'FORBIDDEN']);
  expect((await act(siti.as, 'replace', card_id, { reason: 'LOST' }))[0]).toBe(403);
  await h.drain();
  const mails = await h.messages(siti.as.email);
  expect(JSON.stringify(mails)).toContain('frozen by an administrator');
  expect((await act(ada, 'unfreeze', card_id))[1].data).toMatchObject({
    status: 'ACTIVE',
    frozen_by: null,
  });
  const lines = await h.db
    .selectFrom('activity_log')
    .select('action')
    .where('actor_user_id', '=', ada.user_id)
    .execute();
  expect(lines.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['CARD_FROZEN', 'CARD_UNFROZEN']),
  );
  expect((await act(ada, 'activate', card_id))[0]).toBe(404);
});

test('controls of owner and client stand beside each other, by version', async () => {
  const siti = await holder();
  const ada = await h.user({ role: 'admin', client_id: siti.as.client_id });
  const { card_id, version } = await made(siti);
  const put = (as: Person, body: object) =>
    h.call('PUT /cards/{card_id}/controls', { as, params: { card_id }, body });
  const day = { spending_limits: [{ interval: 'day', amount: '200' }], version };
  const [status, { data }] = await put(siti.as, day);
  expect([status, data.controls]).toEqual([
    200,
    { spending_limits: [{ interval: 'day', amount: '200.00' }] },
  ]);
  expect((await put(siti.as, day))[1].error.code).toBe('VERSION_CONFLICT');
  const both = await put(ada, { blocked: { mcc: ['7995'] } });
  expect(both[1].data).toMatchObject({
    controls: data.controls,
    client_controls: { blocked: { mcc: ['7995'] } },
  });
  expect(
    (await put(siti.as, { spending_limits: [day.spending_limits[0], day.spending_limits[0]] }))[0],
  ).toBe(400);
  expect((await put(siti.as, { onlin: true }))[1].error.code).toBe('UNKNOWN_FIELD');
});

test('the number is on a page of the processor, once, after a proof', async () => {
  const siti = await holder();
  const { card_id } = await made(siti);
  const [status, { error }] = await act(siti.as, 'reveal', card_id);
  expect([status, error.code]).toEqual([403, 'STEP_UP_REQUIRED']);
  const { challenge_id } = error.details;
  const proof = { challenge_id, current_password: siti.as.password };
  expect((await h.call('POST /step-up', { as: siti.as, body: proof }))[0]).toBe(200);
  const headers = { 'x-step-up': challenge_id };
  // The proof is for the number, and for once.
  expect((await act(siti.as, 'pin', card_id, {}, headers))[0]).toBe(403);
  const [shown, { data }] = await act(siti.as, 'reveal', card_id, {}, headers);
  expect(shown).toBe(200);
  expect((await act(siti.as, 'reveal', card_id, {}, headers))[0]).toBe(403);
  const { pan } = await atProcessor(card_id);
  const open = async (method: string) => {
    const reply = await fetch(data.url, { method });
    return [reply.status, (await reply.text()).replace(/ /g, '').includes(pan)];
  };
  expect(await open('GET')).toEqual([200, false]);
  expect(await open('POST')).toEqual([200, true]);
  expect(await open('POST')).toEqual([404, false]);
});

test('a card ends with its time, and is closed at the processor', async () => {
  const siti = await holder();
  const valid_until = new Date(h.clock.ms() + 3_600_000).toISOString();
  const { card_id } = await made(siti, { valid_until, usage: 'single' });
  await act(siti.as, 'activate', card_id);
  await h.advance(4_000);
  expect((await atProcessor(card_id)).state).toBe('TERMINATED');
  expect((await read(siti.as, card_id)).status).toBe('EXPIRED');
});

test('another person’s card is not there', async () => {
  const [siti, other] = [await holder(), await holder()];
  const { card_id } = await made(siti);
  for (const name of ['activate', 'freeze', 'unfreeze', 'reveal', 'pin'] as const)
    expect([name, (await act(other.as, name, card_id))[0]]).toEqual([name, 404]);
  const [, { data }] = await h.call('GET /cards', { as: other.as });
  expect(data.items).toEqual([]);
  const [, own] = await h.call('GET /cards', { as: siti.as, query: { status: 'INACTIVE' } });
  expect(own.data.items.map((card: Body) => card.card_id)).toEqual([card_id]);
});
