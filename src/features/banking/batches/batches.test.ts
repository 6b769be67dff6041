import { expect, test } from 'vitest';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { batchMaker } from '#test/batches.ts';
import { type Body, harness } from '#test/harness.ts';
import { logInAgain } from '#test/log-in-again.ts';

/** Mock mode, where banks pay as they are asked to. */
const h = await harness();
await h.drain();

const codeOf = ([status, { error }]: [number, Body]) => [status, error?.code];
const DAY_S = 86_400;

test('a batch is drafted, submitted, approved by another person, and paid', async () => {
  const user = await batchMaker(h, 'USD', 10_000n);
  const { wallet_id, person } = await user.otherWallet();
  const [status, { data: draft }] = await user.draft(
    [
      ...user.lines('10', '12.50'),
      {
        recipient: { kind: 'wallet', name: 'Budi', details: { wallet_id } },
        amount: 5,
        reference: 'to-budi',
        note: 'Lunch',
      },
    ],
    { reference: 'salaries-11', metadata: { month: '11' } },
  );
  expect([status, draft]).toMatchObject([
    201,
    {
      batch_id: expect.stringMatching(/^bat_/),
      status: 'DRAFT',
      count: 3,
      total: '27.50',
      fees: '1.00',
      errors: [],
      version: 1,
      reference: 'salaries-11',
      metadata: { month: '11' },
      funding: 'at_approval',
      submitted_by: null,
    },
  ]);
  expect(await user.balance()).toEqual({ balance: '100.00', held: '0.00' });
  const [, { data: submitted }] = await user.submit(draft);
  expect(submitted).toMatchObject({
    status: 'PENDING_APPROVAL',
    substatus: 'waiting_for_approval',
    submitted_by: user.as.user_id,
    content_hash: draft.content_hash,
  });
  expect((await user.balance()).held).toBe('0.00');
  const [, { data: approved }] = await user.approve(submitted);
  expect(approved).toMatchObject({ status: 'SCHEDULED', total: '27.50' });
  expect(await user.balance()).toEqual({ balance: '100.00', held: '28.50' });
  await h.drain();
  expect(await user.read(draft.batch_id)).toMatchObject({
    status: 'COMPLETED',
    completed_count: 3,
    completed_total: '27.50',
    failed_count: 0,
    failure: null,
    reference: 'salaries-11',
  });
  expect(await user.balance()).toEqual({ balance: '71.50', held: '0.00' });
  const items = await user.items(draft.batch_id);
  expect(items.map((one) => [one.line, one.status, one.amount, one.fee, one.reference])).toEqual([
    [1, 'COMPLETED', '10.00', '0.50', `${draft.batch_id}-1`],
    [2, 'COMPLETED', '12.50', '0.50', `${draft.batch_id}-2`],
    [3, 'COMPLETED', '5.00', '0.00', 'to-budi'],
  ]);
  expect(items[2]).toMatchObject({ note: 'Lunch', payment_id: items[2]?.['item_id'] });
  const [, { data: wallets }] = await h.call('GET /wallets/fiat/{user_id}', {
    as: person,
    params: { user_id: person.user_id },
  });
  expect(wallets.wallets.find((one: Body) => one.wallet_id === wallet_id).balance).toBe('5.00');
  const [, { data: found }] = await h.call('GET /payments', {
    as: user.as,
    query: { reference: 'to-budi' },
  });
  expect(found.items).toMatchObject([
    { rail: 'batch', status: 'SUCCEEDED', amount: '5.00', object: { id: items[2]?.['item_id'] } },
  ]);
  expect((await verifyLedger(h.db)).broken).toEqual([]);
});

test('rows that cannot be paid are listed by line, and with any of them nothing is submitted', async () => {
  const user = await batchMaker(h, 'IDR', 100_000_000n);
  const other = await batchMaker(h, 'IDR', 1n);
  const evm = { kind: 'evm', name: 'Chain', details: { address: '0x1', network: 'base' } };
  const bank = (details: object, more: object = {}) => ({
    recipient: { kind: 'bank', name: 'Siti', country: 'ID', details, ...more },
    amount: '150000',
  });
  const [status, { data }] = await user.draft([
    ...user.lines('150000', '0', '-1', '1.001', '1e5', '150000.50', '1'),
    { recipient_id: other.recipient_id, amount: '150000' },
    { recipient_id: 'rcp_nonsense', amount: '150000' },
    { recipient: evm, amount: '1' },
    { ...user.lines('150000')[0], reference: 'twice' },
    { ...user.lines('150000')[0], reference: 'twice' },
    { ...user.lines('150000')[0], reference: 'with blank' },
    { ...user.lines('150000')[0], note: 'x'.repeat(141) },
    bank({ bank_code: 'NONE', account_number: '1234567890' }),
    bank({ bank_code: 'BCA', account_number: '1234567890' }, { currency: 'USD' }),
    {
      recipient: { kind: 'wallet', name: 'Me', details: { wallet_id: user.wallet_id } },
      amount: 1,
    },
    { amount: '150000' },
    bank({ bank_code: 'BCA', account_number: '1234567890' }),
  ]);
  expect(status).toBe(201);
  expect(data).toMatchObject({ count: 3, total: '450000.00', fees: '7500.00', status: 'DRAFT' });
  const listed = data.errors.map(({ line, field }: Body) => `${line} ${field}`);
  expect(listed).toEqual([
    '2 amount',
    '3 amount',
    '4 amount',
    '5 amount',
    '6 amount',
    '7 amount',
    '8 recipient_id',
    '9 recipient_id',
    '10 recipient',
    '12 reference',
    '13 reference',
    '14 note',
    '15 recipient.details.bank_code',
    '16 recipient',
    '17 recipient',
    '18 recipient_id',
  ]);
  expect(data.errors[8].message).toContain('RAIL_NOT_AVAILABLE');
  expect(codeOf(await user.submit(data))).toEqual([409, 'INVALID_STATUS']);
  const [, { data: put }] = await h.call('PUT /batches/{batch_id}/items', {
    as: user.as,
    params: { batch_id: data.batch_id },
    body: { items: user.lines('150000'), version: data.version },
  });
  expect(put).toMatchObject({ count: 1, errors: [], version: 2 });
  expect(put.content_hash).not.toBe(data.content_hash);
  expect((await user.submit(put))[0]).toBe(200);
});

test('a body that is none as a whole is refused, and nothing is stored', async () => {
  const user = await batchMaker(h, 'USD', 10_000n);
  const many = Array.from({ length: 10_001 }, () => user.lines('1')[0] as object);
  expect(codeOf(await user.draft([]))).toEqual([400, 'VALIDATION_ERROR']);
  expect(codeOf(await user.draft(many))).toEqual([400, 'VALIDATION_ERROR']);
  const misspelt = [{ ...user.lines('1')[0], referense: 'x' }];
  expect(codeOf(await user.draft(misspelt))).toEqual([400, 'UNKNOWN_FIELD']);
  expect(codeOf(await user.draft(user.lines('1'), { quotation: 'qte_x' }))).toEqual([
    400,
    'UNKNOWN_FIELD',
  ]);
  const over = { execute_at: new Date(h.clock.ms() + 91 * DAY_S * 1000).toISOString() };
  expect(codeOf(await user.draft(user.lines('1'), over))).toEqual([400, 'VALIDATION_ERROR']);
  const [, { data }] = await h.call('GET /batches', { as: user.as });
  expect(data.items).toEqual([]);
});

test('its submitter never approves it, and an approval names what was read', async () => {
  const user = await batchMaker(h, 'USD', 10_000n);
  const [, { data: draft }] = await user.draft(user.lines('10'), {}, user.ada);
  const [, { data }] = await user.submit(draft, user.ada);
  expect(data).toMatchObject({ status: 'PENDING_APPROVAL', submitted_by: user.ada.user_id });
  expect(codeOf(await user.approve(data, user.ada))).toEqual([403, 'SECOND_PERSON_REQUIRED']);
  expect((await user.approve(data, user.as))[0]).toBe(403);
  const other = { ...data, content_hash: '0'.repeat(64) };
  expect(codeOf(await user.approve(other, user.ben))).toEqual([409, 'CONTENT_CHANGED']);
  const old = { ...data, version: 1 };
  expect(codeOf(await user.approve(old, user.ben))).toEqual([409, 'VERSION_CONFLICT']);
  const unsaid = { content_hash: data.content_hash };
  expect(codeOf(await user.act('approve', data.batch_id, user.ben, unsaid))).toEqual([
    400,
    'VALIDATION_ERROR',
  ]);
  const [, { data: approved }] = await user.approve(data, user.ben);
  expect(approved.status).toBe('SCHEDULED');
  expect((await user.approve(data, user.ben))[1].data.status).toBe('SCHEDULED');
  // The same approval at its own address.
  const [, { data: next }] = await user.draft(user.lines('10'), {}, user.ada);
  await user.submit(next, user.ada);
  const [, { data: list }] = await h.call('GET /approvals', { as: user.ada, query: { limit: 1 } });
  const [{ approval_id, version, content_hash }] = list.items;
  const decide = (as: typeof user.ada) =>
    h.call('POST /approvals/{approval_id}/approve', {
      as,
      params: { approval_id },
      body: { version, content_hash },
    });
  expect(codeOf(await decide(user.ada))).toEqual([403, 'SECOND_PERSON_REQUIRED']);
  expect((await decide(user.ben))[0]).toBe(200);
  expect((await user.read(next.batch_id)).status).toBe('SCHEDULED');
});

test('an approval that the wallet cannot cover is refused, and nothing changes', async () => {
  const user = await batchMaker(h, 'USD', 1_000n);
  const [, { data: draft }] = await user.draft(user.lines('6', '6'));
  const [, { data }] = await user.submit(draft);
  const refused = await user.approve(data);
  expect(refused).toMatchObject([
    400,
    {
      error: {
        code: 'INSUFFICIENT_BALANCE',
        details: { available: '10.00', required: '13.00', currency: 'USD' },
      },
    },
  ]);
  expect(await user.read(draft.batch_id)).toMatchObject({ status: 'PENDING_APPROVAL' });
  await user.fund(300n);
  expect((await user.approve(data))[1].data.status).toBe('SCHEDULED');
  await h.drain();
  expect(await user.balance()).toEqual({ balance: '0.00', held: '0.00' });
});

test('an edit takes a submission back, and its references are free again', async () => {
  const user = await batchMaker(h, 'USD', 10_000n);
  const lines = [{ ...user.lines('10')[0], reference: 'rent-11' }];
  const [, { data: draft }] = await user.draft(lines);
  const [, { data }] = await user.submit(draft);
  const taken = (await user.draft(lines))[1].data;
  expect(taken.errors).toMatchObject([{ line: 1, field: 'reference' }]);
  const edit = (body: object) =>
    h.call('PATCH /batches/{batch_id}', {
      as: user.as,
      params: { batch_id: draft.batch_id },
      body,
    });
  expect(codeOf(await edit({ name: 'Other', version: 1 }))).toEqual([409, 'VERSION_CONFLICT']);
  const [, { data: edited }] = await edit({ name: 'Other', version: data.version });
  expect(edited).toMatchObject({ status: 'DRAFT', name: 'Other' });
  expect(codeOf(await user.approve(data))).toEqual([409, 'INVALID_STATUS']);
  expect((await user.draft(lines))[1].data.errors).toEqual([]);
  const [, { data: again }] = await user.submit(edited);
  expect(again.status).toBe('PENDING_APPROVAL');
  await user.approve(again);
  expect(codeOf(await edit({ name: 'Late' }))).toEqual([409, 'INVALID_STATUS']);
  await h.drain();
  expect((await user.read(draft.batch_id)).status).toBe('COMPLETED');
});

test('a reference is never paid twice over all batches of a client', async () => {
  const user = await batchMaker(h, 'USD', 10_000n);
  const lines = [{ ...user.lines('10')[0], reference: 'once' }];
  const [, { data: first }] = await user.draft(lines);
  const [, { data: second }] = await user.draft(lines);
  expect([first.errors, second.errors]).toEqual([[], []]);
  await user.submit(first);
  const refused = await user.submit(second);
  expect(codeOf(refused)).toEqual([409, 'REFERENCE_IN_USE']);
  await user.act('cancel', first.batch_id);
  expect(codeOf(await user.submit(second))).toEqual([409, 'REFERENCE_IN_USE']);
});

test('a rejected batch, and one without a decision in three days, hold and pay nothing', async () => {
  const user = await batchMaker(h, 'USD', 10_000n);
  const [, { data: one }] = await user.draft(user.lines('10'));
  const [, { data: submitted }] = await user.submit(one);
  const [, { data: rejected }] = await user.reject(submitted);
  expect(rejected).toMatchObject({
    status: 'REJECTED',
    cancelled_count: 1,
    failure: { code: 'REJECTED', retryable: false },
  });
  expect((await user.reject(submitted))[1].data.status).toBe('REJECTED');
  const [, { data: two }] = await user.draft(user.lines('10'));
  await user.submit(two);
  await h.advance(3 * DAY_S + 61);
  await h.drain();
  await logInAgain(h, user.as);
  expect(await user.read(two.batch_id)).toMatchObject({
    status: 'EXPIRED',
    failure: { code: 'APPROVAL_EXPIRED' },
  });
  expect(await user.balance()).toEqual({ balance: '100.00', held: '0.00' });
});

test('one that is cancelled gives back what it holds', async () => {
  const user = await batchMaker(h, 'USD', 10_000n);
  const execute_at = new Date(h.clock.ms() + 3_600_000).toISOString();
  const id = await user.approved(user.lines('10', '20'), { execute_at });
  expect(await user.read(id)).toMatchObject({
    status: 'SCHEDULED',
    substatus: 'scheduled',
    executes_at: execute_at,
  });
  expect((await user.balance()).held).toBe('31.00');
  const [, { data }] = await user.act('cancel', id);
  expect(data).toMatchObject({ status: 'CANCELLED', cancelled_count: 2 });
  expect((await user.act('cancel', id))[1].data.status).toBe('CANCELLED');
  expect(await user.balance()).toEqual({ balance: '100.00', held: '0.00' });
  const next = await user.approved(user.lines('10'), { execute_at });
  await h.advance(3_601);
  await h.drain();
  expect((await user.read(next)).status).toBe('COMPLETED');
  expect(codeOf(await user.act('cancel', next))).toEqual([409, 'INVALID_STATUS']);
});

test('a recipient that is changed after submission changes the content', async () => {
  const user = await batchMaker(h, 'USD', 10_000n);
  const change = () =>
    h.call('PATCH /recipients/{recipient_id}', {
      as: user.as,
      params: { recipient_id: user.recipient_id },
      body: {
        details: {
          bank_code: '026009593',
          account_number: String(10_000_000 + Math.floor(h.clock.ms() % 1_000_000)),
        },
      },
    });
  const [, { data: draft }] = await user.draft(user.lines('10'));
  const [, { data: submitted }] = await user.submit(draft);
  expect((await change())[0]).toBe(200);
  expect(codeOf(await user.approve(submitted))).toEqual([409, 'CONTENT_CHANGED']);
  await h.advance(DAY_S + 60);
  for (const one of [user.as, user.ada]) await logInAgain(h, one);
  const execute_at = new Date(h.clock.ms() + 3_600_000).toISOString();
  const id = await user.approved(user.lines('10'), { execute_at });
  await h.advance(1);
  await change();
  await h.advance(3_600);
  await h.drain();
  expect(await user.read(id)).toMatchObject({
    status: 'FAILED',
    failure: { code: 'CONTENT_CHANGED', retryable: false },
    failed_count: 1,
  });
  expect(await user.balance()).toEqual({ balance: '100.00', held: '0.00' });
});

test('what another tenant has is not there', async () => {
  const user = await batchMaker(h, 'USD', 10_000n);
  const stranger = await batchMaker(h, 'USD', 10_000n);
  const [, { data }] = await user.draft(user.lines('10'));
  const params = { batch_id: data.batch_id };
  for (const as of [stranger.as, stranger.ada]) {
    expect(codeOf(await h.call('GET /batches/{batch_id}', { as, params }))).toEqual([
      404,
      'NOT_FOUND',
    ]);
    expect(codeOf(await user.submit(data, as))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await user.act('cancel', data.batch_id, as))).toEqual([404, 'NOT_FOUND']);
  }
  expect(codeOf(await user.approve(data, stranger.ada))).toEqual([404, 'NOT_FOUND']);
  expect(codeOf(await user.draft(user.lines('1'), {}, stranger.as))).toEqual([
    404,
    'WALLET_NOT_FOUND',
  ]);
});
