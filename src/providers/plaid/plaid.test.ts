import { createHash, randomUUID } from 'node:crypto';
import { generateKeyPair, importJWK, SignJWT } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { hearingWaits } from '#kernel/retry-after.ts';
import { signingKey } from '#sandbox/providers/plaid/simulated-webhook.ts';
import { plaidSimulator } from '#sandbox/providers/plaid/simulator.ts';
import { testSandbox } from '#test/sandbox.ts';
import { bankLink } from './adapter.ts';
import type { Debit, TransferEvent } from './port.ts';

const sandbox = await testSandbox(
  plaidSimulator({ PLAID_CLIENT_ID: 'test-client', PLAID_SECRET: 'test-secret' }),
);
const settings = {
  url: () => `${sandbox.url}/plaid`,
  clientId: 'test-client',
  secret: 'test-secret',
  clock: sandbox.clock,
};
const plaid = bankLink(settings);
const WEBHOOK = `${sandbox.world.serviceUrl()}/banklink/webhook`;

const done = <T>(outcome: { kind: string; value?: T }): T => {
  if (outcome.kind !== 'done') throw new Error(`Not done: ${JSON.stringify(outcome)}`);
  return outcome.value as T;
};
const arm = (kind: string, times = 1, ms = 20) =>
  sandbox.control('POST /faults', { provider: 'plaid', kind, times, ms });
const publicToken = async (body: object = {}) => {
  const { body: finished } = await sandbox.control('POST /banklink/public-tokens', body);
  return finished as { public_token: string; metadata: { account_id: string } };
};
async function linked() {
  const { public_token, metadata } = await publicToken();
  const item = done(await plaid.exchange(public_token));
  return { ...item, accountId: metadata.account_id };
}
const post = (path: string, body: object, secret = 'test-secret') =>
  fetch(`${sandbox.url}/plaid${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'plaid-client-id': 'test-client',
      'plaid-secret': secret,
    },
    body: JSON.stringify(body),
  });
const debitOf = async (amount = '12.34'): Promise<Debit> => {
  const { accessToken, accountId } = await linked();
  return { accessToken, accountId, amount };
};
const authorize = (debit: Debit, reference: string = randomUUID()) =>
  plaid.authorize({ ...debit, reference, legalName: 'Ada Lovelace' });
async function transferred() {
  const debit = await debitOf();
  const authorizationId = done(await authorize(debit));
  const request = { ...debit, authorizationId, reference: 'ours' };
  return { request, transfer: done(await plaid.createTransfer(request)) };
}
const step = (id: string, event_type: string) =>
  sandbox.control(`POST /banklink/transfers/${id}/events`, { event_type });

beforeEach(async () => {
  await sandbox.control('DELETE /faults');
});

describe('linking', () => {
  it('goes from a link token to the accounts of a bank', async () => {
    const link = done(
      await plaid.createLinkToken({ userId: '1', phone: '+12025550100', webhookUrl: WEBHOOK }),
    );
    expect(link.linkToken).toMatch(/^link-sandbox-/);
    const { accessToken, accountId, itemId } = await linked();
    expect([accessToken, itemId]).toEqual([
      expect.stringMatching(/^access-sandbox-/),
      expect.any(String),
    ]);
    const accounts = done(await plaid.accounts(accessToken));
    expect(accounts.map(({ subtype }) => subtype)).toEqual(['checking', 'savings']);
    expect(accounts[0]?.account_id).toBe(accountId);
  });

  it('takes a public token once, for half an hour', async () => {
    const { public_token } = await publicToken();
    done(await plaid.exchange(public_token));
    const refused = { kind: 'refused', code: 'INVALID_PUBLIC_TOKEN' };
    expect(await plaid.exchange(public_token)).toMatchObject(refused);
    const { public_token: old } = await publicToken();
    await sandbox.control('POST /clock', { advance_s: 1801 });
    expect(await plaid.exchange(old)).toMatchObject(refused);
  });

  it('ends with the item, which is gone for good', async () => {
    const { accessToken } = await linked();
    done(await plaid.removeItem(accessToken));
    done(await plaid.removeItem(accessToken));
    done(await plaid.removeItem('access-sandbox-never'));
    expect(await plaid.accounts(accessToken)).toMatchObject({ code: 'ITEM_NOT_FOUND' });
  });

  it('of a made-up bank needs no person, and only one such bank exists', async () => {
    done(await plaid.exchange(done(await plaid.sandboxPublicToken())));
    const { status } = await sandbox.control('POST /banklink/public-tokens', {
      institution_id: 'ins_1',
    });
    expect(status).toBe(400);
  });
});

describe('every answer', () => {
  it('has a request id, and an error is Plaid’s error object', async () => {
    const found = await post('/sandbox/public_token/create', {
      initial_products: ['auth'],
      institution_id: 'ins_109508',
    });
    expect(await found.json()).toEqual({
      public_token: expect.any(String),
      request_id: expect.stringMatching(/^\w{8,}$/),
    });
    const refused = await post('/accounts/get', { access_token: 'access-sandbox-x' });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toEqual({
      error_type: 'INVALID_INPUT',
      error_code: 'INVALID_ACCESS_TOKEN',
      error_message: 'could not find matching access token',
      display_message: null,
      suggested_action: null,
      documentation_url: expect.stringContaining('invalid-input-errors'),
      request_id: expect.any(String),
    });
  });

  it('to wrong credentials is a refusal, in headers and in bodies', async () => {
    const stranger = bankLink({ ...settings, secret: 'wrong' });
    expect(await stranger.accounts('x')).toMatchObject({ code: 'INVALID_API_KEYS' });
    expect((await post('/accounts/get', {}, 'wrong')).status).toBe(400);
  });

  it('is unknown if too large, of another shape, too late, or missing', async () => {
    await arm('delay', 1, 120_000);
    const hasty = bankLink({ ...settings, timeoutMs: 100 });
    expect((await hasty.accounts('x')).kind).toBe('unknown');
    const nowhere = bankLink({ ...settings, url: () => 'http://127.0.0.1:1' });
    expect(await nowhere.accounts('x')).toEqual({ kind: 'unknown', cause: 'ECONNREFUSED' });
    // Without an address the library would call the real one.
    const unset = bankLink({ ...settings, url: () => '' });
    expect(await unset.accounts('x')).toEqual({ kind: 'unknown', cause: 'NOT_CONFIGURED' });
  });

  it('reveals no secret when lost', async () => {
    for (const kind of ['refuse', 'drop', 'error']) {
      await arm(kind);
      const lost = await plaid.accounts('access-sandbox-secret');
      expect(lost.kind).toBe('unknown');
      expect(JSON.stringify(lost)).not.toMatch(/secret/);
    }
  });
});

describe('a debit', () => {
  it('is one authorization for a reference, and one transfer for an authorization', async () => {
    const debit = await debitOf();
    const reference = randomUUID();
    const ids = await Promise.all(
      Array.from({ length: 10 }, async () => done(await authorize(debit, reference))),
    );
    expect(new Set(ids).size).toBe(1);
    const authorizationId = ids[0] ?? '';
    expect(await plaid.findTransfer(authorizationId)).toEqual({ kind: 'done', value: undefined });
    const request = { ...debit, authorizationId, reference };
    const made = await Promise.all(
      Array.from({ length: 10 }, async () => done(await plaid.createTransfer(request))),
    );
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(made[0]).toMatchObject({ status: 'pending', amount: '12.34' });
    expect(await plaid.findTransfer(authorizationId)).toEqual({ kind: 'done', value: made[0] });
  });

  it('is declined beyond the balance, and refused an hour after its authorization', async () => {
    expect(await authorize(await debitOf('10000.01'))).toMatchObject({
      kind: 'refused',
      code: 'NSF',
    });
    const debit = await debitOf();
    const authorizationId = done(await authorize(debit));
    await sandbox.control('POST /clock', { advance_s: 3601 });
    const late = await plaid.createTransfer({ ...debit, authorizationId, reference: 'ours' });
    expect(late).toMatchObject({ kind: 'refused', code: 'INVALID_FIELD' });
  });

  it.each(['refuse', 'drop', 'commit-then-drop', 'error'])(
    'is asked for again after %s, and made once',
    async (kind) => {
      const debit = await debitOf();
      const reference = randomUUID();
      await arm(kind);
      expect((await authorize(debit, reference)).kind).toBe('unknown');
      const authorizationId = done(await authorize(debit, reference));
      await arm(kind);
      const request = { ...debit, authorizationId, reference };
      expect((await plaid.createTransfer(request)).kind).toBe('unknown');
      const seen = done(await plaid.findTransfer(authorizationId));
      expect(seen !== undefined).toBe(kind === 'commit-then-drop');
      const { id } = done(await plaid.createTransfer(request));
      const all = await sandbox.world.records.list('plaid', 'transfer', {
        where: { authorization_id: authorizationId },
      });
      expect(all).toMatchObject([{ id, metadata: { reference } }]);
    },
  );

  it('has its events in order, page by page, and by their time', async () => {
    const { transfer } = await transferred();
    const from = sandbox.clock.now();
    for (const event of ['posted', 'settled', 'returned'])
      expect((await step(transfer.id, event)).status).toBe(200);
    const { events } = done(await plaid.eventsAfter(0));
    const own = events.filter(({ transferId }) => transferId === transfer.id);
    expect(own.map(({ type }) => type)).toEqual(['pending', 'posted', 'settled', 'returned']);
    expect(own.map(({ amount }) => amount)).toEqual(Array(4).fill('12.34'));
    const ids = events.map(({ eventId }) => eventId);
    expect(ids).toEqual([...ids].sort((one, other) => one - other));
    const window = {
      from: new Date(from.getTime() - 60_000),
      to: new Date(from.getTime() + 60_000),
    };
    const types = ['settled', 'returned'] as const;
    const { events: listed } = done(await plaid.eventsBetween({ ...window, types, offset: 0 }));
    expect(listed.map(({ type }) => type)).toEqual(['returned', 'settled']);
    const { events: second } = done(await plaid.eventsBetween({ ...window, types, offset: 1 }));
    expect(second).toEqual(listed.slice(1));
  });

  it('is refused for its risk, and where its owner has to log in at the bank again', async () => {
    const risky = await debitOf();
    const { public_token, metadata } = await publicToken({ available: 0 });
    const { accessToken } = done(await plaid.exchange(public_token));
    const empty = { accessToken, accountId: metadata.account_id, amount: '1.00' };
    expect(await authorize(empty)).toMatchObject({ kind: 'refused', code: 'RISK' });
    await post('/sandbox/item/reset_login', { access_token: risky.accessToken });
    const again = { kind: 'refused', code: 'USER_ACTION_REQUIRED' };
    expect(await authorize(risky)).toMatchObject(again);
    expect(await plaid.accounts(risky.accessToken)).toMatchObject({
      kind: 'refused',
      code: 'ITEM_LOGIN_REQUIRED',
    });
  });

  it('takes the steps that Plaid’s sandbox allows', async () => {
    const { transfer } = await transferred();
    const simulate = (event: 'posted' | 'settled' | 'returned') =>
      plaid.simulateTransfer(transfer.id, event, WEBHOOK);
    const bad = { kind: 'refused', code: 'SANDBOX_TRANSFER_EVENT_TRANSITION_INVALID' };
    expect(await simulate('settled')).toMatchObject(bad);
    done(await simulate('posted'));
    done(await simulate('settled'));
    // Only our own control lets a bank change its mind later.
    expect(await simulate('returned')).toMatchObject(bad);
    expect(done(await plaid.transfer(transfer.id)).status).toBe('settled');
    expect((await step('never', 'posted')).status).toBe(404);
    expect((await step(transfer.id, 'posted')).status).toBe(409);
    done(await plaid.simulatePayment(`payment-id-sandbox-${randomUUID()}`, WEBHOOK));
    expect(await plaid.simulatePayment('x', WEBHOOK)).toMatchObject({ kind: 'refused' });
  });

  it('has a statement that can be made wrong, while its events stay right', async () => {
    const from = sandbox.clock.now();
    const { transfer } = await transferred();
    for (const event of ['posted', 'settled']) await step(transfer.id, event);
    const spoil = (kind: string) =>
      sandbox.control('POST /statements/plaid/faults', { kind, reference: transfer.id });
    const amounts = (events: readonly TransferEvent[]) =>
      events
        .filter(({ transferId, type }) => transferId === transfer.id && type === 'settled')
        .map(({ amount }) => amount);
    const window = {
      from: new Date(Math.floor(from.getTime() / 1000) * 1000),
      to: new Date(sandbox.clock.now().getTime() + 1000),
    };
    const statement = async () =>
      amounts(done(await plaid.eventsBetween({ ...window, types: ['settled'], offset: 0 })).events);
    for (const [kind, expected] of [
      ['double', ['12.34', '12.34']],
      ['alter', ['0.01']],
      ['lose', []],
    ] as const) {
      await spoil(kind);
      expect([kind, await statement()]).toEqual([kind, expected]);
    }
    expect(amounts(done(await plaid.eventsAfter(0)).events)).toEqual(['12.34']);
  });
});

describe('a webhook', () => {
  const last = async () => {
    const { transfer } = await transferred();
    await step(transfer.id, 'posted');
    await sandbox.world.callbacks.idle();
    const call = sandbox.received.at(-1);
    if (!call) throw new Error('Nothing was told');
    return call;
  };

  it('is genuine for five minutes, over its very bytes, and names itself', async () => {
    const { raw, headers, path } = await last();
    expect(path).toBe('/api/banklink/webhook');
    expect(await plaid.isGenuine(raw, headers)).toBe(true);
    const news = plaid.readWebhook(raw, headers);
    expect(news).toEqual({ name: expect.stringMatching(/^[0-9a-f]{64}$/), about: 'transfers' });
    expect(plaid.readWebhook(raw, headers)).toEqual(news);
    expect(await plaid.isGenuine(Buffer.from(`${raw} `), headers)).toBe(false);
    expect(await plaid.isGenuine(raw, {})).toBe(false);
    await sandbox.control('POST /clock', { advance_s: 331 });
    expect(await plaid.isGenuine(raw, headers)).toBe(false);
  });

  it('with a foreign signature is not genuine', async () => {
    const { raw } = await last();
    const { shown, privateJwk } = await signingKey(sandbox.world);
    const body_digest = createHash('sha256').update(raw).digest('hex');
    const sign = async (alg: string, kid: string, key: Parameters<SignJWT['sign']>[0]) => ({
      'plaid-verification': await new SignJWT({ request_body_sha256: body_digest })
        .setProtectedHeader({ alg, kid })
        .setIssuedAt(sandbox.clock.seconds())
        .sign(key),
    });
    const right = await importJWK(privateJwk, 'ES256');
    expect(await plaid.isGenuine(raw, await sign('ES256', shown.kid, right))).toBe(true);
    const { privateKey } = await generateKeyPair('ES256');
    expect(await plaid.isGenuine(raw, await sign('ES256', shown.kid, privateKey))).toBe(false);
    const publicText = new TextEncoder().encode(JSON.stringify(shown));
    expect(await plaid.isGenuine(raw, await sign('HS256', shown.kid, publicText))).toBe(false);
    expect(await plaid.isGenuine(raw, await sign('ES256', 'made-up', privateKey))).toBe(false);
    const late = { 'plaid-verification': 'a.b.c' };
    expect(await plaid.isGenuine(raw, late)).toBe(false);
  });

  it('with a made-up key makes few calls to the provider, and a known key none', async () => {
    const { raw, headers } = await last();
    const fresh = bankLink(settings);
    expect(await fresh.isGenuine(raw, headers)).toBe(true);
    const { privateKey } = await generateKeyPair('ES256');
    for (let n = 0; n < 30; n += 1) {
      const token = await new SignJWT({})
        .setProtectedHeader({ alg: 'ES256', kid: `made-up-${n}` })
        .sign(privateKey);
      expect(await fresh.isGenuine(raw, { 'plaid-verification': token })).toBe(false);
    }
    // Ten requests a minute were made, so that this fault is still armed.
    await arm('error');
    expect(await fresh.isGenuine(raw, headers)).toBe(true);
    expect(sandbox.world.faults.list()).toHaveLength(1);
  });
});

it('the mode follows from the address alone', () => {
  const mode = (url: string) => bankLink({ ...settings, url: () => url }).mode();
  expect(mode(sandbox.url)).toBe('sandbox');
  expect(mode('https://sandbox.plaid.com')).toBe('sandbox');
  expect(mode('https://production.plaid.com')).toBe('production');
  expect(mode('https://sandboxed.example')).toBe('production');
  expect(mode('')).toBe('production');
});

it('a throttled call is unknown, and heard when to come again', async () => {
  const fault = { provider: 'plaid', kind: 'throttle', retry_after: 90 };
  await sandbox.control('POST /faults', fault);
  const run = hearingWaits(() => plaid.accounts('access-sandbox-1'));
  expect(await run.ended).toMatchObject({ kind: 'unknown' });
  expect(run.waitMs()).toBe(90_000);
});
