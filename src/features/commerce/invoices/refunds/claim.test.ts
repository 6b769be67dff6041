import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { houseBalance } from '#test/cards.ts';
import { gatewayOf } from '#test/gateway-controls.ts';
import { type Body, harness } from '#test/harness.ts';
import { invoicesOf } from '#test/invoices.ts';
import { countMails, mailTo } from '#test/mails.ts';
import { bankEnd } from '#test/payouts.ts';
import { ACCOUNT, bankRefunds, claimPageOf } from '#test/refunds.ts';

const h = await harness({ mock: false, config: { JWT_TTL: '10000000' } });
await h.drain();
const invoices = invoicesOf(h);
const gateway = gatewayOf(h);
const refunds = bankRefunds(h);
const { client_id } = await h.client();
const DAYS_S = 86_400;

/** A refund that waits for its payer, of all of an invoice of 50,000. */
async function waiting(body: object = {}) {
  const as = await h.user({ client_id });
  const { invoice_id } = await refunds.paid(as, body);
  const [status, { data }] = await invoices.refund(as, invoice_id, { reason: 'Sold out' });
  expect([status, data.status, data.substatus]).toEqual([
    201,
    'AWAITING_PAYER',
    'waiting_for_person',
  ]);
  const url: string = data.claim_url;
  return {
    as,
    url,
    invoice_id,
    refund_id: data.refund_id as string,
    read: () => refunds.one(as, invoice_id, data.refund_id),
    wallet: () => refunds.wallet(as),
    look: (language?: string) => claimPageOf(url, undefined, language),
    claim: (form: object = ACCOUNT) => claimPageOf(url, form),
  };
}

test('the customer is mailed a link, names an account, and is paid', async () => {
  const email = `budi-${crypto.randomUUID()}@example.com`;
  const { look, claim, read, refund_id, url, wallet } = await waiting({
    description: 'Lamp <b>red</b>',
    customer: { name: 'Budi', email },
  });
  const mail = await mailTo(h, email, /You get IDR 50,000 back/);
  expect(mail.text).toContain(url);
  expect(await countMails(h, email)).toBe(1);
  const [status, page] = await look();
  expect(status).toBe(200);
  expect(page).toContain('<strong>IDR 50,000</strong> back for: Lamp &#60;b&#62;red&#60;/b&#62;');
  expect(await read()).toMatchObject({ status: 'AWAITING_PAYER', payee: null });
  expect(await wallet()).toEqual({ balance: 5_000_000n, held: '50000.00' });
  const [taken, said] = await claim();
  expect(taken).toBe(200);
  expect(said).toContain('IDR 50,000 is being paid to BCA ****3456.');
  await bankEnd(h, refund_id, 'complete');
  await h.advance(660);
  await h.drain();
  expect((await look())[1]).toContain('IDR 50,000 was paid to BCA ****3456.');
  expect(await read()).toMatchObject({
    status: 'SUCCEEDED',
    payee: { name: 'Budi Santoso', detail: 'BCA ****3456' },
  });
  expect(await wallet()).toEqual({ balance: 0n, held: '0.00' });
});

test('the page speaks Indonesian to those who read it, and loads nothing from elsewhere', async () => {
  const { look, url } = await waiting();
  const [, page] = await look('id-ID,id;q=0.9,en;q=0.5');
  expect(page).toContain('<html lang="id">');
  expect(page).toContain('Nomor rekening');
  expect(page.match(/(?:src|href)="(?!\/|data:)[^"]*"/g)).toBeNull();
  expect((await claimPageOf(`${url}?lang=en`, undefined, 'id'))[1]).toContain('Account number');
});

test('what is mistyped, or in another name, is said and pays nothing', async () => {
  const { claim, read } = await waiting();
  await h.sandbox('POST', '/bank-host/holders', { account: '9900990099', name: 'Dewi Lestari' });
  const cases: [object, string][] = [
    [{}, 'Choose the bank'],
    [{ ...ACCOUNT, bank_code: 'constructor' }, 'Choose the bank'],
    [{ ...ACCOUNT, account_number: '12' }, '5 to 20 digits'],
    [{ ...ACCOUNT, account_name: '12 34' }, 'Enter the name'],
    [{ ...ACCOUNT, account_number: '9900990099' }, 'no such account under this name'],
  ];
  for (const [form, words] of cases) {
    const [status, page] = await claim(form);
    expect([status, page.includes(words)]).toEqual([400, true]);
    expect(page).not.toContain('Dewi');
  }
  expect((await read()).status).toBe('AWAITING_PAYER');
});

test('of twenty accounts that are named at once one is paid', async () => {
  const { url, refund_id } = await waiting();
  const before = await gateway.balance();
  const pages = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      claimPageOf(url, { ...ACCOUNT, account_number: String(8_800_120_000 + n) }),
    ),
  );
  expect(pages.every(([status]) => status === 200)).toBe(true);
  const named = new Set(pages.map(([, page]) => /\*{4}\d{4}/.exec(page)?.[0]));
  expect(named.size).toBe(1);
  await bankEnd(h, refund_id, 'complete');
  await h.advance(660);
  await h.drain();
  expect((await gateway.balance()) - before).toBe(-5_000_000n);
});

test('a link that was not used in time frees the money, and says so', async () => {
  const { look, claim, read, wallet } = await waiting();
  await h.advance(14 * DAYS_S + 60);
  await h.drain();
  expect(await read()).toMatchObject({
    status: 'FAILED',
    failure: { code: 'CLAIM_EXPIRED', retryable: true },
  });
  expect(await wallet()).toEqual({ balance: 5_000_000n, held: '0.00' });
  for (const [status, page] of [await look(), await claim()]) {
    expect(status).toBe(410);
    expect(page).toContain('not valid any more');
  }
});

test('a claim whose bank refuses is the merchant’s again', async () => {
  const { claim, read, refund_id, wallet, look } = await waiting();
  await claim();
  await bankEnd(h, refund_id, 'fail');
  await h.advance(660);
  await h.drain();
  expect(await read()).toMatchObject({ status: 'FAILED', failure: { retryable: true } });
  expect(await wallet()).toEqual({ balance: 5_000_000n, held: '0.00' });
  expect((await look())[1]).toContain('The bank did not take the payment');
});

test('a merchant who was stopped pays no claim', async () => {
  const { as, claim } = await waiting();
  const admin = await h.user({ role: 'admin', client_id });
  await h.call('POST /admins/users/{user_id}/stop', {
    as: admin,
    params: { user_id: as.user_id },
    body: { reason: 'Under review' },
  });
  const [status, page] = await claim();
  expect([status, page.includes('cannot be paid at the moment')]).toEqual([400, true]);
  const rows = await run<Body>(h.db, 'select status from invoice_refunds where user_id = $1', [
    as.user_id,
  ]);
  expect(rows).toEqual([{ status: 'AWAITING_PAYER' }]);
});

test('a link cannot be guessed, and another key leads nowhere', async () => {
  const { url } = await waiting();
  expect(url).toMatch(/\/api\/payment-gateway\/claim\/[0-9a-f]{36}$/);
  for (const wrong of [url.replace(/.$/, (c) => (c === '0' ? '1' : '0')), url.slice(0, -1)]) {
    expect((await claimPageOf(wrong))[0]).toBe(404);
    expect((await claimPageOf(wrong, ACCOUNT))[0]).toBe(404);
  }
});

test('nothing is made or lost over all of this', async () => {
  expect((await verifyLedger(h.db)).broken).toEqual([]);
  expect(await gateway.balance()).toBe(-(await houseBalance(h, 'gateway', 'IDR')));
});
