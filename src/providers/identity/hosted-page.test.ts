import { beforeEach, describe, expect, it } from 'vitest';
import { identitySimulator } from '#sandbox/providers/identity/simulator.ts';
import { testSandbox } from '#test/sandbox.ts';
import { identityProvider } from './adapter.ts';
import type { Person } from './port.ts';

const sandbox = await testSandbox(
  identitySimulator({
    IDENTITY_APP_TOKEN: 'sbx:test',
    IDENTITY_SECRET: 'app-secret',
    IDENTITY_WEBHOOK_SECRET: 'webhook-secret',
  }),
);
const identity = identityProvider({
  url: () => `${sandbox.url}/identity`,
  appToken: 'sbx:test',
  secret: 'app-secret',
  webhookSecret: 'webhook-secret',
  clock: sandbox.clock,
});

let users = 0;
const person = (type: 'KYC' | 'KYB'): Person => {
  users += 1;
  return { externalUserId: String(users), type };
};
const webhooks = () =>
  sandbox.received.map(({ raw, headers }) => {
    expect(identity.isGenuine(raw, headers)).toBe(true);
    return identity.readWebhook(raw);
  });

beforeEach(() => {
  (sandbox.received as unknown[]).length = 0;
});

describe('the hosted page', () => {
  const open = async (type: 'KYC' | 'KYB' = 'KYC') => {
    const who = person(type);
    const link = await identity.hostedLink(who);
    if (link.kind !== 'done') throw new Error('No link');
    return { who, url: link.value.url };
  };
  const decide = (url: string, fields: Record<string, string>) =>
    fetch(url, { method: 'POST', body: new URLSearchParams(fields) });

  it('lets a person decide the review, which is then reported to the service', async () => {
    const { who, url } = await open();
    const shown = await fetch(url);
    expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await shown.text()).toContain('value="approve"');
    const decided = await decide(url, { name: 'Budi Santoso Putra', decision: 'approve' });
    expect(await decided.text()).toContain('Verification approved');
    expect(webhooks()).toMatchObject([
      { event: { externalUserId: who.externalUserId, review: { answer: 'GREEN' } } },
    ]);
    expect(await identity.findApplicant(who.externalUserId, 'KYC')).toMatchObject({
      value: { name: 'Budi Santoso Putra', review: { answer: 'GREEN' } },
    });
  });

  it('of a company requires its name, and can reject it', async () => {
    const { who, url } = await open('KYB');
    expect(await (await fetch(url)).text()).toContain('Company name');
    await decide(url, { name: 'PT Maju', decision: 'reject' });
    expect(webhooks()).toMatchObject([{ event: { type: 'KYB', review: { answer: 'RED' } } }]);
    expect(await identity.findApplicant(who.externalUserId, 'KYB')).toMatchObject({
      value: { name: 'PT Maju' },
    });
  });

  it('decides nothing without a name or with another decision', async () => {
    const { url } = await open();
    for (const fields of [
      { decision: 'approve' },
      { name: 'A' },
      { name: 'A', decision: 'toString' },
    ])
      expect((await decide(url, fields as Record<string, string>)).status).toBe(400);
    expect(sandbox.received).toEqual([]);
  });

  it('shows its inputs as text, never as markup', async () => {
    const link = await identity.hostedLink({ externalUserId: '<b>"1"', type: 'KYC' });
    const shown = await fetch(link.kind === 'done' ? link.value.url : '');
    const html = await shown.text();
    expect(html).toContain('&#60;b&#62;&#34;1&#34;');
    expect(html).not.toContain('<b>');
  });

  it('is gone after ten minutes, and missing under a made-up link', async () => {
    const { url } = await open();
    expect((await fetch(`${url}x`)).status).toBe(404);
    await sandbox.control('POST /clock', { advance_s: 601 });
    expect((await fetch(url)).status).toBe(404);
    expect((await decide(url, { name: 'A', decision: 'approve' })).status).toBe(404);
    expect(sandbox.received).toEqual([]);
  });
});
