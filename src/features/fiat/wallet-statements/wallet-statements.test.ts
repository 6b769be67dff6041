import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dayIn, edgeOfDay } from '#kernel/calendar.ts';
import { run } from '#kernel/db/db.ts';
import { banking, codeOf, type Holder } from '#test/banking.ts';
import { harness, type Person } from '#test/harness.ts';
import { faultsOf } from '#test/iso20022/validate.ts';
import { logInAgain } from '#test/log-in-again.ts';
import {
  askForStatement,
  cellsOf,
  type Figures,
  ofCamt053,
  ofCsv,
  ofJson,
  ofPdf,
  textsOfPdf,
} from '#test/statement-figures.ts';

const h = await harness();
const ALIAS = 'Toko "Maju" & <Rekan>';
const { client_id } = await h.client({ client_alias: ALIAS });
const { holder, send, give } = banking(h);
const ZONE = 'Asia/Jakarta';
const DAY_S = 86_400;

const ask = (as: Person, of: Holder, query: Record<string, string>) =>
  askForStatement(h, { as, wallet_id: of.wallet_id }, query);

const today = (zone = ZONE): string => dayIn(zone, h.clock.now());
const FORMATS = ['json', 'csv', 'camt.053', 'pdf'] as const;

/** The statement in all formats, whose digests are one. */
async function inAll(of: Holder, query: Record<string, string>) {
  const answers = await Promise.all(FORMATS.map((format) => ask(of, of, { ...query, format })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(new Set(answers.map(({ headers }) => headers.get('x-statement-digest'))).size).toBe(1);
  return answers as [Answer, Answer, Answer, Answer];
}
type Answer = Awaited<ReturnType<typeof ask>>;

const asText = (units: bigint): string => {
  const sign = units < 0n ? '-' : '';
  const digits = String(units < 0n ? -units : units).padStart(3, '0');
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

/** What the ledger has of those days, by a query of its own. */
async function ofLedger({ account_id }: Holder, from: string, to: string): Promise<Figures> {
  const rows = await run<{ amount: bigint; is_before: boolean }>(
    h.db,
    `select e.amount, t.created_at < $2::timestamptz as is_before
     from ledger.entries e join ledger.transfers t using (transfer_id)
     where e.account_id = $1 and e.amount <> 0 and t.created_at < $3::timestamptz order by e.seq`,
    [account_id, edgeOfDay(from, ZONE, 'start'), edgeOfDay(to, ZONE, 'until')],
  );
  let sum = 0n;
  for (const { amount, is_before } of rows) if (is_before) sum += amount;
  const opening = asText(sum);
  const entries = rows.filter(({ is_before }) => !is_before);
  const balances = entries.map(({ amount }) => {
    sum += amount;
    return asText(sum);
  });
  return {
    opening,
    closing: asText(sum),
    amounts: entries.map(({ amount }) => asText(amount)),
    balances,
  };
}

const move = fc.record({
  kind: fc.constantFrom('given', 'sent', 'held', 'received'),
  cents: fc.integer({ min: 1, max: 30_000 }),
  pause_h: fc.integer({ min: 0, max: 20 }),
});

/** Moves money of the first between both, over some days. */
async function moveMoney(
  [ada, ben]: readonly [Holder, Holder],
  moves: readonly { readonly kind: string; readonly cents: number; readonly pause_h: number }[],
): Promise<void> {
  for (const { kind, cents, pause_h } of moves) {
    await h.advance(pause_h * 3600);
    await Promise.all([ada, ben].map((one) => logInAgain(h, one)));
    const amount = asText(BigInt(cents));
    if (kind === 'given') await give(ada.user_id, amount);
    else if (kind === 'held') await send(ada, { to: { email: 'who@example.org' }, amount });
    else if (kind === 'sent') await send(ada, { to: { wallet_id: ben.wallet_id }, amount });
    else await send(ben, { to: { wallet_id: ada.wallet_id }, amount });
  }
}

test('all four formats have the ledger’s numbers, whatever has moved', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(move, { maxLength: 12 }), fc.nat(), async (moves, skip) => {
      const ada = await holder(client_id, '400.00');
      const ben = await holder(client_id, '400.00');
      const days = [today()];
      for (const one of moves) {
        await moveMoney([ada, ben], [one]);
        days.push(today());
      }
      const [from = '', to = ''] = [days[skip % days.length], days.at(-1 - (skip % 3))].sort();
      const query = { from, to: to || from, time_zone: ZONE };
      const [json, csv, camt, pdf] = await inAll(ada, query);
      const expected = await ofLedger(ada, query.from, query.to);
      expect(ofJson(json.text)).toEqual(expected);
      expect(ofCsv(csv.text)).toEqual(expected);
      expect(await ofPdf(pdf.bytes)).toEqual(expected);
      const { balances: _, ...sums } = expected;
      expect(ofCamt053(camt.text)).toEqual(sums);
      expect(faultsOf('camt.053.001.08', camt.text)).toEqual([]);
    }),
    { numRuns: 12 },
  );
});

test('a statement of days that are over, or of a past moment, has the same bytes for good', async () => {
  const ada = await holder(client_id, '100.00');
  const day = today();
  await h.advance(5);
  const at = h.clock.now().toISOString();
  const upto = { from: day, to: day, time_zone: ZONE, at };
  const then = await inAll(ada, upto);
  await h.advance(60);
  await give(ada.user_id, '7.00');
  expect((await ask(ada, ada, { ...upto, at: '' })).status).toBe(400);
  const later = await ask(ada, ada, { from: day, to: day, time_zone: ZONE });
  expect(ofJson(later.text).amounts).toEqual(['100.00', '7.00']);
  await h.advance(2 * DAY_S);
  await logInAgain(h, ada);
  await give(ada.user_id, '1.00');
  expect((await inAll(ada, upto)).map(({ bytes }) => bytes.toString('hex'))).toEqual(
    then.map(({ bytes }) => bytes.toString('hex')),
  );
  const ended = { from: day, to: day, time_zone: ZONE };
  const once = await inAll(ada, ended);
  await h.advance(10);
  expect(
    await inAll(ada, ended).then((all) => all.map(({ bytes }) => bytes.toString('hex'))),
  ).toEqual(once.map(({ bytes }) => bytes.toString('hex')));
  expect(ofJson(once[0].text)).toMatchObject({ opening: '0.00', closing: '107.00' });
});

test('days belong to the time zone that is named, else to that of the client', async () => {
  const country = await h.client({ country_code: 'ID' });
  await run(h.db, "update clients set time_zone = 'Pacific/Kiritimati' where client_id = $1", [
    country.client_id,
  ]);
  const dewi = await holder(country.client_id, '10.00', 'IDR');
  const booked = h.clock.now();
  // Twenty-four hours apart: at every moment their days differ by one.
  const [near, far] = ['Pacific/Kiritimati', 'Pacific/Honolulu'] as const;
  expect(dayIn(near, booked)).not.toBe(dayIn(far, booked));
  const count = async (query: Record<string, string>) =>
    ofJson((await ask(dewi, dewi, query)).text).amounts.length;
  const [here, there] = [dayIn(near, booked), dayIn(far, booked)];
  expect(await count({ from: here, to: here })).toBe(1);
  expect(await count({ from: there, to: there })).toBe(0);
  expect(await count({ from: there, to: there, time_zone: far })).toBe(1);
  const { data } = JSON.parse((await ask(dewi, dewi, { from: here, to: here })).text);
  expect([data.time_zone, data.currency]).toEqual([near, 'IDR']);
});

test('the owner and admins of the owner’s client read it, and nobody else', async () => {
  const ada = await holder(client_id, '1.00');
  const day = { from: today(), to: today(), time_zone: ZONE };
  const admin = await h.user({ role: 'admin', client_id });
  for (const as of [ada, admin, await h.operator()])
    expect((await ask(as, ada, day)).status).toBe(200);
  const elsewhere = await h.user({ role: 'admin', client_id: (await h.client()).client_id });
  for (const as of [await holder(client_id), elsewhere]) {
    const { status, text } = await ask(as, ada, day);
    expect(codeOf([status, JSON.parse(text)])).toEqual([404, 'WALLET_NOT_FOUND']);
  }
});

test('days that do not exist, are in the wrong order, too many or yet to come are refused', async () => {
  const ada = await holder(client_id, '1.00');
  const day = today();
  const tomorrow = new Date(h.clock.now().getTime() + 2 * DAY_S * 1000).toISOString();
  const wrong: Record<string, string>[] = [
    { from: '2026-02-30', to: day },
    { from: day, to: '2026-13-01' },
    { from: day, to: '2020-01-01' },
    { from: '2025-01-01', to: '2026-01-02' },
    { from: tomorrow.slice(0, 10), to: tomorrow.slice(0, 10) },
    { from: day, to: day, at: tomorrow },
    { from: day, to: day, at: '2020-01-01T00:00:00.000Z' },
    { from: day, to: day, time_zone: 'Mars/Olympus' },
    { from: day, to: day, format: 'mt940' },
    { from: day },
    { to: day },
    { from: `${day}T00:00:00Z`, to: day },
  ];
  for (const query of wrong) {
    const { status, text } = await ask(ada, ada, { time_zone: ZONE, ...query });
    expect([JSON.stringify(query), ...codeOf([status, JSON.parse(text)])]).toEqual([
      JSON.stringify(query),
      400,
      'VALIDATION_ERROR',
    ]);
  }
  expect((await ask(ada, ada, { from: '2025-01-01', to: '2026-01-01' })).status).toBe(200);
});

test('no text of a caller becomes a formula or an element', async () => {
  const ada = await holder(client_id, '50.00');
  const ben = await h.user({ client_id, username: '=1&<b>"' });
  const to = { user_id: ben.user_id };
  for (const reference of ['=HYPERLINK(1)', '@SUM(1)', '</Ntry>&"\'', `-${'x'.repeat(90)}`])
    expect((await send(ada, { to, amount: '1.00', reference }))[0]).toBe(201);
  const [json, csv, camt, pdf] = await inAll(ada, { from: today(), to: today(), time_zone: ZONE });
  const cells = cellsOf(csv.text).flat();
  expect(cells.filter((cell) => /^[=+@]/.test(cell) || /^-[^\d]/.test(cell))).toEqual([]);
  expect(cells).toContain("'=HYPERLINK(1)");
  expect(cells).toContain("'=•••");
  expect(faultsOf('camt.053.001.08', camt.text)).toEqual([]);
  expect(ofCamt053(camt.text).amounts).toHaveLength(5);
  expect(camt.text).toContain('&lt;/Ntry&gt;&amp;');
  expect(JSON.parse(json.text).data.issuer).toBe(ALIAS);
  const page = (await textsOfPdf(pdf.bytes)).join('\n');
  for (const text of [ALIAS, '=HYPERLINK(1)', '</Ntry>&"\'']) expect(page).toContain(text);
});

test('a PDF breaks between rows, and each page says which it is and its digest', async () => {
  const ada = await holder(client_id, '0');
  for (let n = 0; n < 60; n += 1) await give(ada.user_id, '1234.56');
  const [, , , pdf] = await inAll(ada, { from: today(), to: today(), time_zone: ZONE });
  const pages = await textsOfPdf(pdf.bytes);
  expect(pages.length).toBeGreaterThan(2);
  for (const [n, text] of pages.entries()) {
    expect(text).toContain(`Page ${n + 1} of ${pages.length}`);
    expect(text).toContain(`SHA-256 ${pdf.headers.get('x-statement-digest')}`);
    expect(text).toContain('Date Details Amount Balance');
  }
  expect(await ofPdf(pdf.bytes)).toMatchObject({ closing: '74073.60' });
  const empty = await holder(client_id);
  const [, , , none] = await inAll(empty, { from: today(), to: today(), time_zone: ZONE });
  expect((await textsOfPdf(none.bytes)).join()).toContain('No money has moved');
});
