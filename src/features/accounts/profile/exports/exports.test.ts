import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { banking } from '#test/banking.ts';
import { type Body, harness } from '#test/harness.ts';
import { logInAgain } from '#test/log-in-again.ts';
import { protectedUser } from '#test/two-factor.ts';

const h = await harness();
const { confirm, give, send } = banking(h);
type Person = Awaited<ReturnType<typeof h.user>>;
const codeOf = ([status, { error }]: [number, Body]) => [status, error?.code];

const ask = (as: Person) => h.call('POST /profile/exports', { as });
const read = (as: Person, id: string) =>
  h.call('GET /profile/exports/{id}', { as, params: { id } });

/** Asks for one and waits until it is there. */
async function ready(as: Person): Promise<Body> {
  const [status, { data }] = await ask(as);
  expect([status, data.status, data.download_url]).toEqual([202, 'PENDING', null]);
  await h.drain();
  return (await read(as, data.export_id))[1].data;
}

interface Export {
  readonly manifest: {
    readonly format: string;
    readonly made_at: string;
    readonly parts: readonly { name: string; rows: number; sha256: string }[];
  };
  readonly parts: Readonly<Record<string, readonly Record<string, unknown>[]>>;
}
const opened = async (answer: Response): Promise<Export> =>
  JSON.parse(gunzipSync(Buffer.from(await answer.arrayBuffer())).toString()) as Export;

test('an export is a gzipped JSON with a manifest of its parts, and their rows and digests', async () => {
  const as = await h.user({ phone: '+12025554001' });
  await h.call('PATCH /profile', { as, body: { first_name: 'Ada', locale: 'id' } });
  await give(as.user_id, '123.45');
  const { status, download_url, export_id, expires_at } = await ready(as);
  expect(status).toBe('READY');
  expect(export_id).toMatch(/^exp_/);
  expect(new Date(expires_at).getTime() - h.clock.now().getTime()).toBeLessThanOrEqual(3600_000);
  const answer = await fetch(download_url);
  expect(answer.headers.get('content-type')).toBe('application/gzip');
  expect(answer.headers.get('content-disposition')).toContain(`${export_id}.json.gz`);
  const { manifest, parts } = await opened(answer);
  expect(manifest.format).toBe('archipay-person-export/1');
  expect(manifest.parts.map(({ name }) => name)).toEqual(Object.keys(parts));
  for (const { name, rows, sha256 } of manifest.parts) {
    const text = JSON.stringify(parts[name]);
    expect({ name, rows: parts[name]?.length }).toEqual({ name, rows });
    expect({ name, sha256: createHash('sha256').update(text).digest('hex') }).toEqual({
      name,
      sha256,
    });
  }
  expect(parts['users']).toMatchObject([{ email: as.email, phone: '+12025554001' }]);
  expect(parts['profiles']).toMatchObject([{ first_name: 'Ada', locale: 'id' }]);
  expect(parts['wallet_entries']).toMatchObject([{ amount: '123.45', balance: '123.45' }]);
  expect(parts['activity_log']).toMatchObject([{ action: 'PROFILE_CHANGED' }]);
});

test('the link sends the file once, and no longer than an hour', async () => {
  const as = await h.user();
  const { download_url, export_id } = await ready(as);
  const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(download_url)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(400)]);
  expect((await read(as, export_id))[1].data).toMatchObject({
    status: 'READY',
    download_url: null,
  });
  const late = await h.user();
  const other = await ready(late);
  expect((await fetch(other.download_url, { method: 'HEAD' })).status).not.toBe(200);
  await h.advance(3601);
  const over = await fetch(other.download_url);
  expect([over.status, ((await over.json()) as Body).error.code]).toEqual([400, 'LINK_EXPIRED']);
  await h.drain();
  expect((await read(late, other.export_id))[1].data).toMatchObject({
    status: 'EXPIRED',
    download_url: null,
  });
  const left = await run(h.db, 'select file_id from files where user_id = any($1)', [
    [as.user_id, late.user_id],
  ]);
  expect(left).toEqual([]);
});

test('a link opens nothing with another token or of another export', async () => {
  const [one, two] = [await ready(await h.user()), await ready(await h.user())];
  const token = (url: string) => new URL(url).searchParams.get('token') ?? '';
  const wrong = [
    one.download_url.replace(token(one.download_url), token(two.download_url)),
    one.download_url.replace(/token=.*/, 'token=x'),
  ];
  for (const url of wrong) {
    const answer = await fetch(url);
    expect([answer.status, ((await answer.json()) as Body).error.code]).toEqual([
      400,
      'INVALID_TOKEN',
    ]);
  }
  expect((await fetch(one.download_url)).status).toBe(200);
});

test('there is one export a day, also of twenty asked for at once', async () => {
  const as = await h.user();
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(as)));
  expect(answers.filter(([status]) => status === 202)).toHaveLength(1);
  const [status, { error }] = await ask(as);
  expect([status, error?.code, error?.details]).toMatchObject([
    429,
    'LIMIT_EXCEEDED',
    { limit_id: 'exports', limit: 1, used: 1, resets_at: expect.any(String) },
  ]);
  await h.drain();
  await h.advance(24 * 3600 + 1);
  expect((await ask(await logInAgain(h, as)))[0]).toBe(202);
});

test('an export belongs to its person alone: no admin, no operator, no one else reads it', async () => {
  const as = await h.user();
  const { export_id } = await ready(as);
  const [file] = await run<{ file_id: string }>(
    h.db,
    'select file_id from files where user_id = $1',
    [as.user_id],
  );
  const [, { data: own }] = await h.call('GET /files', { as });
  const id = own.items[0].file_id;
  expect([file !== undefined, own.items[0].purpose]).toEqual([true, 'export']);
  const admin = await h.user({ client_id: as.client_id, role: 'admin' });
  for (const other of [admin, await h.operator(), await h.user({ client_id: as.client_id })]) {
    expect((await read(other as Person, export_id))[0]).toBe(404);
    for (const path of ['GET /files/{id}', 'GET /files/{id}/content'] as const)
      expect((await h.call(path, { as: other, params: { id } }))[0]).toBe(404);
    const [, { data }] = await h.call('GET /files', { as: other, query: { purpose: 'export' } });
    expect(data.items).toEqual([]);
  }
  // An admin's own export is theirs.
  await ready(admin);
  expect((await h.call('GET /files', { as: admin }))[1].data.items).toHaveLength(1);
});

test('an export has no secrets, and nothing of other people', async () => {
  const as = await protectedUser(h);
  const other = await h.user({ client_id: as.client_id, phone: '+12025554099' });
  await confirm(other);
  await give(other.user_id, '1');
  const from = { ...as, ...(await give(as.user_id, '100')) };
  const sent = await send(from, { to: { email: other.email }, amount: '1.00' });
  expect(sent).toMatchObject([201, { success: true }]);
  const { download_url } = await ready(as);
  const text = JSON.stringify(await opened(await fetch(download_url)));
  for (const one of [other.email, '+12025554099', as.secret, as.token, '$argon2'])
    expect(text).not.toContain(one);
  const hashes = await run<{ password_hash: string }>(
    h.db,
    'select password_hash from users where user_id = $1',
    [as.user_id],
  );
  expect(text).not.toContain(hashes[0]?.password_hash);
});

test('an id of another form is refused, and one of no export is not found', async () => {
  const as = await h.user();
  expect((await read(as, 'exp_1'))[0]).toBe(400);
  expect(codeOf(await read(as, `exp_0${'0'.repeat(25)}`))).toEqual([404, 'NOT_FOUND']);
});
