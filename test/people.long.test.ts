// Long: anything that people do with their money is done in any order.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import type { RouteId } from '#kernel/http/declare/route.ts';
import { endAtHost } from './bank-host.ts';
import { banking } from './banking.ts';
import { gatewayOf } from './gateway-controls.ts';
import { type Body, harness, type Person } from './harness.ts';
import { linkIn } from './mails.ts';
import { heldInWallets, wrongPeopleBooks } from './people-books.ts';
import { clientWithPolicies } from './policies.ts';
import { unlessRefused } from './sandbox-controls.ts';
import { addBankRecipient } from './withdrawals.ts';

const CURRENCIES = ['USD', 'SGD', 'IDR'] as const;
type Currency = (typeof CURRENCIES)[number];
const h = await harness({ mock: false, config: { JWT_TTL: '100000000' } });
await h.drain();
const { give, post, confirm } = banking(h);
const gateway = gatewayOf(h);
const { client_id, ben: admin } = await clientWithPolicies(h);

async function somebody() {
  const as = await h.user({ client_id });
  const wallets: Partial<Record<Currency, number>> = {};
  const banks: Partial<Record<Currency, string>> = {};
  for (const currency of CURRENCIES) {
    const amount = currency === 'IDR' ? '90000000' : '9000';
    wallets[currency] = (await give(as.user_id, amount, currency)).wallet_id;
    banks[currency] = (await addBankRecipient(h, as, currency))['recipient_id'];
  }
  return { as, wallets, banks };
}
const people = [await somebody(), await somebody(), await somebody()];
type Somebody = (typeof people)[number];

const currencyOf = (n: number): Currency => CURRENCIES[n % CURRENCIES.length] ?? 'USD';
const amountOf = (currency: Currency, n: number): string =>
  currency === 'IDR' ? String(20_000 + n * 1000) : `${3 + n}.${10 + n}`;

/** Whatever is refused: nothing fails. */
async function noted(answer: Promise<[number, Body]>): Promise<Body | undefined> {
  const [status, body] = await answer;
  expect(status, JSON.stringify(body)).toBeLessThan(500);
  return status < 300 ? body.data : undefined;
}

/** One of these, and whose it is, whatever number was drawn. */
async function oneOf(text: string, n: number) {
  const rows = await run<{ id: string; user_id: number; other: string }>(h.db, text, []);
  return rows[n % Math.max(rows.length, 1)];
}
const personOf = (user_id: number): Somebody | undefined =>
  people.find(({ as }) => as.user_id === Number(user_id));

async function quoted(
  who: Somebody,
  [from_currency, to_currency]: readonly [Currency, Currency],
  amount: object,
): Promise<string | undefined> {
  const body = { from_currency, to_currency, valid_for: '24h', ...amount };
  return (await noted(h.call('POST /fx/quotes', { as: who.as, body })))?.['quote_id'];
}

/** Another currency than this, and a quote for so much of it; nothing for even numbers. */
async function maybeQuoted(who: Somebody, from: Currency, sells: string, m: number) {
  const to = currencyOf(CURRENCIES.indexOf(from) + 1 + (m % 2));
  if (m % 3 > 0 || to === from) return { to: from, by: {} };
  const quote_id = await quoted(who, [from, to], { from_amount: sells });
  return quote_id === undefined ? { to: from, by: {} } : { to, by: { quote_id } };
}

const transfer = (who: Somebody, currency: Currency, body: object) =>
  noted(
    post('POST /wallets/fiat/transfers', who.as, {
      body: { from_wallet_id: who.wallets[currency], ...body },
    }),
  );
const act = (id: RouteId, as: Person, params: Record<string, string>, body: object = {}) =>
  noted(post(id, as, { params, body }));

type Act = (a: Somebody, b: Somebody, n: number, m: number) => Promise<unknown>;
let strangers = 0;
const claims = new Map<string, { readonly email: string; readonly token: string }>();

const ACTS: Readonly<Record<string, Act>> = {
  async transfer(a, b, n, m) {
    const currency = currencyOf(n);
    const { by } = await maybeQuoted(a, currency, amountOf(currency, n), m);
    return transfer(a, currency, {
      to: { user_id: b.as.user_id },
      amount: amountOf(currency, n),
      ...by,
    });
  },
  split: (a, b, n, m) =>
    transfer(a, currencyOf(n), {
      split: [b, people[m % people.length] ?? b].map(({ as }) => ({
        to: { user_id: as.user_id },
        amount: amountOf(currencyOf(n), m),
      })),
    }),
  async stranger(a, _, n) {
    strangers += 1;
    const email = `stranger-${strangers}@example.org`;
    const currency = currencyOf(n);
    const made = await transfer(a, currency, { to: { email }, amount: amountOf(currency, n) });
    await h.drain();
    const mail = (await h.messages(email)).at(0);
    if (made && mail) claims.set(made['transfer_id'], { email, ...linkIn(mail) });
  },
  async claim(_, __, n) {
    const [id, claim] = [...claims][n % Math.max(claims.size, 1)] ?? [];
    if (id === undefined || !claim) return;
    claims.delete(id);
    const as = await h.user({ client_id, email: claim.email });
    await confirm(as);
    await act(
      'POST /wallets/fiat/transfers/{transfer_id}/claim',
      as,
      { transfer_id: id },
      {
        claim_token: claim.token,
      },
    );
  },
  async cancel(_, __, n, m) {
    const table = m % 2 === 0 ? 'wallet_transfers' : 'withdrawals';
    const id = m % 2 === 0 ? 'object_id' : 'our_reference';
    const found = await oneOf(
      `select ${id} as id, user_id, ${m % 2 === 0 ? 'from_wallet_id' : 'wallet_id'}::text as other from ${table}
        where status = 'PENDING' order by serial desc`,
      n,
    );
    const who = found && personOf(found.user_id);
    if (!who) return;
    if (m % 2 === 0)
      await act('POST /wallets/fiat/transfers/{transfer_id}/cancel', who.as, {
        transfer_id: found.id,
      });
    else
      await act('POST /wallets/fiat/{wallet_id}/withdrawals/{withdrawal_id}/cancel', who.as, {
        wallet_id: found.other,
        withdrawal_id: found.id,
      });
  },
  hold: (a, b, n) =>
    act(
      'POST /wallets/fiat/{wallet_id}/holds',
      a.as,
      { wallet_id: String(a.wallets[currencyOf(n)]) },
      {
        to: { wallet_id: b.wallets[currencyOf(n)] },
        amount: amountOf(currencyOf(n), n),
        expires_in_s: 86_400,
      },
    ),
  async take(_, __, n, m) {
    const found = await oneOf(
      `select object_id as id, to_user_id as user_id, currency as other from fiat_holds
        where status in ('OPEN', 'PARTIALLY_CAPTURED') order by serial desc`,
      n,
    );
    const who = found && personOf(found.user_id);
    if (!who) return;
    const params = { hold_id: found.id };
    if (m % 4 === 0) await act('POST /wallets/fiat/holds/{hold_id}/void', who.as, params);
    else
      await act('POST /wallets/fiat/holds/{hold_id}/capture', who.as, params, {
        amount: found.other === 'IDR' ? '5000' : '1.07',
        final: m % 3 === 0,
      });
  },
  async convert(a, _, n, m) {
    const [from, to] = [currencyOf(n), currencyOf(n + 1 + (m % 2))];
    const quote_id = await quoted(a, [from, to], { from_amount: amountOf(from, m) });
    if (quote_id) await noted(post('POST /fx/conversions', a.as, { body: { quote_id } }));
  },
  async withdraw(a, _, n, m) {
    const currency = currencyOf(n);
    const amount = amountOf(currency, n);
    const { to, by } = await maybeQuoted(a, currency, amount, m);
    const later = new Date(h.clock.ms() + 3_600_000).toISOString();
    await act(
      'POST /wallets/fiat/{wallet_id}/withdrawals',
      a.as,
      { wallet_id: String(a.wallets[currency]) },
      { amount, recipient_id: a.banks[to], ...by, ...(m % 5 === 0 && { execute_at: later }) },
    );
  },
  async batch(a, b, n, m) {
    const currency = currencyOf(n);
    const isQuoted = m % 2 === 0;
    const pays = isQuoted ? currencyOf(n + 1) : currency;
    const line = (amount: string) => ({ recipient_id: a.banks[pays], amount });
    const wallet = {
      name: 'Ben',
      kind: 'wallet',
      details: { wallet_id: b.wallets[pays] },
    };
    const amounts = pays === 'IDR' ? ['20000', '30001', '10000'] : ['3.33', '7.01', '0.99'];
    const items = [
      line(amounts[0] ?? ''),
      line(amounts[1] ?? ''),
      { recipient: wallet, amount: amounts[2] },
    ];
    const to_amount = pays === 'IDR' ? '60001' : '11.33';
    const quote_id = isQuoted ? await quoted(a, [currency, pays], { to_amount }) : undefined;
    if (isQuoted && quote_id === undefined) return;
    const by = {
      ...(quote_id && { quote_id }),
      ...(m % 3 === 1 && !isQuoted && { funding: 'per_item' }),
    };
    const body = { name: 'Pay', source_wallet_id: a.wallets[currency], items, ...by };
    const draft = await noted(h.call('POST /batches', { as: a.as, body }));
    if (!draft) return;
    const params = { batch_id: draft['batch_id'] };
    const sent = { version: draft['version'], content_hash: draft['content_hash'] };
    const submitted = await act('POST /batches/{batch_id}/submit', a.as, params, sent);
    if (!submitted || m % 7 === 0) return;
    const { version, content_hash } = submitted;
    await act('POST /batches/{batch_id}/approve', admin, params, { version, content_hash });
  },
  async retry(_, __, n, m) {
    const found = await oneOf(
      `select our_reference as id, user_id, status as other from batches where status <> 'DRAFT' order by serial desc`,
      n,
    );
    const who = found && personOf(found.user_id);
    const how = m % 2 === 0 ? 'retry' : 'cancel';
    if (who) await act(`POST /batches/{batch_id}/${how}`, who.as, { batch_id: found.id });
  },
  ask: (a, b, n) =>
    noted(
      h.call('POST /wallets/fiat/requests', {
        as: a.as,
        body: {
          to: { user_id: b.as.user_id },
          wallet_id: a.wallets[currencyOf(n)],
          amount: amountOf(currencyOf(n), n),
        },
      }),
    ),
  async answer(_, __, n, m) {
    const found = await oneOf(
      `select object_id as id, to_user_id as user_id, currency as other from payment_requests
        where status = 'OPEN' order by serial desc`,
      n,
    );
    const who = found && personOf(found.user_id);
    if (!who) return;
    const params = { request_id: found.id };
    if (m % 4 === 0)
      return noted(
        h.call('POST /wallets/fiat/requests/{request_id}/decline', { as: who.as, params }),
      );
    const from_wallet_id = who.wallets[found.other as Currency];
    return act('POST /wallets/fiat/requests/{request_id}/accept', who.as, params, {
      from_wallet_id,
    });
  },
  async bank(_, __, n, m) {
    const found = await oneOf(
      `select reference as id, 0 as user_id, asset as other from payouts
        where state in ('SENT', 'PAID') order by reference`,
      n,
    );
    if (!found) return;
    const host = (['complete', 'complete', 'reject', 'return'] as const)[m % 4] ?? 'complete';
    const gate = (['complete', 'complete', 'fail', 'reverse'] as const)[m % 4] ?? 'complete';
    if (found.other === 'IDR') await unlessRefused(gateway.end(found.id, gate));
    else
      await unlessRefused(endAtHost(h, found.id, host, host === 'complete' ? undefined : 'AC04'));
  },
  freeze: async (a, _, n, m) => {
    const params = { wallet_id: String(a.wallets[currencyOf(n)]) };
    const how = m % 3 === 0 ? 'freeze' : 'unfreeze';
    await noted(h.call(`POST /wallets/fiat/{wallet_id}/${how}`, { as: admin, params, body: {} }));
  },
  time: (_, __, n) => h.advance(n % 4 === 0 ? 26 * 3600 : 660),
};
const OFTEN = ['withdraw', 'batch', 'batch', 'bank', 'bank', 'bank', 'hold', 'take', 'take', 'ask'];
const THEN = ['answer', 'answer', 'stranger', 'claim', 'time'];
const step = fc.tuple(
  fc.constantFrom(...OFTEN, ...THEN, ...Object.keys(ACTS)),
  fc.integer({ min: 0, max: 39 }),
  fc.integer({ min: 0, max: 39 }),
);

/** All that waits for a bank is paid, for a person given up, for a time over. */
async function settled(): Promise<void> {
  for (const { as, wallets } of people)
    for (const wallet_id of Object.values(wallets))
      await h.call('POST /wallets/fiat/{wallet_id}/unfreeze', {
        as: admin,
        params: { wallet_id: String(wallet_id), user_id: as.user_id },
        body: {},
      });
  for (let round = 0; round < 4; round += 1) {
    await h.drain();
    const open = await run<{ reference: string; asset: string }>(
      h.db,
      `select reference, asset from payouts where state in ('ASKED', 'SENT')`,
      [],
    );
    for (const { reference, asset } of open)
      await unlessRefused(
        asset === 'IDR' ? gateway.end(reference, 'complete') : endAtHost(h, reference, 'complete'),
      );
    await h.advance(8 * 86_400);
    await h.drain();
  }
}

test('whatever people send, hold, convert, withdraw and pay in batches, each unit has its place', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 60 }), async (steps) => {
      for (const [name, n, m] of steps) {
        const [a, b] = [people[n % 3], people[(n + 1 + (m % 2)) % 3]];
        if (a && b) await ACTS[name]?.(a, b, n, m);
        await h.drain();
      }
      expect(await wrongPeopleBooks(h, false)).toEqual({});
      await settled();
      expect([await wrongPeopleBooks(h), await heldInWallets(h)]).toEqual([{}, {}]);
    }),
    { numRuns: 6, endOnFailure: true },
  );
  const reached = await run<{ kind: string }>(
    h.db,
    `select distinct 'item ' || status as kind from batch_items union select distinct 'batch ' || status from batches
     union select distinct 'withdrawal ' || status from withdrawals union select distinct 'hold ' || status from fiat_holds
     union select distinct 'transfer ' || status from wallet_transfers
     union select distinct 'request ' || status from payment_requests`,
    [],
  );
  expect(reached.length).toBeGreaterThan(12);
}, 600_000);

test('a unit that is not where its thing says is noticed', async () => {
  const change = (units: number) =>
    run(
      h.db,
      `update fx_conversions set to_units = to_units + $1
        where conversion_id = (select min(conversion_id) from fx_conversions)`,
      [units],
    );
  await change(1);
  expect(Object.keys(await wrongPeopleBooks(h))).toEqual(['traded']);
  await change(-1);
  expect(await wrongPeopleBooks(h)).toEqual({});
});
