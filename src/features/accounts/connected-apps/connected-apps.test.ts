import { createHash, randomBytes } from 'node:crypto';
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterAll, expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { type Body, harness, type Person } from '#test/harness.ts';

const h = await harness();
const opened: Client[] = [];
afterAll(() => Promise.all(opened.map((client) => client.close())));

const REDIRECT = 'http://127.0.0.1:7788/callback';
const here = () => h.kernel.publicUrl();
const mcp = () => `${h.app.apiUrl()}/mcp-server`;

const post = (path: string, body: Record<string, string>, form = true) =>
  fetch(`${h.app.apiUrl()}${path}`, {
    method: 'POST',
    headers: { 'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json' },
    body: form ? new URLSearchParams(body).toString() : JSON.stringify(body),
  });

/** What a person does in the browser at the page of that address: reads it, and fills its form in. */
async function consent(page: URL, form: Record<string, string>): Promise<URL | string> {
  const shown = await fetch(page);
  expect(shown.status).toBe(200);
  const html = await shown.text();
  const fields = [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)];
  const hidden = fields.map(([, name = '', value = '']) => [name, plainText(value)]);
  const answer = await post('/oauth/authorize', { ...Object.fromEntries(hidden), ...form });
  const text = await answer.text();
  const back = /<a class="button" rel="noreferrer" href="([^"]*)"/.exec(text)?.[1];
  return back === undefined ? text : new URL(plainText(back));
}
const plainText = (text: string): string =>
  text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

/** A program with the official library's client: what it keeps, and where it has sent its person. */
function program() {
  const kept: Record<string, unknown> = {};
  const provider: OAuthClientProvider = {
    redirectUrl: REDIRECT,
    clientMetadata: {
      client_name: 'A test <b>assistant</b>',
      redirect_uris: [REDIRECT],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
    state: () => 'the state',
    clientInformation: () => kept['client'] as never,
    saveClientInformation: (client) => void Object.assign(kept, { client }),
    tokens: () => kept['tokens'] as never,
    saveTokens: (tokens) => void Object.assign(kept, { tokens }),
    redirectToAuthorization: (page) => void Object.assign(kept, { page }),
    saveCodeVerifier: (verifier) => void Object.assign(kept, { verifier }),
    codeVerifier: () => kept['verifier'] as string,
  };
  const transport = () =>
    new StreamableHTTPClientTransport(new URL(mcp()), { authProvider: provider });
  const tokens = () => kept['tokens'] as { access_token: string; refresh_token: string };
  const enter = async (): Promise<Client> => {
    const client = new Client({ name: 'a test', version: '1' });
    await client.connect(transport() as unknown as Transport);
    opened.push(client);
    return client;
  };
  return { kept, provider, transport, tokens, enter, page: () => kept['page'] as URL };
}

/** A program that a person has let in. */
async function letIn(
  as: Person,
  form: Record<string, string> = { may_write: 'yes', may_pay: 'yes' },
) {
  const app = program();
  await expect(app.enter()).rejects.toThrow('Unauthorized');
  const login = { usernameoremail: as.email, password: as.password, decision: 'allow' };
  const back = await consent(app.page(), { ...login, ...form });
  if (typeof back === 'string') throw new Error(back);
  await app.transport().finishAuth(back.searchParams.get('code') ?? '');
  return { ...app, back };
}

const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);
const errorOf = async (answer: Response): Promise<[number, string]> => [
  answer.status,
  ((await answer.json()) as Body).error,
];

test('the official client finds its way in, and acts as the person who allowed it', async () => {
  const as = await h.user();
  const { enter, back, tokens } = await letIn(as);
  expect([back.origin + back.pathname, back.searchParams.get('state')]).toEqual([
    REDIRECT,
    'the state',
  ]);
  expect(back.searchParams.get('iss')).toBe(here());
  const client = await enter();
  expect(await namesOf(client)).toEqual(expect.arrayContaining(['list_fiat_wallets', 'transfer']));
  await h.call('POST /wallets/fiat', { as, body: { currency: 'USD' } });
  const answer = await client.callTool({ name: 'list_fiat_wallets', arguments: {} });
  const { data } = answer.structuredContent as Body;
  expect(data.wallets).toMatchObject([{ currency: 'USD' }]);
  // The token is for that one endpoint, and not for the API.
  for (const headers of [{}, { 'x-api-key': h.key }]) {
    const sent = { ...headers, authorization: `Bearer ${tokens().access_token}` };
    const other = await fetch(`${h.app.apiUrl()}/sessions`, { headers: sent });
    expect(other.status).toBe(401);
  }
});

test('who comes without a token learns where one is given', async () => {
  const refused = await post('/mcp-server', { jsonrpc: '2.0', method: 'tools/list' }, false);
  const about = /resource_metadata="([^"]+)"/.exec(
    refused.headers.get('www-authenticate') ?? '',
  )?.[1];
  expect([refused.status, about]).toEqual([
    401,
    `${here()}/.well-known/oauth-protected-resource/api/mcp-server`,
  ]);
  const resource: Body = await (await fetch(about ?? '')).json();
  expect(resource).toMatchObject({ resource: mcp(), authorization_servers: [here()] });
  const server: Body = await (
    await fetch(`${here()}/.well-known/oauth-authorization-server`)
  ).json();
  expect(server).toMatchObject({ issuer: here(), code_challenge_methods_supported: ['S256'] });
  // Others are not asked for such a token.
  expect((await fetch(`${h.app.apiUrl()}/sessions`)).headers.get('www-authenticate')).toBeNull();
});

test('a person leaves out what an app shall not do, and the app is not offered it', async () => {
  const { enter, kept } = await letIn(await h.user(), {});
  const client = await enter();
  const names = await namesOf(client);
  expect(names).toContain('list_fiat_wallets');
  for (const name of ['transfer', 'pay_order', 'create_crypto_wallet'])
    expect(names).not.toContain(name);
  const answer = await client.callTool({ name: 'transfer', arguments: {} });
  expect(answer.structuredContent).toMatchObject({ code: 'NOT_FOUND' });
  expect(kept['tokens']).toMatchObject({
    scope: 'mcp:read',
    token_type: 'Bearer',
    expires_in: 3600,
  });
});

test('tokens are renewed once, and what was stolen ends with all that came of it', async () => {
  const app = await letIn(await h.user());
  const { client_id } = app.kept['client'] as Body;
  const before = app.tokens();
  const refresh = (refresh_token: string) =>
    post('/oauth/token', { grant_type: 'refresh_token', client_id, refresh_token });
  await h.advance(3601);
  // The library renews by itself.
  expect(await namesOf(await app.enter())).toContain('transfer');
  const after = app.tokens();
  expect(after.access_token).not.toBe(before.access_token);
  // A lost answer is asked for again; later the same token is a thief's.
  expect((await refresh(before.refresh_token)).status).toBe(200);
  await h.advance(31);
  expect(await errorOf(await refresh(before.refresh_token))).toEqual([400, 'invalid_grant']);
  expect(await errorOf(await refresh(after.refresh_token))).toEqual([400, 'invalid_grant']);
  const headers = { authorization: `Bearer ${after.access_token}` };
  expect((await fetch(mcp(), { method: 'POST', headers })).status).toBe(401);
});

test('a code counts once, for its app, its address and its verifier, and for a minute', async () => {
  const as = await h.user();
  const app = program();
  await expect(app.enter()).rejects.toThrow('Unauthorized');
  const { client_id } = app.kept['client'] as Body;
  const [other] = [await register({ client_name: 'Another', redirect_uris: [REDIRECT] })];
  const code_verifier = randomBytes(32).toString('base64url');
  const newCode = async () => {
    const page = new URL(app.page());
    const challenge = createHash('sha256').update(code_verifier).digest('base64url');
    page.searchParams.set('code_challenge', challenge);
    const login = { usernameoremail: as.email, password: as.password, decision: 'allow' };
    return ((await consent(page, login)) as URL).searchParams.get('code') ?? '';
  };
  const exchange = (code: string, more: Record<string, string> = {}) =>
    post('/oauth/token', {
      grant_type: 'authorization_code',
      client_id,
      code,
      code_verifier,
      ...more,
    });
  const wrong: Record<string, string>[] = [
    { client_id: other.client_id },
    { code_verifier: randomBytes(32).toString('base64url') },
    { redirect_uri: 'http://127.0.0.1:7788/else' },
  ];
  for (const more of wrong)
    expect(await errorOf(await exchange(await newCode(), more))).toEqual([400, 'invalid_grant']);
  expect(
    await errorOf(await exchange(await newCode(), { resource: 'https://else.example' })),
  ).toEqual([400, 'invalid_target']);
  const late = await newCode();
  await h.advance(61);
  expect(await errorOf(await exchange(late))).toEqual([400, 'invalid_grant']);
  const code = await newCode();
  const all = await Promise.all(Array.from({ length: 5 }, () => exchange(code)));
  expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
  // It was seen by somebody else: what came of it has ended.
  const bodies = (await Promise.all(all.map((one) => one.json()))) as Body[];
  const access_token = bodies.map((one) => one.access_token).find(Boolean);
  const headers = { authorization: `Bearer ${access_token}` };
  expect((await fetch(mcp(), { method: 'POST', headers })).status).toBe(401);
});

const register = async (body: object): Promise<Body> =>
  (await post('/oauth/register', body as Record<string, string>, false)).json();

test('a person sees the connected apps, and ends them; so do a log-in that ends and the app itself', async () => {
  const as = await h.user();
  const apps = [await letIn(as), await letIn(as), await letIn(as)] as const;
  const list = async (who: Person = as) =>
    (await h.call('GET /oauth/grants', { as: who }))[1].data.items;
  const [third, second, first] = await list();
  expect(third).toMatchObject({
    name: 'A test <b>assistant</b>',
    place: '127.0.0.1:7788',
    scopes: ['mcp:read', 'mcp:write', 'mcp:pay'],
  });
  const params = { grant_id: third.grant_id };
  const stranger = await h.user();
  expect((await h.call('DELETE /oauth/grants/{grant_id}', { as: stranger, params }))[0]).toBe(404);
  expect((await h.call('DELETE /oauth/grants/{grant_id}', { as, params }))[0]).toBe(200);
  expect((await h.call('DELETE /oauth/grants/{grant_id}', { as, params }))[0]).toBe(404);
  const [, { data: sessions }] = await h.call('GET /sessions', { as });
  const [ofApp] = sessions.filter(({ method }: Body) => method === 'app');
  await h.call('DELETE /sessions/{session_id}', { as, params: { session_id: ofApp.session_id } });
  expect((await list()).map(({ grant_id }: Body) => grant_id)).toEqual([first.grant_id]);
  expect((await post('/oauth/revoke', { token: apps[0].tokens().refresh_token })).status).toBe(200);
  expect((await post('/oauth/revoke', { token: 'unknown' })).status).toBe(200);
  expect(await list()).toEqual([]);
  expect(second.grant_id).not.toBe(first.grant_id);
  for (const { tokens } of apps) {
    const headers = { authorization: `Bearer ${tokens().access_token}` };
    expect((await fetch(mcp(), { method: 'POST', headers })).status).toBe(401);
  }
});

test('no token, code or password is in the database or in a log', async () => {
  const as = await h.user({ password: 'a very secret password' });
  const app = await letIn(as);
  const tables = [
    'oauth_apps',
    'oauth_grants',
    'oauth_tokens',
    'api_keys',
    'sessions',
    'activity_log',
  ];
  const rows: unknown[] = [];
  for (const table of tables) rows.push(await run(h.db, `select t::text from ${table} t`, []));
  const all = JSON.stringify([rows, h.logs]);
  const { access_token, refresh_token } = app.tokens();
  for (const text of [
    access_token,
    refresh_token,
    app.back.searchParams.get('code') ?? '',
    as.password,
  ])
    expect(all).not.toContain(text);
});
