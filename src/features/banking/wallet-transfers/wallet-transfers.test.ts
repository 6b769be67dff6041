import { expect, test } from 'vitest';
import { banking, codeOf } from '#test/banking.ts';
import { type Body, harness } from '#test/harness.ts';
import { linkIn } from '#test/mails.ts';

const h = await harness();
const { client_id } = await h.client();
const { holder, balance, post, send, confirm, sums, give } = banking(h);
const ada = await holder(client_id, '500.00');
const ben = await holder(client_id);

const read = (as: typeof ada, transfer_id: string) =>
  h.call('GET /wallets/fiat/transfers/{transfer_id}', { as, params: { transfer_id } });
const cancel = (as: typeof ada, transfer_id: string) =>
  h.call('POST /wallets/fiat/transfers/{transfer_id}/cancel', { as, params: { transfer_id } });
const claim = (as: typeof ada, transfer_id: string, body: object) =>
  post('POST /wallets/fiat/transfers/{transfer_id}/claim', as, { params: { transfer_id }, body });

/** Money for a new address, with the token of its link. */
async function sendToStranger(to: object, address: string) {
  const [status, { data }] = await send(ada, { to, amount: '10.00' });
  expect([status, data.status, data.substatus]).toEqual([201, 'PENDING', 'waiting_for_person']);
  await h.drain();
  const mails = await h.messages(address);
  return { transfer_id: data.transfer_id as string, ...linkIn(mails.at(0)) };
}

test('a transfer to a wallet, a user or a confirmed address arrives at once', async () => {
  await confirm(ben);
  for (const to of [{ wallet_id: ben.wallet_id }, { user_id: ben.user_id }, { email: ben.email }]) {
    const [status, { data }] = await send(ada, { to, amount: '1.00', note: 'Lunch' });
    expect([status, data.status, data.fee]).toEqual([201, 'COMPLETED', '0.00']);
    expect(data.received).toEqual({ amount: '1.00', currency: 'USD' });
  }
  expect([await balance(ada), await balance(ben)]).toEqual(['497.00 0.00', '3.00 0.00']);
});

test('either side reads a transfer, a stranger does not, and lists have its side', async () => {
  const [, { data }] = await send(ada, {
    to: { user_id: ben.user_id },
    amount: 2,
    reference: 'rent-1',
  });
  expect(data).toMatchObject({ side: 'sent', reference: 'rent-1', amount: '2.00' });
  const [, seen] = await read(ben, data.transfer_id);
  expect(seen.data).toMatchObject({ side: 'received', amount: '2.00', fee: '0.00' });
  expect(seen.data.to.wallet_id).toBe(ben.wallet_id);
  const stranger = await holder(client_id);
  expect(codeOf(await read(stranger, data.transfer_id))).toEqual([404, 'NOT_FOUND']);
  const list = async (as: typeof ada, query: Record<string, string>) =>
    (await h.call('GET /wallets/fiat/transfers', { as, query }))[1].data.items;
  expect(await list(ada, { reference: 'rent-1' })).toHaveLength(1);
  expect(await list(ada, { side: 'received' })).toHaveLength(0);
  const received: Body[] = await list(ben, { side: 'received' });
  expect(received.map(({ side }) => side)).toEqual(received.map(() => 'received'));
  expect(received[0].transfer_id).toBe(data.transfer_id);
});

test('each side has its own row of payments', async () => {
  const [, { data }] = await send(ada, { to: { user_id: ben.user_id }, amount: '1.00' });
  for (const as of [ada, ben]) {
    const query = { reference: data.transfer_id };
    const [, { data: found }] = await h.call('GET /payments', { as, query });
    expect(found.items).toHaveLength(1);
    const [row] = found.items;
    expect(row).toMatchObject({ rail: 'wallet', direction: 'internal', status: 'SUCCEEDED' });
    expect(row.object.href).toBe(`/wallets/fiat/transfers/${data.transfer_id}`);
  }
});

test('a split pays all of its receivers or none', async () => {
  const cleo = await holder(client_id);
  const split = [
    { to: { user_id: ben.user_id }, amount: '2.00' },
    { to: { wallet_id: cleo.wallet_id }, amount: '3.00', note: 'Taxi' },
  ];
  const [status, { data }] = await send(ada, { split });
  expect([status, data.amount, data.to]).toEqual([201, '5.00', null]);
  expect(data.parts.map(({ amount }: Body) => amount)).toEqual(['2.00', '3.00']);
  const [, seen] = await read(cleo, data.transfer_id);
  expect(seen.data).toMatchObject({ amount: '3.00', note: 'Taxi', parts: [] });
  const before = await balance(ada);
  const tooMuch = [split[0], { ...split[1], amount: '100.00' }];
  const refused = await send(await holder(client_id, '50.00'), { split: tooMuch });
  expect(refused[1].error).toMatchObject({
    code: 'INSUFFICIENT_BALANCE',
    details: { required: '102.00', currency: 'USD' },
  });
  const mixed = [split[0], { to: { email: 'new@example.org' }, amount: '1.00' }];
  expect(codeOf(await send(ada, { split: mixed }))).toEqual([409, 'RECIPIENT_UNAVAILABLE']);
  expect(codeOf(await send(ada, { split: [split[0], split[0]] }))[1]).toBe('VALIDATION_ERROR');
  expect(await balance(ada)).toBe(before);
});

test('wrong amounts, wallets and fields are refused before anything moves', async () => {
  const before = await balance(ada);
  const to = { wallet_id: ben.wallet_id };
  const rupiah = await give(ben.user_id, '0', 'IDR');
  for (const amount of ['-1', '0', '1.001', '1e3', '1234567890123456', 'x'])
    expect(codeOf(await send(ada, { to, amount })), amount).toEqual([400, 'VALIDATION_ERROR']);
  const refusals = [
    [{ to: { wallet_id: ada.wallet_id } }, 'SAME_WALLET'],
    [{ to: { wallet_id: rupiah.wallet_id } }, 'CURRENCY_MISMATCH'],
    [{ to: { wallet_id: 999_999 } }, 'WALLET_NOT_FOUND'],
    [{ to: { ...to, email: 'a@example.org' } }, 'VALIDATION_ERROR'],
    [{ to, quote_id: 'qte_x' }, 'VALIDATION_ERROR'],
    [{ to: { ...to, extra: 1 } }, 'UNKNOWN_FIELD'],
  ] as const;
  for (const [body, code] of refusals)
    expect(codeOf(await send(ada, { amount: '1.00', ...body }))[1]).toBe(code);
  const other = await holder((await h.client()).client_id);
  const foreign = await send(ada, { to: { user_id: other.user_id }, amount: '1.00' });
  expect(codeOf(foreign)).toEqual([404, 'USER_NOT_FOUND']);
  const noKey = await h.call('POST /wallets/fiat/transfers', { as: ada, body: {} });
  expect(codeOf(noKey)).toEqual([400, 'IDEMPOTENCY_KEY_REQUIRED']);
  expect(await balance(ada)).toBe(before);
});

test('a frozen wallet receives and does not send, and a stopped person does neither', async () => {
  const dan = await holder(client_id, '5.00');
  const admin = await h.user({ client_id, role: 'admin' });
  const params = { wallet_id: dan.wallet_id };
  const body = { reason: 'Under review' };
  await h.call('POST /wallets/fiat/{wallet_id}/freeze', { as: admin, params, body });
  const to = { wallet_id: dan.wallet_id };
  expect((await send(ada, { to, amount: '1.00' }))[0]).toBe(201);
  const back = await send(dan, { to: { user_id: ada.user_id }, amount: '1.00' });
  expect(codeOf(back)).toEqual([403, 'WALLET_FROZEN']);
  await h.call('POST /admins/users/{user_id}/stop', {
    as: admin,
    params: { user_id: dan.user_id },
    body,
  });
  expect(codeOf(await send(ada, { to, amount: '1.00' }))).toEqual([409, 'RECIPIENT_UNAVAILABLE']);
});

test('the page behind a claim link is in the language of its reader', async () => {
  const { link, transfer_id } = await sendToStranger(
    { email: 'sari@example.org' },
    'sari@example.org',
  );
  const open = async (address: string, accepted: string) =>
    (await fetch(address, { headers: { 'accept-language': accepted } })).text();
  const indonesian = await open(link, 'id-ID,en;q=0.5');
  expect(indonesian).toContain('<html lang="id">');
  expect(indonesian).toContain('mengirim USD 10,00 kepada Anda');
  expect(await open(`${link}&lang=en`, 'id')).toContain('Somebody has sent you USD 10.00');
  await cancel(ada, transfer_id);
  expect(await open(link, 'id')).toContain('tidak berlaku lagi');
});

test('money for a new address is held, and its owner claims it once', async () => {
  const { transfer_id, token, link } = await sendToStranger(
    { email: 'Grace@Example.org' },
    'grace@example.org',
  );
  expect(await (await fetch(link)).text()).toContain('USD 10.00');
  const grace = { ...ben, ...(await h.user({ client_id, email: 'grace@example.org' })) };
  const own = { claim_token: token };
  expect(codeOf(await claim(grace, transfer_id, own))).toEqual([403, 'VERIFICATION_REQUIRED']);
  await confirm(grace);
  const wrong = { claim_token: 'f'.repeat(36) };
  expect(codeOf(await claim(grace, transfer_id, wrong))).toEqual([404, 'NOT_FOUND']);
  const all = await Promise.all(Array.from({ length: 20 }, () => claim(grace, transfer_id, own)));
  expect(all.map(([status]) => status)).toEqual(all.map(() => 200));
  expect(all[0]?.[1].data).toMatchObject({ side: 'received', status: 'COMPLETED' });
  expect(await balance(await give(grace.user_id, '0'))).toBe('10.00 0.00');
  expect(codeOf(await cancel(ada, transfer_id))).toEqual([409, 'INVALID_STATUS']);
});

test('of a claim and a cancellation at once one counts', async () => {
  const all = banking(h);
  const heidi = { ...ben, ...(await h.user({ client_id, email: 'heidi@example.org' })) };
  const wallet = await give(heidi.user_id, '0');
  const links = [];
  for (let n = 0; n < 6; n += 1)
    links.push(await sendToStranger({ email: heidi.email }, heidi.email));
  await confirm(heidi);
  const before = Number.parseFloat(await balance(ada));
  const came = await Promise.all(
    links.map(async ({ transfer_id, token }) => {
      const [claimed, cancelled] = await Promise.all([
        claim(heidi, transfer_id, { claim_token: token }),
        cancel(ada, transfer_id),
      ]);
      expect([claimed[0], cancelled[0]].sort()).toEqual([200, 409]);
      return claimed[0] === 200 ? 10 : 0;
    }),
  );
  const sum = came.reduce((total: number, one) => total + one, 0);
  expect(await balance(wallet)).toBe(`${sum.toFixed(2)} 0.00`);
  expect(await balance(ada)).toBe(`${(before - sum).toFixed(2)} 0.00`);
  expect(await all.sums()).toEqual([]);
});

test('what is not claimed in time goes back, and late claims are refused', async () => {
  const before = await balance(ada);
  const body = { to: { email: 'late@example.org' }, amount: '5.00', claim_expires_in_s: 3600 };
  const [, { data: sent }] = await send(ada, body);
  await h.drain();
  const { token } = linkIn((await h.messages('late@example.org'))[0]);
  const late = await h.user({ client_id, email: 'late@example.org' });
  await confirm(late);
  await h.advance(3700);
  await h.drain();
  const [, { data }] = await read(ada, sent.transfer_id);
  expect(data).toMatchObject({ status: 'EXPIRED', failure: null });
  expect(await balance(ada)).toBe(before);
  const again = await claim({ ...ben, ...late }, sent.transfer_id, { claim_token: token });
  expect(again[1].error).toMatchObject({
    code: 'INVALID_STATUS',
    details: { status: 'EXPIRED', allowed: ['PENDING'] },
  });
});

test('only its sender cancels a transfer, while it waits, and a repetition answers it', async () => {
  const before = await balance(ada);
  const { transfer_id } = await sendToStranger({ phone: '+12025550147' }, '+12025550147');
  expect(codeOf(await cancel(ben, transfer_id))).toEqual([404, 'NOT_FOUND']);
  expect((await cancel(ada, transfer_id))[1].data.status).toBe('CANCELLED');
  expect((await cancel(ada, transfer_id))[0]).toBe(200);
  expect(await balance(ada)).toBe(before);
  const [, { data }] = await send(ada, { to: { user_id: ben.user_id }, amount: '1.00' });
  expect(codeOf(await cancel(ada, data.transfer_id))).toEqual([409, 'INVALID_STATUS']);
});

test('a user sends to twenty new addresses a day', async () => {
  const rich = await holder(client_id, '100.00');
  const to = (n: number) => ({ email: `new-${n}@example.org` });
  for (let n = 0; n < 20; n += 1)
    expect((await send(rich, { to: to(n), amount: '0.10' }))[0]).toBe(201);
  const over = await send(rich, { to: to(20), amount: '0.10' });
  expect(codeOf(over)).toEqual([429, 'LIMIT_EXCEEDED']);
  expect(over[1].error.details.resets_at).toBeDefined();
  expect((await send(rich, { to: to(3), amount: '0.10' }))[0]).toBe(201);
});

test('no money was made or lost', async () => {
  expect(await sums()).toEqual([]);
});
