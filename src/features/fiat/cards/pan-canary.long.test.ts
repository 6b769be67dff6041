// Long: calls every endpoint of cards in every way, and reads every table.

import { createHash } from 'node:crypto';
import { context, propagation, trace } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { afterAll, expect, test } from 'vitest';
import {
  ALSO_GOOD,
  CVV,
  cardUser,
  DECLINED,
  EXPIRY,
  GOOD,
  POOR,
  SILENT,
  spoil,
} from '#test/cards.ts';
import { checkoutOf } from '#test/checkout.ts';
import { type Harness, harness, type Person } from '#test/harness.ts';
import { invoicesOf } from '#test/invoices.ts';
import { claimPageOf } from '#test/refunds.ts';

/**
 * Card numbers, expiry dates and security codes may be in the memory of this process and nowhere else: in no table,
 * log line, span or answer, whatever succeeds or fails.
 */
const spans = new InMemorySpanExporter();
new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }).register();
afterAll(() => {
  for (const api of [trace, context, propagation]) api.disable();
});

const CARDS = [GOOD, ALSO_GOOD, DECLINED, POOR, SILENT];
const MISTYPED = '4111111111111112';
const hex = (text: string) => Buffer.from(text).toString('hex');

/** The secrets, and their possible disguises. */
const CANARIES: readonly (readonly [what: string, pattern: RegExp])[] = [
  ...[...CARDS, MISTYPED].flatMap((number) => {
    const spaced = number.replace(/\d{4}(?=\d)/g, '$&[ -]?');
    const digests = ['sha256', 'sha1', 'md5'].map((name) =>
      createHash(name).update(number).digest('hex'),
    );
    return [
      [`the number ending in ${number.slice(-4)}`, new RegExp(spaced)],
      [`its first twelve digits, of ${number.slice(-4)}`, new RegExp(number.slice(0, 12))],
      [`its bytes, of ${number.slice(-4)}`, new RegExp(hex(number))],
      [`its base64, of ${number.slice(-4)}`, new RegExp(Buffer.from(number).toString('base64'))],
      [`a digest of it, of ${number.slice(-4)}`, new RegExp(digests.join('|'))],
    ] as const;
  }),
  ['the expiry as typed', new RegExp(`["':= ]${EXPIRY}["', }]`)],
  ['the expiry as the network writes it', /(?<![\da-f-])2039-11(?![\da-f])/i],
  ['the security code', new RegExp(`cvv\\w*\\W{1,6}${CVV}|["']${CVV}["']`, 'i')],
];

const findings = (text: string, where: string): string[] =>
  CANARIES.filter(([, pattern]) => pattern.test(text)).map(([what]) => `${what} in ${where}`);

/** Every way through the card endpoints, and every way to fail on it. Answers all replies. */
async function everything(h: Harness, live: boolean): Promise<string> {
  const user = cardUser(h, await h.user());
  const told: unknown[] = [];
  const note = async (answer: Promise<unknown>) => void told.push(await answer);
  const asked = (card_number: string) => ({ card_number, expiry_date: EXPIRY, cvv: CVV });
  for (const number of [...CARDS, MISTYPED]) {
    await note(user.post('card/validate', asked(number)));
    await note(user.post('card/validatecc', { ...asked(number), currency: 'USD' }, `v ${number}`));
    await note(user.topUp(50, number, 'USD', `t ${number.slice(-4)}`));
    await note(user.push(1, { card_number: number }));
  }
  const [, { data }] = await user.topUp(50);
  // Numbers in places where they do not belong.
  await note(user.push(1, { recipient_name: GOOD }));
  await note(user.push(1, { recipient_name: `Ada 4111 1111 1111 1111` }));
  await note(user.refund(GOOD, 1));
  await note(user.reference(GOOD));
  await note(user.topUp(GOOD));
  await note(user.post('card', { ...asked(GOOD), amount: 5, currency_code: GOOD }));
  await note(user.post('card/validate', { ...asked(GOOD), [GOOD]: GOOD, cvv: `${CVV}9` }));
  const [as, headers] = [user.as, { 'idempotency-key': GOOD }];
  const broken = `{"card_number":"${GOOD}","cvv":"${CVV}","expiry_date":"${EXPIRY}"`;
  await note(h.call('POST /card-checkout/card', { as, headers, body: broken }));
  await note(
    h.call('POST /card-checkout/card/callback', {
      body: { transactionIdentifier: GOOD, status: 'COMPLETED' },
    }),
  );
  await note(user.refund(data.reference_id, 20, { card_number: ALSO_GOOD }));
  await note(onPages(h, user.as));
  for (const kind of live ? ['refuse', 'drop', 'commit-then-drop', 'error'] : []) {
    await spoil(h, kind, 2);
    await note(user.topUp(5, GOOD, 'USD', kind));
    await spoil(h, kind, 2);
    await note(user.push(1, {}, `p ${kind}`));
    await spoil(h, kind, 1);
    await note(user.post('card/validate', asked(GOOD)));
    await h.sandbox('DELETE', '/faults');
  }
  await note(user.refund(data.reference_id, 20));
  await note(user.refund(data.reference_id, 20));
  await h.advance(1200);
  await h.drain();
  return JSON.stringify(told);
}

/** Cards on the page of an invoice, and on that of a refund. */
async function onPages(h: Harness, as: Person): Promise<string[]> {
  const told: string[] = [];
  const invoices = invoicesOf(h);
  const invoice = await invoices.created(as);
  const page = checkoutOf(h, invoice);
  const fields = { expiry_date: EXPIRY, cvv: CVV };
  for (const number of [MISTYPED, DECLINED, GOOD])
    told.push(await (await page.card(number, fields)).text(), await page.text());
  const [, { data }] = await invoices.refund(as, invoice.invoice_id, { amount: '5.00' });
  for (const card_number of [MISTYPED, ALSO_GOOD, GOOD])
    told.push((await claimPageOf(data.claim_url, { card_number, ...fields }))[1]);
  if (!told.at(-1)?.includes('paid to your card')) throw new Error(told.at(-1));
  return told;
}

/** Every row of every table, of all owners, as text. */
async function dump(h: Harness): Promise<string> {
  const { rows: tables } = await h.kernel.pool.query<{ name: string }>(`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`);
  expect(tables.length).toBeGreaterThan(20);
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await h.kernel.pool.query<{ row: string }>(
      `select t::text as row from ${name} t`,
    );
    texts.push(name, ...rows.map(({ row }) => row));
  }
  return texts.join('\n');
}

test.each([
  ['mock', true],
  ['live', false],
])('in %s mode no card data is left anywhere', async (mode, mock) => {
  spans.reset();
  const h = await harness({ mock, config: { LOG_LEVEL: 'trace' } });
  await h.drain();
  const told = await everything(h, !mock);
  const [rows, lines] = [await dump(h), h.logs.join('\n')];
  const traced = JSON.stringify(
    spans
      .getFinishedSpans()
      .map(({ name, attributes, events, status }) => ({ name, attributes, events, status })),
  );
  expect([
    ...findings(told, 'the answers'),
    ...findings(rows, 'the database'),
    ...findings(lines, 'the logs'),
    ...findings(traced, 'the spans'),
  ]).toEqual([]);

  // The search works: visible data is found, so secrets would be, too.
  expect(rows).toContain('card_transactions');
  expect(rows).toMatch(/SUCCESS_RECEIVED|TOPUP/);
  expect(lines).toContain('/card-checkout/card/validate');
  expect(traced).toContain('/card-checkout/cardcc');
  expect(traced.includes('provider card-network pull'), mode).toBe(!mock);
  for (const number of CARDS) expect(findings(`x ${number} y`, 'a text')).not.toEqual([]);
  expect(findings(`{"cvv":"${CVV}","expiry_date":"${EXPIRY}"}`, 'a body')).toHaveLength(2);
});
