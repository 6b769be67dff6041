import { createHmac } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createClock } from '#kernel/clock.ts';
import { identitySimulator } from '#sandbox/providers/identity/simulator.ts';
import { testSandbox } from '#test/sandbox.ts';
import { identityProvider } from './adapter.ts';
import type { Person } from './port.ts';
import { requestSignature } from './wire.ts';

const credentials = {
  IDENTITY_APP_TOKEN: 'sbx:test',
  IDENTITY_SECRET: 'app-secret',
  IDENTITY_WEBHOOK_SECRET: 'webhook-secret',
};
const sandbox = await testSandbox(identitySimulator(credentials));
const settings = {
  url: () => `${sandbox.url}/identity`,
  appToken: credentials.IDENTITY_APP_TOKEN,
  secret: credentials.IDENTITY_SECRET,
  webhookSecret: credentials.IDENTITY_WEBHOOK_SECRET,
  clock: sandbox.clock,
};
const identity = identityProvider(settings);

let users = 0;
const person = (type: 'KYC' | 'KYB' = 'KYC'): Person => {
  users += 1;
  return { externalUserId: String(1000 + users), type, email: `p${users}@example.com` };
};
const create = async (who = person()) => {
  const created = await identity.createApplicant(who);
  if (created.kind !== 'done') throw new Error(`Not created: ${JSON.stringify(created)}`);
  return created.value;
};
const arm = (kind: string, times = 1, ms = 20) =>
  sandbox.control('POST /faults', { provider: 'identity', kind, times, ms });

beforeEach(async () => {
  await sandbox.control('DELETE /faults');
  await sandbox.world.callbacks.idle();
  (sandbox.received as unknown[]).length = 0;
});

describe('the signed calls', () => {
  it('create an applicant at the level of its type, found by either id', async () => {
    const who = person();
    const applicant = await create(who);
    expect(applicant).toMatchObject({
      externalUserId: who.externalUserId,
      type: 'KYC',
      levelName: 'ekyc-indonesia-standard',
      review: { status: 'init', answer: null },
    });
    expect(applicant.applicantId).toMatch(/^[0-9a-f]{24}$/);
    expect(Date.parse(applicant.createdAt)).toBeGreaterThan(0);
    const byOurs = await identity.findApplicant(who.externalUserId, 'KYC');
    const byTheirs = await identity.applicant(applicant.applicantId);
    expect(byOurs).toEqual({ kind: 'done', value: applicant });
    expect(byTheirs).toEqual({ kind: 'done', value: applicant });
  });

  it('answer the one applicant to any number of repeated and parallel creations', async () => {
    const who = person();
    const all = await Promise.all(Array.from({ length: 10 }, () => create(who)));
    expect(new Set(all.map(({ applicantId }) => applicantId)).size).toBe(1);
  });

  it('keep a person and the company of the same user apart', async () => {
    const who = person();
    const one = await create(who);
    const company = await create({ ...who, type: 'KYB' });
    expect(company).toMatchObject({ type: 'KYB', levelName: 'kyb-level' });
    expect(company.applicantId).not.toBe(one.applicantId);
  });

  it('give a token for the SDK and a link to the hosted page', async () => {
    const token = await identity.accessToken(person());
    expect(token).toMatchObject({
      kind: 'done',
      value: { token: expect.stringMatching(/^_act-/) },
    });
    const link = await identity.hostedLink(person());
    expect(link).toMatchObject({
      kind: 'done',
      value: { url: expect.stringContaining('/websdk/') },
    });
  });

  it('start over at another level', async () => {
    const { applicantId } = await create();
    expect(await identity.moveToLevel(applicantId, 'kyb-level')).toMatchObject({
      kind: 'done',
      value: { applicantId, levelName: 'kyb-level', review: { status: 'init' } },
    });
  });

  it('name the provider’s refusal in the contract’s words', async () => {
    const { applicantId } = await create();
    const codes = await Promise.all([
      identity.applicant('0'.repeat(24)),
      identity.findApplicant('999999', 'KYC'),
      identity.moveToLevel('0'.repeat(24), 'kyb-level'),
      identity.moveToLevel(applicantId, 'no-such-level'),
      identity.accessToken({ externalUserId: '', type: 'KYC' }),
    ]);
    expect(codes.map((outcome) => outcome.kind === 'refused' && outcome.code)).toEqual([
      'APPLICANT_NOT_FOUND',
      'APPLICANT_NOT_FOUND',
      'APPLICANT_NOT_FOUND',
      'LEVEL_NOT_FOUND',
      'INVALID_PARAMS',
    ]);
  });

  it('are refused under another secret, another app or a wrong clock', async () => {
    const other = identityProvider({ ...settings, secret: 'another' });
    expect(await other.accessToken(person())).toMatchObject({
      kind: 'refused',
      code: 'UNAUTHORIZED',
      message: 'Request signature mismatch',
    });
    const app = identityProvider({ ...settings, appToken: 'sbx:other' });
    expect(await app.accessToken(person())).toMatchObject({ code: 'UNAUTHORIZED' });
    const late = identityProvider({ ...settings, clock: createClock(120_000) });
    expect(await late.accessToken(person())).toMatchObject({ code: 'TOKEN_EXPIRED' });
  });

  it('sign the time, the method, the path with its query, and the body', () => {
    const signature = requestSignature('key', '1607551635', {
      method: 'post',
      path: '/resources/accessTokens?userId=1',
      body: '{}',
    });
    const text = '1607551635POST/resources/accessTokens?userId=1{}';
    expect(signature).toBe(createHmac('sha256', 'key').update(text).digest('hex'));
  });
});

describe('a provider that misbehaves', () => {
  for (const kind of ['delay', 'refuse', 'drop', 'commit-then-drop', 'error'])
    it(`is called a second time after one ${kind}, with one applicant as the result`, async () => {
      await arm(kind);
      const who = person();
      const { applicantId } = await create(who);
      expect((await create(who)).applicantId).toBe(applicantId);
    });

  for (const kind of ['refuse', 'drop', 'commit-then-drop', 'error'])
    it(`leaves the outcome of a call unknown while it continues to ${kind}`, async () => {
      await arm(kind, 2);
      expect(await identity.createApplicant(person())).toMatchObject({ kind: 'unknown' });
    });

  it('times out', async () => {
    await arm('delay', 2, 300);
    const hasty = identityProvider({ ...settings, timeoutMs: 50 });
    expect(await hasty.accessToken(person())).toMatchObject({ kind: 'unknown' });
  });
});

const review = (externalUserId: string, type: 'KYC' | 'KYB', reviewAnswer: 'GREEN' | 'RED') =>
  sandbox.control('POST /identity/reviews', { externalUserId, type, reviewAnswer });
const webhooks = () =>
  sandbox.received.map(({ raw, headers }) =>
    identity.isGenuine(raw, headers) ? identity.readWebhook(raw) : { kind: 'forged' as const },
  );

describe('a finished review', () => {
  it('comes by a webhook with the provider’s signature, and equals the look-up', async () => {
    const who = person();
    const { applicantId } = await create(who);
    const reply = await review(who.externalUserId, 'KYC', 'GREEN');
    expect(reply).toMatchObject({ status: 200, body: { applicantId, delivered: true } });
    expect(sandbox.received[0]?.path).toBe('/api/ekyc/idv/webhook');
    expect(webhooks()).toEqual([
      {
        kind: 'event',
        event: {
          event: 'applicantReviewed',
          digest: expect.stringMatching(/^[0-9a-f]{64}$/),
          applicantId,
          externalUserId: who.externalUserId,
          type: 'KYC',
          levelName: 'ekyc-indonesia-standard',
          review: {
            status: 'completed',
            answer: 'GREEN',
            rejectLabels: [],
            rejectType: null,
            comment: null,
          },
          occurredAt: expect.stringMatching(/Z$/),
        },
      },
    ]);
    expect(await identity.applicant(applicantId)).toMatchObject({
      value: { review: { status: 'completed', answer: 'GREEN' } },
    });
  });

  it('of a company has its type, and a refusal carries its reason', async () => {
    await review('77', 'KYB', 'RED');
    const [webhook] = webhooks();
    expect(webhook).toMatchObject({
      event: {
        type: 'KYB',
        levelName: 'kyb-level',
        review: { answer: 'RED', rejectType: 'RETRY', comment: expect.any(String) },
      },
    });
  });

  it('is repeated until the service accepts it', async () => {
    sandbox.answerWith(500);
    const finished = review('78', 'KYC', 'GREEN');
    await expect.poll(() => sandbox.received.length).toBeGreaterThan(1);
    sandbox.answerWith(200);
    expect(await finished).toMatchObject({ body: { delivered: true } });
    const digests = webhooks().map((it) => it.kind === 'event' && it.event.digest);
    expect(new Set(digests).size).toBe(1);
  });

  it('delivered twice has one digest', async () => {
    await arm('duplicate-callback');
    await review('79', 'KYC', 'GREEN');
    const digests = webhooks().map((it) => it.kind === 'event' && it.event.digest);
    expect(digests).toHaveLength(2);
    expect(new Set(digests).size).toBe(1);
  });

  it('overtaken by another differs from it by its time', async () => {
    await arm('reorder');
    await review('80', 'KYC', 'RED');
    await sandbox.control('POST /clock', { advance_s: 1 });
    await review('80', 'KYC', 'GREEN');
    await expect.poll(() => sandbox.received.length).toBe(2);
    const [first, second] = webhooks().map((it) => (it.kind === 'event' ? it.event : undefined));
    expect([first?.review.answer, second?.review.answer]).toEqual(['GREEN', 'RED']);
    expect(Date.parse(first?.occurredAt ?? '')).toBeGreaterThan(
      Date.parse(second?.occurredAt ?? ''),
    );
  });

  it('delivered late still arrives', async () => {
    await arm('late-callback');
    expect(await review('81', 'KYC', 'GREEN')).toMatchObject({ body: { delivered: false } });
    await sandbox.world.callbacks.idle();
    expect(webhooks()).toMatchObject([{ kind: 'event' }]);
  });

  it('under a foreign signature is forged', async () => {
    await arm('bad-signature');
    await review('82', 'KYC', 'GREEN');
    expect(webhooks()).toEqual([{ kind: 'forged' }]);
  });
});

it('refuses a malformed control', async () => {
  for (const body of [
    {},
    { externalUserId: '1', type: 'KYX', reviewAnswer: 'GREEN' },
    { externalUserId: '1', type: 'KYC', reviewAnswer: 'BLUE' },
    { externalUserId: 1, type: 'KYC', reviewAnswer: 'GREEN' },
  ])
    expect((await sandbox.control('POST /identity/reviews', body)).status).toBe(400);
});
