import { expect, test } from 'vitest';
import { rowsOf } from '#kernel/http/answer/csv-answer.ts';
import type { Route } from '#kernel/http/declare/route.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { transfer } from '#kernel/ledger/ledger.ts';
import { postAllWithin } from '#kernel/ledger/post.ts';
import { transact } from '#kernel/transact.ts';
import { harness, type Person } from './harness.ts';
import { invoicesOf } from './invoices.ts';
import { issuedCards } from './issued-cards.ts';

/** Statements and histories as tables: the same rows by the same rules, for any number of rows. */
const h = await harness();
const TABLE = { accept: 'text/csv' };
const STATEMENT = 'GET /wallets/fiat/{wallet_id}/transactions';
const tables = h.app.features.routes.filter(({ endpoint }) => endpoint.csv !== undefined);

/** Cells of each line, of a text without line ends in cells. */
const cellsOf = (text: string): string[][] =>
  text
    .trimEnd()
    .split('\r\n')
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(
        ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
      ),
    );

/** A user whose wallet has a posting of a cent for each of these keys. */
async function moved(keys: readonly string[]) {
  const as = await h.user();
  const [, { data }] = await h.call('POST /wallets/fiat', { as, body: { currency: 'USD' } });
  const house = await openAccount(h.db, houseAccount('test-funds', 'USD'));
  const owner = { owner: `user:${as.user_id}`, purpose: 'wallet', asset: 'USD' } as const;
  const wallet = await openAccount(h.db, owner);
  const legs = transfer(house, wallet, 1n);
  await transact(h.db, (tx) =>
    postAllWithin(
      tx,
      keys.map((key) => ({ key, kind: 'test-funds', legs })),
    ),
  );
  const params = { wallet_id: data.wallet_id as number };
  return { as, params, read: (more: object = {}) => h.send(STATEMENT, { as, params, ...more }) };
}
const keysOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${name}:${n}`);

test('a statement of any number of pages is one table, with the values of its JSON', async () => {
  const { read } = await moved(keysOf('long', 250));
  const { status, headers, body } = await read({ headers: TABLE });
  expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
    200,
    'text/csv; charset=utf-8; header=present',
    'no-store',
  ]);
  expect(headers.get('content-disposition')).toBe(
    'attachment; filename="fiatWallets-listTransactions.csv"',
  );
  expect(headers.get('link')).toBeNull();
  const [head = [], ...rows] = cellsOf(body);
  expect(head).toEqual([
    'seq',
    'reference',
    'type',
    'tx_type',
    'status',
    'amount',
    'held',
    'balance_after',
    'created_at',
    'description',
  ]);
  expect(rows.map(([seq]) => Number(seq))).toEqual(Array.from({ length: 250 }, (_, n) => 250 - n));
  const [newest] = (await read()).body.data.transactions;
  expect(rows[0]).toEqual(head.map((name) => String(newest[name] ?? '')));
});

test('a table takes the JSON’s filters, and a limit as one page with a link', async () => {
  const { read } = await moved(keysOf('narrow', 5));
  const one = await read({ headers: TABLE, query: { reference: 'narrow:3' } });
  expect(cellsOf(one.body).map(([, reference]) => reference)).toEqual(['reference', 'narrow:3']);
  const page = await read({ headers: TABLE, query: { limit: 2 } });
  expect(cellsOf(page.body)).toHaveLength(3);
  const next = page.headers.get('link') ?? '';
  expect(next).toBe((await read({ query: { limit: 2 } })).headers.get('link'));
  expect(next).toContain('before=4');
});

test('a spreadsheet computes no cell of a table', async () => {
  const { read } = await moved(['=HYPERLINK("http://evil","x")', '@SUM(1)', 'plain']);
  const references = cellsOf((await read({ headers: TABLE })).body).map(([, cell]) => cell);
  expect(references).toEqual(['reference', 'plain', "'@SUM(1)", `'=HYPERLINK("http://evil","x")`]);
});

test('a caller without access to the list gets the same refusal for the table', async () => {
  const { params, read } = await moved([]);
  const stranger = await h.user();
  for (const as of [stranger, 'nobody'] as const) {
    const json = await h.send(STATEMENT, { as, params });
    const refused = await h.send(STATEMENT, { as, params, headers: TABLE });
    expect([refused.status, refused.headers.get('content-type')]).toEqual([
      json.status,
      json.headers.get('content-type'),
    ]);
    expect(refused.status).toBeGreaterThanOrEqual(401);
  }
  expect((await read({ headers: TABLE, query: { limit: 0 } })).status).toBe(400);
});

test('one caller gets two tables at a time, and each place is free again', async () => {
  const { read } = await moved(keysOf('many', 3));
  const all = await Promise.all(Array.from({ length: 12 }, () => read({ headers: TABLE })));
  const statuses = new Set(all.map(({ status }) => status));
  for (const status of statuses) expect([200, 429]).toContain(status);
  expect(statuses.has(200)).toBe(true);
  for (let n = 0; n < 5; n += 1) expect((await read({ headers: TABLE })).status).toBe(200);
  expect((await read({ headers: TABLE, query: { limit: 0 } })).status).toBe(400);
  for (let n = 0; n < 3; n += 1) expect((await read({ headers: TABLE })).status).toBe(200);
});

const own = (as: Person) => ({ user_id: as.user_id });

test('every statement and history has a table, and the document says so', async () => {
  expect(tables.map(({ id }) => id).sort()).toEqual([
    'GET /admins/audit',
    'GET /batches',
    'GET /batches/{batch_id}/items',
    'GET /bridge/transfers',
    'GET /card-checkout/card/history',
    'GET /cardano/history/{user_id}',
    'GET /cards/disputes',
    'GET /cards/{card_id}/transactions',
    'GET /crosschain/history/{user_id}',
    'GET /fx/conversions',
    'GET /idrtoken/transactions/mint',
    'GET /idrtoken/transactions/redeem',
    'GET /marketplace/orders',
    'GET /onchain/history/{user_id}',
    'GET /payment-gateway/invoices',
    'GET /payment-gateway/invoices/{invoice_id}/refunds',
    'GET /payment-gateway/links',
    'GET /payments',
    'GET /transactions/{user_id}/history',
    'GET /wallets/fiat/holds',
    'GET /wallets/fiat/requests',
    'GET /wallets/fiat/transfers',
    STATEMENT,
    'GET /wallets/fiat/{wallet_id}/withdrawals',
    'GET /xrpl/history',
  ]);
  const document = (await (
    await fetch(`${h.kernel.publicUrl()}/openapi.json`)
  ).json()) as Described;
  for (const { id } of tables) {
    const { description, responses } = document.paths[id.slice(4)]?.get ?? {};
    const { content, 'x-archipay-csv': table } = responses?.['200'] ?? {};
    expect(description, id).toContain('`Accept: text/csv`');
    // One type of answer is one type of a generated client.
    expect(Object.keys(content ?? {}), id).toEqual(['application/json']);
    expect(table?.example, id).toMatch(/^[\w.]+,.*\r\n.+\r\n$/);
  }
});
interface Described {
  readonly paths: Readonly<
    Record<string, { get: { description: string; responses: Record<string, Answered> } }>
  >;
}
interface Answered {
  readonly content: object;
  readonly 'x-archipay-csv'?: { readonly example: string };
}

test.each(tables.map((route): [string, Route] => [route.id, route]))(
  '%s has its rows under the names of its fields',
  async (_, { id, endpoint }) => {
    const { as: user, params } = await moved([]);
    const card = id.includes('{card_id}') ? await issuedCards(h).cardHolder('0') : undefined;
    const as = endpoint.auth === 'admin' ? await h.user({ role: 'admin' }) : (card ?? user);
    const made = { ...(await emptyBatch(id, as, params.wallet_id)), ...(await invoiceFor(id, as)) };
    const request = {
      as,
      params: { ...params, ...own(as), ...made, card_id: card?.card_id ?? '' },
      query: queryOf(id, params.wallet_id),
    };
    const json = await h.send(id, request);
    expect(rowsOf(endpoint, json.body)).toEqual([]);
    const { status, body } = await h.send(id, { ...request, headers: TABLE });
    const lines = cellsOf(body);
    expect([status, lines.length]).toEqual([200, 1]);
    expect(lines[0]?.length).toBeGreaterThan(5);
  },
);
/** Where the list is of an invoice. */
const invoiceFor = async (id: string, as: Person): Promise<{ invoice_id?: string }> =>
  id.includes('{invoice_id}') ? invoicesOf(h).created(as) : {};
const queryOf = (id: string, wallet_id: number): Record<string, number> =>
  id.includes('card-checkout') ? { wallet_id } : {};

/** A batch without a payment: its only row is wrong. */
async function emptyBatch(id: string, as: Person, source_wallet_id: number) {
  if (!id.includes('{batch_id}')) return {};
  const body = { name: 'Empty', source_wallet_id, items: [{ amount: '1' }] };
  return { batch_id: (await h.call('POST /batches', { as, body }))[1].data.batch_id as string };
}
