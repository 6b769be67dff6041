import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import type { FileUse } from '#kernel/feature.ts';
import { type Body, harness, type Person } from '#test/harness.ts';
import { logInAgain } from '#test/log-in-again.ts';
import { createFiles } from './files.ts';

/** What the test's own objects name. */
const named = new Set<string>();
const use: FileUse = {
  by: 'tests',
  find: async (_, file_ids) => file_ids.filter((file_id) => named.has(file_id)),
};
const h = await harness({ features: () => [{ name: 'naming', fileUses: [use] }] });
const user = await h.user();

const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), randomBytes(500)]);
const PDF = Buffer.from('%PDF-1.7\nreceipt');

interface Sent {
  readonly as?: Person;
  readonly type?: string;
  readonly purpose?: string;
  readonly name?: string;
}

async function send(bytes: Buffer | ReadableStream, sent: Sent = {}): Promise<[number, Body]> {
  const { as = user, type = 'application/pdf', purpose = 'dispute_evidence', name } = sent;
  const query = new URLSearchParams({ purpose, ...(name !== undefined && { name }) });
  const answer = await fetch(`${h.app.apiUrl()}/files?${query}`, {
    method: 'POST',
    body: bytes instanceof Buffer ? new Uint8Array(bytes) : bytes,
    headers: { 'x-api-key': h.key, authorization: `Bearer ${as.token}`, 'content-type': type },
    ...(!(bytes instanceof Buffer) && { duplex: 'half' }),
  } as RequestInit);
  return [answer.status, await answer.json()];
}

const read = (id: string, as: Person = user) =>
  fetch(`${h.app.apiUrl()}/files/${id}/content`, {
    headers: { 'x-api-key': h.key, authorization: `Bearer ${as.token}` },
  });

test('a file is kept as it is sent, and sent back as an attachment', async () => {
  const bytes = Buffer.concat([PDF, randomBytes(2.5 * 2 ** 20)]);
  const [status, { data }] = await send(bytes, { name: 'Beleg für “Ada”.pdf' });
  expect(status).toBe(201);
  expect(data).toMatchObject({
    purpose: 'dispute_evidence',
    name: 'Beleg für “Ada”.pdf',
    content_type: 'application/pdf',
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  });
  expect(data.file_id).toMatch(/^fil_/);
  const answer = await read(data.file_id);
  expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="Beleg_f_r/);
  expect(answer.headers.get('content-type')).toBe('application/pdf');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(answer.headers.get('content-length')).toBe(String(bytes.length));
  const [, shown] = await h.call('GET /files/{id}', { as: user, params: { id: data.file_id } });
  expect(shown.data).toEqual(data);
});

test('what is kept cannot be read in the database', async () => {
  const [, { data }] = await send(Buffer.from('name,amount\nsecret sauce,1\n'), {
    type: 'text/csv',
    purpose: 'batch_import',
  });
  const parts = await run<{ sealed: Buffer }>(h.db, 'select sealed from file_parts', []);
  expect(parts.length).toBeGreaterThan(0);
  for (const { sealed } of parts) expect(sealed.includes('secret sauce')).toBe(false);
  expect(await (await read(data.file_id)).text()).toContain('secret sauce');
});

test('the same bytes for the same purpose are the first file, also when sent at once', async () => {
  const bytes = Buffer.concat([PNG, randomBytes(10)]);
  const type = 'image/png';
  const all = await Promise.all(Array.from({ length: 8 }, () => send(bytes, { type })));
  const ids = new Set(all.map(([, { data }]) => data.file_id));
  expect(ids.size).toBe(1);
  expect(all.filter(([status]) => status === 201)).toHaveLength(1);
  expect((await send(bytes, { type, purpose: 'logo' }))[0]).toBe(201);
  const other = await h.user({ client_id: user.client_id });
  expect((await send(bytes, { type, as: other }))[0]).toBe(201);
  const left =
    'select from file_parts p where not exists (select from files f where f.file_id = p.file_id)';
  expect(await run(h.db, left, [])).toEqual([]);
});

test('a file of another type than it says, or than its purpose takes, is refused', async () => {
  const refused: [Buffer, Sent][] = [
    [PNG, { type: 'application/pdf' }],
    [PDF, { type: 'application/pdf', purpose: 'logo' }],
    [PNG, { type: 'image/png', purpose: 'batch_import' }],
    [Buffer.from('MZ\0\0program'), { type: 'application/pdf' }],
    [PDF, { type: 'application/zip' }],
    [Buffer.from('{"a":1}'), { type: 'text/csv', purpose: 'batch_import' }],
  ];
  for (const [bytes, sent] of refused) {
    const [status, { error }] = await send(bytes, sent);
    expect([status, error.code], JSON.stringify(sent)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    expect(error.hint).toMatch(/one of/);
  }
  expect((await send(Buffer.alloc(0)))[0]).toBe(400);
  expect((await send(PDF, { purpose: 'statement' }))[0]).toBe(400);
});

test('a file that is too large is refused, whether it says its length or not', async () => {
  const large = Buffer.concat([PNG, Buffer.alloc(2 ** 19)]);
  const sent = { type: 'image/png', purpose: 'logo' };
  expect((await send(large, sent))[0]).toBe(413);
  const stream = new ReadableStream({
    start(controller) {
      for (let n = 0; n < 4; n += 1) controller.enqueue(new Uint8Array(large));
      controller.close();
    },
  });
  expect((await send(stream, sent))[0]).toBe(413);
  expect((await send(Buffer.concat([PDF, Buffer.alloc(17 * 2 ** 20)])))[0]).toBe(413);
});

test('users see their own files, admins those of their client, and others none', async () => {
  const owner = await h.user();
  const [, { data }] = await send(PDF, { as: owner });
  const admin = await h.user({ role: 'admin', client_id: owner.client_id });
  const list = async (as: Person) => (await h.call('GET /files', { as }))[1].data.items;
  for (const as of [owner, admin]) expect(await list(as)).toEqual([data]);
  const strangers = [await h.user(), await h.user({ client_id: owner.client_id })];
  for (const as of strangers) {
    expect(await list(as)).toEqual([]);
    expect((await read(data.file_id, as)).status).toBe(404);
    const id = data.file_id;
    expect((await h.call('DELETE /files/{id}', { as, params: { id } }))[0]).toBe(404);
  }
  const [status] = await h.call('GET /files/{id}', { as: owner, params: { id: 'fil_1' } });
  expect(status).toBe(400);
});

test('a file is deleted by its owner where nothing names it', async () => {
  const [, { data }] = await send(Buffer.concat([PDF, randomBytes(9)]));
  const id = data.file_id;
  const [row] = await run<{ file_id: string }>(
    h.db,
    'select file_id from files order by ordinal desc limit 1',
    [],
  );
  named.add(row?.file_id ?? '');
  const remove = () => h.call('DELETE /files/{id}', { as: user, params: { id } });
  const [status, { error }] = await remove();
  expect([status, error.code]).toEqual([409, 'FILE_IN_USE']);
  named.clear();
  expect((await remove())[0]).toBe(200);
  expect((await remove())[0]).toBe(404);
  expect((await read(id)).status).toBe(404);
});

test('what the service makes is kept for its owner', async () => {
  const files = createFiles({ ...h.kernel, uses: () => [] });
  const { user_id, client_id } = user;
  const made = await files.keep(
    {
      user_id,
      client_id,
      purpose: 'statement',
      name: 'statement.pdf',
      content_type: 'application/pdf',
    },
    (async function* () {
      yield PDF;
    })(),
  );
  const held = await files.hold(h.db, { user_id }, made.file_id);
  expect(held?.file_id).toBe(made.file_id);
  const parts: Buffer[] = [];
  for await (const part of files.read(h.db, made)) parts.push(part);
  expect(Buffer.concat(parts).equals(PDF)).toBe(true);
  const query = { purpose: 'statement' };
  expect((await h.call('GET /files', { as: user, query }))[1].data.items).toHaveLength(1);
});

test('two hundred files a day are kept for a user', async () => {
  const as = await h.user();
  for (let n = 0; n < 200; n += 20)
    for (const [status] of await Promise.all(Array.from({ length: 20 }, () => send(PDF, { as }))))
      expect([200, 201]).toContain(status);
  const [status, { error }] = await send(PDF, { as });
  expect([status, error.code]).toEqual([429, 'LIMIT_EXCEEDED']);
  expect(error.details).toMatchObject({ limit_id: 'files', limit: 200 });
  expect(Date.parse(error.details.resets_at)).toBeGreaterThan(h.clock.now().getTime());
});

test('what nothing names goes after thirty days, and what something names stays', async () => {
  const owner = await h.user();
  const [, gone] = await send(PDF, { as: owner });
  const [, kept] = await send(PNG, { as: owner, type: 'image/png' });
  const [row] = await run<{ file_id: string }>(
    h.db,
    'select file_id from files order by ordinal desc limit 1',
    [],
  );
  named.add(row?.file_id ?? '');
  await run(
    h.db,
    "insert into file_parts (file_id, n, sealed) values (gen_random_uuid(), 0, 'broken')",
    [],
  );
  await h.drain();
  await h.advance(30 * 24 * 3600 + 3600);
  await h.drain();
  await h.advance(3600);
  await h.drain();
  const as = await logInAgain(h, owner);
  expect((await read(gone.data.file_id, as)).status).toBe(404);
  expect((await read(kept.data.file_id, as)).status).toBe(200);
  const left =
    'select from file_parts p where not exists (select from files f where f.file_id = p.file_id)';
  expect(await run(h.db, left, [])).toEqual([]);
});
