import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import type { FileUse } from '#kernel/feature.ts';
import { transact } from '#kernel/transact.ts';
import { type Body, harness, type Person } from '#test/harness.ts';
import { logInAgain } from '#test/log-in-again.ts';
import { until } from '#test/until.ts';
import { untilLockAwaited } from '#test/waiting.ts';
import { createFiles } from './files.ts';

const named = new Set<string>();
const use: FileUse = {
  by: 'disputes',
  find: async (_, file_ids) => file_ids.filter((file_id) => named.has(file_id)),
};
const h = await harness({ features: () => [{ name: 'naming', fileUses: [use] }] });
const user = await h.user();

const PDF = 'application/pdf';
const JSON_TYPE = 'application/json; charset=utf-8';
const pdf = (more = randomBytes(9).toString('hex')) => Buffer.from(`%PDF-1.7\n${more}`);
const bearer = (as: Person) => ({ 'x-api-key': h.key, authorization: `Bearer ${as.token}` });

async function send(
  bytes: Buffer,
  { as = user, query = '', headers = {} }: { as?: Person; query?: string; headers?: object } = {},
): Promise<[number, Body]> {
  const answer = await fetch(`${h.app.apiUrl()}/files?purpose=dispute_evidence${query}`, {
    method: 'POST',
    body: new Uint8Array(bytes),
    headers: { ...bearer(as), 'content-type': PDF, ...headers },
  });
  return [answer.status, await answer.json()];
}

const read = (id: string, as: Person = user) =>
  fetch(`${h.app.apiUrl()}/files/${id}/content`, { headers: bearer(as) });

const lastId = async (): Promise<string> => {
  const text = 'select file_id from files order by ordinal desc limit 1';
  return (await run<{ file_id: string }>(h.db, text, []))[0]?.file_id ?? '';
};

const orphans = () =>
  run(
    h.db,
    'select from file_parts p where not exists (select from files f where f.file_id = p.file_id)',
    [],
  );

test('a hostile name stays a name', async () => {
  const names = ['../../etc/passwd', 'a";filename="b.html', 'C:\\boot.ini', "it's (1)*.pdf", 'é'];
  for (const name of names) {
    const [status, { data }] = await send(pdf(), { query: `&name=${encodeURIComponent(name)}` });
    expect(status, name).toBe(201);
    expect(data.name).toBe(name);
    const disposition = (await read(data.file_id)).headers.get('content-disposition') ?? '';
    expect(disposition).toMatch(
      /^attachment; filename="[\w.-]+"; filename\*=UTF-8''[\w.~!%&$+`^|#-]+$/,
    );
    const whole = disposition.replace(/.*''/, '');
    expect(decodeURIComponent(whole)).toBe(name);
  }
  for (const name of ['', ' ', 'a\r\nset-cookie: b=c', 'a\0.pdf', 'x'.repeat(201)]) {
    const [status] = await send(pdf(), { query: `&name=${encodeURIComponent(name)}` });
    expect(status, JSON.stringify(name)).toBe(400);
  }
  expect((await send(pdf(), { query: '&name=a&name=b' }))[0]).toBe(400);
  expect((await send(pdf(), { query: '&user_id=1' }))[0]).toBe(400);
});

test('nothing that a browser runs passes as a picture, and text is saved, not shown', async () => {
  const html = Buffer.from('<html><script>alert(1)</script></html>');
  const png = Buffer.from('\x89PNG\r\n\x1a', 'latin1');
  const bad: [Buffer, string][] = [
    [html, 'image/png'],
    [html, 'text/html'],
    [html, 'image/svg+xml'],
    [png, 'image/png'],
    [Buffer.from('GIF89a<script>'), 'image/jpeg'],
    [Buffer.from('RIFF\0\0\0\0WAVE'), 'image/webp'],
    [Buffer.from('\xff\xd8'), 'image/jpeg'],
    [Buffer.from('a,b\n\0'), 'text/csv'],
    [Buffer.from('\xff\xfea\0,\0', 'latin1'), 'text/csv'],
    [pdf(), ''],
  ];
  for (const [bytes, type] of bad) {
    const [status, { error }] = await send(bytes, { headers: { 'content-type': type } });
    expect([status, error.code], `${bytes} ${type}`).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  }
  const packed = { 'content-encoding': 'gzip' };
  expect((await send(pdf(), { headers: packed }))[0]).toBe(415);
  const [, { data }] = await send(html, { headers: { 'content-type': 'text/xml; charset=utf-8' } });
  const answer = await read(data.file_id);
  expect(answer.headers.get('content-type')).toBe('application/xml');
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment;/);
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
});

test('other clients, other users and admins cannot take or delete a file', async () => {
  const [, { data }] = await send(pdf());
  const id = data.file_id;
  const admin = await h.user({ role: 'admin', client_id: user.client_id });
  expect((await read(id, admin)).status).toBe(200);
  expect((await h.call('DELETE /files/{id}', { as: admin, params: { id } }))[0]).toBe(404);
  const elsewhere = await h.user({ role: 'admin' });
  for (const as of [elsewhere, await h.user({ client_id: user.client_id })]) {
    for (const path of [
      'GET /files/{id}',
      'GET /files/{id}/content',
      'DELETE /files/{id}',
    ] as const)
      expect((await h.call(path, { as, params: { id } }))[0], path).toBe(404);
  }
  const [, there] = await send(pdf('the same'), { as: elsewhere });
  const [status, here] = await send(pdf('the same'));
  expect(status).toBe(201);
  expect(here.data.file_id).not.toBe(there.data.file_id);
  const none = await fetch(`${h.app.apiUrl()}/files/${id}/content`);
  expect(none.status).toBe(401);
});

test('an upload that is broken off, or refused on its way, leaves nothing', async () => {
  const url = `${h.app.apiUrl()}/files?purpose=dispute_evidence`;
  const asked = request(url, {
    method: 'POST',
    headers: { ...bearer(user), 'content-type': PDF, 'content-length': 3 * 2 ** 20 },
  });
  asked.on('error', () => undefined);
  asked.write(Buffer.concat([pdf(), Buffer.alloc(2 * 2 ** 20)]));
  await until(h, async () => (await orphans()).length > 0);
  asked.destroy();
  await until(h, async () => (await orphans()).length === 0);
  const large = Buffer.concat([pdf(), Buffer.alloc(11 * 2 ** 20)]);
  const [status, { error }] = await send(large);
  expect([status, error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  expect(error.message).toBe('File is too large: at most 10 MiB');
  expect(await orphans()).toEqual([]);
});

test('parts that were changed or exchanged in the database are not sent', async () => {
  const long = () => Buffer.concat([pdf(), randomBytes(2 ** 20 + 5)]);
  const ids: string[] = [];
  const shown: string[] = [];
  for (const bytes of [long(), long()]) {
    shown.push((await send(bytes))[1].data.file_id);
    ids.push(await lastId());
  }
  const [one = '', two = ''] = ids;
  const broken = async (id: string) => {
    // A first part that does not open is a 500; after it the connection breaks.
    const answer = await read(id);
    const whole = await answer.arrayBuffer().catch(() => undefined);
    expect(answer.status === 500 || whole === undefined).toBe(true);
    expect(answer.headers.get('content-type')).toBe(whole ? JSON_TYPE : PDF);
  };
  await run(
    h.db,
    `update file_parts p set sealed = o.sealed from file_parts o
     where p.file_id = $1 and o.file_id = $2 and p.n = o.n`,
    [one, two],
  );
  await broken(shown[0] ?? '');
  await run(
    h.db,
    `update file_parts set sealed = set_byte(sealed, 40, get_byte(sealed, 40) # 1)
     where file_id = $1 and n = 1`,
    [two],
  );
  await broken(shown[1] ?? '');
  await run(h.db, 'delete from file_parts where file_id = $1 and n = 1', [two]);
  await broken(shown[1] ?? '');
});

test('a file that is being named is not deleted in the same moment', async () => {
  const files = createFiles({ ...h.kernel, uses: () => [] });
  const [, { data }] = await send(pdf());
  const id = await lastId();
  const { promise, resolve } = Promise.withResolvers<void>();
  const { promise: held, resolve: hold } = Promise.withResolvers<void>();
  const naming = transact(h.db, async (tx) => {
    expect(await files.hold(tx, { user_id: user.user_id }, id)).toBeDefined();
    hold();
    await promise;
    named.add(id);
  });
  await held;
  const deleted = h.call('DELETE /files/{id}', { as: user, params: { id: data.file_id } });
  await untilLockAwaited(h);
  resolve();
  await naming;
  const [status, { error }] = await deleted;
  expect([status, error.code, error.message]).toEqual([
    409,
    'FILE_IN_USE',
    'File is named by disputes',
  ]);
});

test('bytes that are sent again stay thirty days from then, and the others go in batches', async () => {
  const owner = await h.user();
  const again = pdf('again');
  const [, first] = await send(again, { as: owner });
  for (let n = 0; n < 45; n += 1) await send(pdf(`${n}`), { as: owner });
  await h.drain();
  await h.advance(20 * 24 * 3600);
  await h.drain();
  const later = await logInAgain(h, owner);
  const [status, second] = await send(again, { as: later, headers: { 'idempotency-key': 'x' } });
  expect([status, second.data.file_id]).toEqual([200, first.data.file_id]);
  expect(second.data.expires_at > first.data.expires_at).toBe(true);
  await h.advance(10 * 24 * 3600 + 3600);
  await h.drain();
  await h.advance(3600);
  await h.drain();
  const [, { data }] = await h.call('GET /files', { as: await logInAgain(h, owner) });
  expect(data.items.map((one: Body) => one.file_id)).toEqual([first.data.file_id]);
  expect(await orphans()).toEqual([]);
});
