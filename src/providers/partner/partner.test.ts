import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { partnerSimulator } from '#sandbox/providers/partner/simulator.ts';
import { failInserts, testSandbox } from '#test/sandbox.ts';
import { partnerProvider } from './adapter.ts';
import { CAPABILITIES, CUSTOMER_STATUSES, type NewCustomer } from './port.ts';
import { customerOfLink, toCustomer, toRequest, toStatus } from './wire.ts';

const sandbox = await testSandbox(partnerSimulator({ PARTNER_API_KEY: 'test-key' }));
const { clock } = sandbox;
const settings = { url: () => `${sandbox.url}/partner`, apiKey: 'test-key', clock };
const partner = partnerProvider(settings);

let users = 0;
const newCustomer = (): NewCustomer => {
  users += 1;
  return {
    idempotencyKey: randomUUID(),
    type: 'individual',
    name: 'Ana Maria Silva',
    email: `ana${users}@example.com`,
  };
};
const create = async (customer = newCustomer()) => {
  const created = await partner.createCustomer(customer);
  if (created.kind !== 'done') throw new Error(`Not created: ${JSON.stringify(created)}`);
  return created.value;
};
const setStatus = (customer: string, status: string) =>
  sandbox.control(`POST /partner/customers/${customer}/status`, { status });
const arm = (kind: string, times = 1, ms = 20) =>
  sandbox.control('POST /faults', { provider: 'partner', kind, times, ms });
const customersOf = (email: string) =>
  sandbox.world.records.list('partner', 'customer', { where: { email } });

beforeEach(async () => {
  await sandbox.control('DELETE /faults');
});

describe('a customer', () => {
  it('is created with nothing allowed yet, and read back the same', async () => {
    const created = await create();
    expect(created).toMatchObject({
      status: 'not_started',
      type: 'individual',
      kyc_status: 'not_started',
      signed_agreement_id: null,
      external_accounts: [],
      verification: {
        identity_status: 'not_started',
        documents_status: 'required',
        risk_assessment: 'pending',
      },
    });
    expect(created.capabilities.map(({ id }) => id)).toEqual(CAPABILITIES);
    expect(created.capabilities.filter(({ status }) => status === 'active')).toEqual([]);
    expect(await partner.customer(created.id)).toEqual({ kind: 'done', value: created });
  });

  it('is shown in the contract’s words, not the provider’s own', async () => {
    const customer = newCustomer();
    const { id } = await create(customer);
    for (const status of CUSTOMER_STATUSES) {
      expect((await setStatus(customer.email, status)).status).toBe(200);
      expect(await partner.customer(id)).toMatchObject({ kind: 'done', value: { status } });
    }
  });

  it('may do everything once it is verified, and nothing when it is rejected', async () => {
    const customer = newCustomer();
    const { id } = await create(customer);
    const states = async () => {
      const found = await partner.customer(id);
      return found.kind === 'done' ? found.value.capabilities.map(({ status }) => status) : [];
    };
    await setStatus(customer.email, 'verified');
    expect(await states()).toEqual(Array(4).fill('active'));
    await setStatus(customer.email, 'pending_verification');
    expect(await states()).toEqual(Array(4).fill('pending'));
    await setStatus(customer.email, 'rejected');
    expect(await states()).toEqual(Array(4).fill('rejected'));
  });

  it('shows the bank accounts that are linked to it', async () => {
    const customer = newCustomer();
    const { id } = await create(customer);
    const path = `POST /partner/customers/${customer.email}/external-accounts`;
    expect((await sandbox.control(path, { account_type: 'iban' })).status).toBe(201);
    expect(await partner.customer(id)).toMatchObject({
      value: {
        external_accounts: [
          { id: expect.any(String), type: 'iban', status: 'active', currency: 'EUR' },
        ],
      },
    });
  });

  it('that was never made is refused as not found', async () => {
    expect(await partner.customer(randomUUID())).toMatchObject({
      kind: 'refused',
      code: 'CUSTOMER_NOT_FOUND',
    });
  });
});

describe('creating a customer', () => {
  it('again with the same key, also at once, makes one', async () => {
    const customer = newCustomer();
    const all = await Promise.all(Array.from({ length: 10 }, () => create(customer)));
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    expect(await customersOf(customer.email)).toHaveLength(1);
  });

  it('is refused when its key stands for something else, or is a day old', async () => {
    const customer = newCustomer();
    await create(customer);
    const other = { ...customer, name: 'Somebody Else' };
    expect(await partner.createCustomer(other)).toMatchObject({ code: 'KEY_REFUSED' });
    await sandbox.control('POST /clock', { advance_s: 86_401 });
    expect(await partner.createCustomer(customer)).toMatchObject({ code: 'KEY_REFUSED' });
    expect(await customersOf(customer.email)).toHaveLength(1);
  });

  it('is refused without a key, with a wrong API key, or without a real address', async () => {
    const keyless = { ...newCustomer(), idempotencyKey: '' };
    expect(await partner.createCustomer(keyless)).toMatchObject({ code: 'INVALID_PARAMS' });
    const stranger = partnerProvider({ ...settings, apiKey: 'wrong' });
    expect(await stranger.createCustomer(newCustomer())).toMatchObject({ code: 'UNAUTHORIZED' });
    const nobody = { ...newCustomer(), email: 'nobody' };
    expect(await partner.createCustomer(nobody)).toMatchObject({ code: 'INVALID_PARAMS' });
  });

  for (const kind of ['delay', 'refuse', 'drop', 'commit-then-drop', 'error'])
    it(`survives one ${kind}, and makes one customer`, async () => {
      const customer = newCustomer();
      await arm(kind);
      await create(customer);
      expect(await customersOf(customer.email)).toHaveLength(1);
    });

  for (const kind of ['refuse', 'drop', 'commit-then-drop', 'error'])
    it(`is unknown while the provider goes on to ${kind}, and made once when tried later`, async () => {
      const customer = newCustomer();
      await arm(kind, 2);
      expect((await partner.createCustomer(customer)).kind).toBe('unknown');
      await create(customer);
      expect(await customersOf(customer.email)).toHaveLength(1);
    });

  it('is unknown after the time-out', async () => {
    await arm('delay', 2, 300);
    const hasty = partnerProvider({ ...settings, timeoutMs: 50 });
    expect((await hasty.createCustomer(newCustomer())).kind).toBe('unknown');
  });
});

describe('the provider’s words', () => {
  it('each have one of ours, and an unknown one never approves a customer', () => {
    const words = {
      not_started: 'not_started',
      incomplete: 'pending_verification',
      awaiting_questionnaire: 'pending_verification',
      awaiting_ubo: 'pending_verification',
      under_review: 'pending_verification',
      active: 'verified',
      paused: 'pending_verification',
      rejected: 'rejected',
      offboarded: 'rejected',
      brand_new: 'pending_verification',
    };
    for (const [theirs, ours] of Object.entries(words)) expect(toStatus(theirs)).toBe(ours);
  });

  it('about single ways to pay in and out become the contract’s four capabilities', () => {
    const wire = {
      id: 'c',
      status: 'active',
      created_at: '2026-11-20T06:30:00Z',
      updated_at: '2026-11-20T06:30:00Z',
    };
    const customer = toCustomer(
      {
        ...wire,
        capabilities: { payin_fiat: 'active', payout_fiat: 'pending', payout_crypto: 'rejected' },
        endorsements: [
          { name: 'base', status: 'incomplete' },
          { name: 'sepa', status: 'approved' },
        ],
      },
      [],
    );
    expect(customer.capabilities).toEqual([
      {
        id: 'cap_send_funds',
        status: 'pending',
        supported_currencies: ['USD', 'EUR', 'USDC'],
      },
      {
        id: 'cap_receive_funds',
        status: 'active',
        supported_currencies: ['USD', 'EUR', 'USDC'],
      },
      { id: 'cap_card_payments', status: 'inactive', supported_currencies: ['USD'] },
      { id: 'cap_ach_transfers', status: 'pending', supported_currencies: ['USD'] },
    ]);
    expect(toCustomer(wire, []).capabilities.map(({ status }) => status)).toEqual(
      Array(4).fill('inactive'),
    );
  });

  it('get a whole name and an address, and nothing that was not asked of the person', () => {
    expect(toRequest(newCustomer())).toEqual({
      type: 'individual',
      full_name: 'Ana Maria Silva',
      email: expect.any(String),
      endorsements: ['base', 'cards'],
    });
  });
});

describe('the links', () => {
  const page = (url: string, form?: object) =>
    fetch(url, {
      ...(form && {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ ...form }).toString(),
      }),
    });
  const linksOf = async (id: string) => {
    const links = await partner.links(id);
    if (links.kind !== 'done') throw new Error('There are no links');
    return links.value;
  };
  const statusOf = async (id: string) => {
    const found = await partner.customer(id);
    return found.kind === 'done' && found.value.status;
  };

  it('lead to the terms and the checks, and both make a verified customer', async () => {
    const { id } = await create();
    const { tos_link, kyc_link } = await linksOf(id);
    expect((await page(kyc_link)).status).toBe(200);
    expect((await page(kyc_link, { decision: 'approve' })).status).toBe(200);
    expect(await statusOf(id)).toBe('pending_verification');
    expect((await page(tos_link, {})).status).toBe(200);
    expect(await statusOf(id)).toBe('verified');
    expect(await partner.customer(id)).toMatchObject({
      value: { signed_agreement_id: expect.any(String) },
    });
  });

  it('of a customer that does not exist are refused', async () => {
    expect(await partner.links(randomUUID())).toMatchObject({ code: 'CUSTOMER_NOT_FOUND' });
    expect((await page(`${sandbox.url}/partner/kyc/none`)).status).toBe(404);
  });

  it('without their customer are a customer of their own until there is one', async () => {
    const { id } = await create();
    const [{ link_id } = { link_id: '' }] = await sandbox.world.records.list<{ link_id: string }>(
      'partner',
      'customer',
      { where: { id } },
    );
    const known = `kyc_link:${link_id}`;
    expect(await partner.customer(known)).toMatchObject({ kind: 'done', value: { id: known } });
    expect(await partner.links(known)).toMatchObject({ kind: 'done' });
    const alone = customerOfLink(
      { id: 'l', kyc_link: 'k', tos_link: 't', kyc_status: 'not_started', tos_status: 'pending' },
      clock.now().toISOString(),
    );
    expect(alone).toMatchObject({ id: 'kyc_link:l', status: 'not_started' });
  });
});

it('a customer is made without a link only with an agreement and an identity', async () => {
  const direct = (body: object) =>
    fetch(`${sandbox.url}/partner/v0/customers`, {
      method: 'POST',
      headers: {
        'api-key': 'test-key',
        'idempotency-key': randomUUID(),
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
  const named = { type: 'individual', first_name: 'Ana', email: 'ana@example.com' };
  expect((await direct(named)).status).toBe(400);
  const whole = {
    ...named,
    signed_agreement_id: randomUUID(),
    residential_address: { street_line_1: '1 Main St', city: 'Austin', country: 'USA' },
    birth_date: '1990-01-01',
    identifying_information: [{ type: 'ssn', issuing_country: 'usa', number: '1' }],
  };
  expect((await direct(whole)).status).toBe(201);
});

it('a webhook is believed by the key that the partner shows for it', async () => {
  const customer = newCustomer();
  const { id } = await create(customer);
  const seen = sandbox.received.length;
  await setStatus(customer.email, 'verified');
  await expect.poll(() => sandbox.received.length).toBe(seen + 1);
  const [webhook] = sandbox.received.slice(seen);
  if (!webhook) throw new Error('Nothing came');
  const { path, raw, headers } = webhook;
  expect(path).toBe('/api/pspb/webhook');
  expect(await partner.isGenuine(raw, headers)).toBe(true);
  expect(await partner.isGenuine(Buffer.concat([raw, Buffer.from(' ')]), headers)).toBe(false);
  expect(await partner.isGenuine(raw, {})).toBe(false);
  expect(partner.readWebhook(raw)).toEqual({ name: expect.any(String), customerId: id });
  expect(partner.readWebhook(Buffer.from('{}'))).toBeUndefined();
  await sandbox.control('POST /clock', { advance_s: 601 });
  expect(await partner.isGenuine(raw, headers)).toBe(false);
});

it('a key whose request was cut short stands for nothing yet', async () => {
  const customer = newCustomer();
  const restore = await failInserts(sandbox.db, 'partner', 'customer');
  expect(await partner.createCustomer(customer)).toMatchObject({ kind: 'unknown' });
  await restore();
  await create({ ...customer, name: 'Ana Silva' });
});

it('the mode follows from the address alone', () => {
  const mode = (url: string) => partnerProvider({ ...settings, url: () => url }).mode();
  expect(mode(sandbox.url)).toBe('sandbox');
  expect(mode('http://127.0.0.1:3001/partner')).toBe('sandbox');
  expect(mode('https://api.sandbox.bridge.xyz')).toBe('sandbox');
  expect(mode('https://api.bridge.xyz')).toBe('production');
  expect(mode('https://sandboxed.example')).toBe('production');
  expect(mode('')).toBe('production');
});

it('refuses a control for a status or a user that there is not', async () => {
  const customer = newCustomer();
  await create(customer);
  expect((await setStatus(customer.email, 'active')).status).toBe(400);
  expect((await setStatus('999999', 'verified')).status).toBe(404);
  const path = `POST /partner/customers/${customer.email}/external-accounts`;
  expect((await sandbox.control(path, {})).status).toBe(400);
});
