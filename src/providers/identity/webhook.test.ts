import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createClock } from '#kernel/clock.ts';
import { identityProvider } from './adapter.ts';
import { fromWireTime } from './wire.ts';

const settings = {
  url: () => '',
  appToken: 'sbx:test',
  secret: 'app-secret',
  webhookSecret: 'webhook-secret',
  clock: createClock(),
};
const identity = identityProvider(settings);

describe('a webhook', () => {
  const body = Buffer.from(
    JSON.stringify({ applicantId: 'a', externalUserId: '1', type: 'applicantPending' }),
  );
  const sign = (raw: Buffer, secret = 'webhook-secret') =>
    createHmac('sha256', secret).update(raw).digest('hex');
  const alg = 'HMAC_SHA256_HEX';

  it('counts only with the digest of exactly these bytes, by the algorithm that it names', () => {
    const headers = { 'x-payload-digest': sign(body), 'x-payload-digest-alg': alg };
    expect(identity.isGenuine(body, headers)).toBe(true);
    expect(identity.readWebhook(body)).toMatchObject({
      event: { event: 'applicantPending', review: { status: 'init', answer: null } },
    });
    const spaced = Buffer.concat([body, Buffer.from(' ')]);
    const digestBy = (algorithm: string) =>
      createHmac(algorithm, 'webhook-secret').update(body).digest('hex');
    for (const name of ['sha1', 'sha256', 'sha512'])
      expect(
        identity.isGenuine(body, {
          'x-payload-digest': digestBy(name),
          'x-payload-digest-alg': `HMAC_${name.toUpperCase()}_HEX`,
        }),
      ).toBe(true);
    const forged = [
      identity.isGenuine(spaced, headers),
      identity.isGenuine(body, {}),
      identity.isGenuine(body, { ...headers, 'x-payload-digest': '' }),
      identity.isGenuine(body, { 'x-payload-digest': sign(body, 'app-secret') }),
      identity.isGenuine(body, { ...headers, 'x-payload-digest-alg': 'HMAC_SHA512_HEX' }),
      identity.isGenuine(body, {
        'x-payload-digest': digestBy('md5'),
        'x-payload-digest-alg': 'HMAC_MD5_HEX',
      }),
    ];
    expect(forged).toEqual(Array(6).fill(false));
  });

  it('is always refused while no secret is set', () => {
    const open = identityProvider({ ...settings, webhookSecret: '' });
    const headers = { 'x-payload-digest': sign(body, ''), 'x-payload-digest-alg': alg };
    expect(open.isGenuine(body, headers)).toBe(false);
  });

  it('that is genuine but of another shape is ignored, with any content', () => {
    for (const text of ['', 'null', '[]', '{}', 'not json', '{"applicantId":5}']) {
      expect(identity.readWebhook(Buffer.from(text)).kind).toBe('ignored');
    }
  });

  it.each([
    ['before its review is completed', 'GREEN', 'pending'],
    ['when the review came to no result', 'YELLOW', 'completed'],
  ])('decides nothing %s', (_when, reviewAnswer, reviewStatus) => {
    const review = { reviewResult: { reviewAnswer }, reviewStatus };
    const raw = Buffer.from(JSON.stringify({ ...JSON.parse(body.toString()), ...review }));
    expect(identity.readWebhook(raw)).toMatchObject({ event: { review: { answer: null } } });
  });

  it('has its time in UTC, from each form that the provider writes', () => {
    const at = '2026-11-20T06:30:00.000Z';
    for (const text of [
      '2026-11-20 06:30:00',
      '2026-11-20 06:30:00+0000',
      '2026-11-20 06:30:00.000',
    ])
      expect(fromWireTime(text)).toBe(at);
    expect(fromWireTime('yesterday')).toBeUndefined();
  });
});
