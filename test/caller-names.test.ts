import { expect, test } from 'vitest';
import { causedWithNames } from '#kernel/cause.ts';
import { mergeMetadata } from '#kernel/object-names/merge-metadata.ts';
import {
  hasReference,
  NAMELESS,
  namesGiven,
  namesOf,
  namesReaderOf,
} from '#kernel/object-names/object-names.ts';
import { cardUser, DECLINED, EXPIRY, GOOD } from '#test/cards.ts';
import { harness, type Person } from '#test/harness.ts';
import { sent } from '#test/statements.ts';

/** What callers call the things that they make: card top-ups stand for all of them. */
const h = await harness();
const person = async (client_id?: number) =>
  h.user({ client_id: client_id ?? (await h.client({ country_code: 'US' })).client_id });

const topUp = (as: Person, more: object, headers: Record<string, string> = {}) =>
  h.call('POST /card-checkout/card', {
    as,
    headers,
    body: { card_number: GOOD, expiry_date: EXPIRY, amount: 10, currency_code: 'USD', ...more },
  });

const stored = (client_id: number) =>
  h.db
    .selectFrom('caller_names')
    .select(['object_type', 'object_id', 'user_id', 'kind', 'reference', 'metadata', 'version'])
    .where('client_id', '=', client_id)
    .orderBy('created_at')
    .execute();

test('a thing has its names from the moment it is made, and its answer stays as it is', async () => {
  const user = await person();
  const [status, body] = await topUp(user, { reference: 'invoice-1', metadata: { order: '7' } });
  expect([status, Object.keys(body.data).includes('reference')]).toEqual([200, false]);
  const id: string = body.data.reference_id;
  expect(await stored(user.client_id)).toEqual([
    {
      object_type: 'payment',
      object_id: id,
      user_id: user.user_id,
      kind: 'card_top_up',
      reference: 'invoice-1',
      metadata: { order: '7' },
      version: 1,
    },
  ]);
  const names = { reference: 'invoice-1', metadata: { order: '7' }, version: 1 };
  expect(await namesOf(h.db, 'payment', [id, 'other'], user.client_id)).toEqual(
    new Map([[id, names]]),
  );
});

test('names are a part of the last statement, and without them there is no such part', async () => {
  const user = await person();
  const naming = async (more: object): Promise<string[]> => {
    const before = sent.length;
    expect((await topUp(user, more))[0]).toBe(200);
    return sent.slice(before).filter((text) => text.includes('into caller_names'));
  };
  expect(await naming({})).toEqual([]);
  expect(await stored(user.client_id)).toEqual([]);
  const [one, ...others] = await naming({ reference: 'last', metadata: { a: 'b' } });
  expect([one, others]).toEqual([expect.stringContaining('insert into events.outbox'), []]);
});

test('of twenty requests at once with one reference one makes a thing', async () => {
  const user = await person();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => topUp(user, { reference: 'once' })),
  );
  const made = answers.filter(([status]) => status === 200);
  expect(made).toHaveLength(1);
  const id = made[0]?.[1].data.reference_id;
  for (const [status, body] of answers) {
    if (status === 200) continue;
    expect([status, body.code ?? body.error?.code, body.details ?? body.error?.details]).toEqual([
      409,
      'REFERENCE_IN_USE',
      { id },
    ]);
  }
  expect(await cardUser(h, user).balance()).toEqual([970n, 0n]);
});

test('a conflict fails its own request only, of all that share a transaction', async () => {
  const users = await Promise.all(Array.from({ length: 12 }, () => person()));
  const [first] = users as [Person];
  await topUp(first, { reference: 'taken' });
  const answers = await Promise.all([
    ...users.map((user, n) => topUp(user, { reference: `own-${n}`, metadata: { n: String(n) } })),
    topUp(first, { reference: 'taken' }),
    topUp(first, {}),
  ]);
  expect(answers.map(([status]) => status)).toEqual([...users.map(() => 200), 409, 200]);
  for (const [n, { client_id }] of users.entries())
    expect((await stored(client_id)).at(-1)).toMatchObject({
      reference: `own-${n}`,
      metadata: { n: String(n) },
    });
});

test('a reference stays in use after its operation has failed', async () => {
  const user = await person();
  const failed = await topUp(user, { reference: 'failed', card_number: DECLINED });
  expect(failed[0]).toBe(400);
  const [status, body] = await topUp(user, { reference: 'failed' });
  expect([status, JSON.stringify(body)]).toEqual([
    409,
    expect.stringContaining('REFERENCE_IN_USE'),
  ]);
  expect(await cardUser(h, user).balance()).toEqual([0n, 0n]);
});

test('a refused reference can be used: nothing was made', async () => {
  const user = await person();
  expect((await topUp(user, { reference: 'later', amount: 0.01 }))[0]).toBe(400);
  expect((await topUp(user, { reference: 'later' }))[0]).toBe(200);
});

test('another client and another kind may have the same reference', async () => {
  const [one, other] = [await person(), await person()];
  const [, { data }] = await topUp(one, { reference: 'same', amount: 20 });
  expect((await topUp(other, { reference: 'same' }))[0]).toBe(200);
  const back = await cardUser(h, one).refund(data.reference_id, 5, { reference: 'same' });
  expect(back[0]).toBe(200);
  expect((await stored(one.client_id)).map(({ kind }) => kind)).toEqual([
    'card_top_up',
    'card_refund',
  ]);
});

test('a conflict names the thing to those who may see it', async () => {
  const one = await person();
  const colleague = await person(one.client_id);
  const [, { data }] = await topUp(one, { reference: 'shared' });
  const [, own] = await topUp(one, { reference: 'shared' });
  const [status, others] = await topUp(colleague, { reference: 'shared' });
  expect(JSON.stringify(own)).toContain(data.reference_id);
  expect([status, JSON.stringify(others)]).toEqual([
    409,
    expect.not.stringContaining(data.reference_id),
  ]);
});

test('a repetition with its Idempotency-Key is answered as the first', async () => {
  const user = await person();
  await topUp(user, { reference: 'kept' });
  const headers = { 'idempotency-key': 'again' };
  const [first, second] = [
    await topUp(user, { reference: 'kept' }, headers),
    await topUp(user, { reference: 'kept' }, headers),
  ];
  expect([first[0], second]).toEqual([409, first]);
  const one = { 'idempotency-key': 'fresh' };
  const made = await topUp(user, { reference: 'fresh' }, one);
  expect(await topUp(user, { reference: 'fresh' }, one)).toEqual(made);
});

test.each([
  [{ reference: '' }, 'reference'],
  [{ reference: 'a b' }, 'reference'],
  [{ reference: 'é' }, 'reference'],
  [{ reference: 'x'.repeat(101) }, 'reference'],
  [{ reference: 7 }, 'reference'],
  [{ reference: null }, 'reference'],
  [
    { metadata: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, 'x'])) },
    'metadata',
  ],
  [{ metadata: { a: 'x'.repeat(501) } }, 'metadata'],
  [{ metadata: { 'a b': 'x' } }, 'metadata'],
  [{ metadata: { a: 7 } }, 'metadata'],
  [{ metadata: ['a'] }, 'metadata'],
])('%j is refused by its field, and nothing is stored', async (names, field) => {
  const user = await person();
  const [status, body] = await topUp(user, names);
  const text = JSON.stringify(body);
  expect([status, text]).toEqual([400, expect.stringContaining('VALIDATION_ERROR')]);
  expect(text).toContain(`"field":"${field}"`);
  expect(await stored(user.client_id)).toEqual([]);
  expect(await cardUser(h, user).balance()).toEqual([0n, 0n]);
});

test('lists are narrowed to a reference of the own client', async () => {
  const [one, other] = [await person(), await person()];
  const [, { data }] = await topUp(one, { reference: 'listed' });
  await topUp(other, { reference: 'listed' });
  const found = (reader: number | 'operator', reference: string) =>
    h.db
      .selectFrom('card_transactions as t')
      .select('t.reference_id')
      .where(({ ref }) =>
        hasReference({ type: 'payment', reader }, ref('t.reference_id'), reference),
      )
      .execute();
  expect(await found(one.client_id, 'listed')).toEqual([{ reference_id: data.reference_id }]);
  expect(await found('operator', 'listed')).toHaveLength(2);
  expect(await found(one.client_id, 'unlisted')).toEqual([]);
  expect(namesReaderOf({ operator: false, client_id: 3 })).toBe(3);
});

test('metadata is merged at any time, by one version after the other', async () => {
  const user = await person();
  const [, { data }] = await topUp(user, { reference: 'merged', metadata: { a: '1', b: '2' } });
  const { client_id, user_id } = user;
  const object = {
    type: 'payment',
    id: data.reference_id,
    client_id,
    user_id,
    kind: 'card_top_up',
  };
  const merge = (metadata: Record<string, string | null>, version?: number) =>
    mergeMetadata(h.db, object, { metadata, version, reader: client_id });
  const after = { reference: 'merged', metadata: { b: '2', c: '3' }, version: 2 };
  expect(await merge({ a: null, c: '3' }, 1)).toEqual(after);
  await expect(merge({ c: '4' }, 1)).rejects.toMatchObject({
    code: 'VERSION_CONFLICT',
    details: { version: 2 },
  });
  expect(await merge({ c: '3', x: null })).toEqual(after);
  const keys = Array.from({ length: 10 }, (_, n) => `k${n}`);
  await Promise.all(keys.map((key) => merge({ [key]: key })));
  const merged = await merge({});
  expect([Object.keys(merged.metadata).sort(), merged.version]).toEqual([['b', 'c', ...keys], 12]);
});

test('a thing without names takes metadata, and another client never sees or changes it', async () => {
  const [user, other] = [await person(), await person()];
  const [, { data }] = await topUp(user, {});
  const { client_id, user_id } = user;
  const object = {
    type: 'payment',
    id: data.reference_id,
    client_id,
    user_id,
    kind: 'card_top_up',
  };
  const change = { metadata: { a: '1' }, version: NAMELESS.version };
  expect(await mergeMetadata(h.db, object, { ...change, reader: client_id })).toEqual({
    reference: null,
    metadata: { a: '1' },
    version: 2,
  });
  await expect(
    mergeMetadata(h.db, object, { metadata: { a: '2' }, reader: other.client_id }),
  ).rejects.toMatchObject({ code: 'FORBIDDEN' });
  expect(await namesOf(h.db, 'payment', [data.reference_id], other.client_id)).toEqual(new Map());
});

test('the metadata of a deleted thing goes with it, and its reference stays in use', async () => {
  const user = await person();
  const names = { reference: 'server', metadata: { owner: 'Ada' } };
  const make = () =>
    h.call('POST /keys/sdk-key', { as: user, body: { provider_name: 'x', ...names } });
  const [, made] = await make();
  await h.call('DELETE /keys/sdk-key/{api_key}', { as: user, params: { api_key: made.api_key } });
  expect(await stored(user.client_id)).toMatchObject([{ reference: 'server', metadata: {} }]);
  expect((await make())[0]).toBe(409);
});

test('what is being made shows the names of its request, and of nothing else', () => {
  const by = { client_id: 1, user_id: 2, sees: 'own' } as const;
  const names = { kind: 'k', object: 'thing', reference: 'r', metadata: { a: 'b' }, by };
  const shown = causedWithNames(names, () => [namesGiven('thing'), namesGiven('other')]);
  expect(shown).toEqual([{ reference: 'r', metadata: { a: 'b' }, version: 1 }, NAMELESS]);
  expect(namesGiven('thing')).toEqual(NAMELESS);
});

test('names are in no line of the log', async () => {
  const user = await person();
  const metadata = { secretly: 'quince-marmalade' };
  const answers = [];
  for (const more of [{}, {}, { card_number: DECLINED, reference: 'quince-9' }, { amount: 'x' }])
    answers.push((await topUp(user, { reference: 'quince-8', metadata, ...more }))[0]);
  expect(answers).toEqual([200, 409, 400, 400]);
  expect(h.logs.filter((line) => /quince|secretly/.test(line))).toEqual([]);
});
