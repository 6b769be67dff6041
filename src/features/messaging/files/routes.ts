import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { accountOf } from '#kernel/access/attempts.ts';
import { tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import { fail } from '#kernel/error.ts';
import type { FileUse } from '#kernel/feature.ts';
import { cursorPage, cursorQuery, cursorReader } from '#kernel/http/declare/cursor.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { Download } from '#kernel/http/declare/file-bytes.ts';
import { named } from '#kernel/http/declare/named.ts';
import { objectIdField, objectIdInput } from '#kernel/http/declare/object-id-field.ts';
import {
  at,
  endpoints,
  type RequestFacts,
  type Route,
  type UserCaller,
} from '#kernel/http/declare/route.ts';
import {
  explained,
  FileBytes,
  nameInput,
  oneOfWords,
  stamped,
  Timestamp,
} from '#kernel/http/declare/schema.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { objectId } from '#kernel/object-id.ts';
import { DAY_MS } from '#kernel/quota/quota.ts';
import { transact } from '#kernel/transact.ts';
import { type FileDeps, keepFile, openFile } from './keep.ts';
import { namedFiles } from './named-files.ts';
import { FILE_BYTES_MAX, FILE_PURPOSES, FILE_TYPES, SENT_PURPOSES } from './purposes.ts';
import { deleteFiles, findStoredFile, listFiles, lockFile, type StoredFile } from './store.ts';

const endpoint = endpoints(codedEnvelope);

export interface FileRouteDeps extends FileDeps, Pick<Kernel, 'quotas'> {
  /** What names files. */
  uses(): readonly FileUse[];
}

const File = named('File', {
  file_id: objectIdField('fil'),
  purpose: oneOfWords(FILE_PURPOSES),
  name: Type.String(),
  content_type: Type.String(),
  size: explained(Type.Integer(), 'In bytes'),
  sha256: explained(Type.String(), 'Of the bytes, in hexadecimal digits'),
  created_at: Timestamp,
  expires_at: explained(Timestamp, 'When it goes, unless something names it then'),
});

/** An admin's own files are among those of the client. */
const reachOf = (caller: UserCaller) => ({ ...tenantScopeOf(caller), self: caller.user_id });

const ById = Type.Object({ id: objectIdInput('fil') });
const noSuchFile = () => fail('NOT_FOUND', 'File not found');

const A_DAY = 200;

/** Files of people, and those that the service has made for them. */
export const fileRoutes = (deps: FileRouteDeps): Route[] => [
  sendRoute(deps),
  ...readRoutes(deps),
  deleteRoute(deps),
];

const sendRoute = (deps: FileRouteDeps): Route =>
  endpoint('POST /files', {
    name: 'files.send',
    team: 'own:write',
    auth: 'user',
    errors: ['429 LIMIT_EXCEEDED'],
    summary: 'Keeps a file: the body is its bytes',
    bytes: { most: FILE_BYTES_MAX, types: [...FILE_TYPES, 'text/xml'] },
    query: Type.Object({
      purpose: oneOfWords(SENT_PURPOSES),
      name: Type.Optional(nameInput(200)),
    }),
    reply: { 200: stamped({ data: File }), 201: stamped({ data: File }) },
    fault: 'Failed to keep the file',
    async handler({ caller, query, db, request }) {
      const { user_id, client_id } = caller;
      const subject = `files by ${accountOf(user_id)} a day`;
      const usedUp = await deps.quotas.take(db, [{ subject, most: A_DAY, withinMs: DAY_MS }]);
      if (usedUp) throw dayIsOver(deps, usedUp.retryAfter);
      const { purpose, name = purpose } = query;
      const content_type = String(request.headers['content-type'] ?? '');
      const wanted = { client_id, user_id, purpose, name, content_type };
      const { file, isNew } = await keepFile(deps, wanted, bytesOf(request));
      const data = shownFile(file);
      return isNew ? at(201, { data }) : { data };
    },
  });

/** A body that is not read to its end stays open: to close it would close the connection before the refusal is sent. */
const bytesOf = ({ bytes }: RequestFacts): AsyncIterable<Buffer> =>
  (bytes ?? Readable.from([])).iterator({ destroyOnReturn: false });

function dayIsOver({ clock }: FileRouteDeps, retryAfter: number) {
  const resets_at = new Date(clock.now().getTime() + retryAfter * 1000).toISOString();
  return fail('LIMIT_EXCEEDED', 'Too many files today', {
    status: 429,
    retryAfter,
    details: { limit_id: 'files', limit: A_DAY, used: A_DAY, resets_at },
  });
}

const readRoutes = (deps: FileRouteDeps): Route[] => [
  endpoint('GET /files', {
    name: 'files.list',
    auth: 'user',
    errors: ['INVALID_PAGINATION'],
    summary: 'Lists files, newest first',
    query: Type.Object({ ...cursorQuery, purpose: Type.Optional(oneOfWords(FILE_PURPOSES)) }),
    reply: { 200: stamped({ data: cursorPage(File) }) },
    async handler({ caller, query, db }) {
      const { wanted, page } = cursorReader(query);
      const reach = reachOf(caller);
      const found = await listFiles(db, reach, { ...wanted, purpose: query.purpose });
      return { data: page(found, ({ ordinal }) => ordinal, shownFile) };
    },
  }),

  endpoint('GET /files/{id}', {
    name: 'files.get',
    auth: 'user',
    errors: ['NOT_FOUND'],
    summary: 'Shows what is known of a file',
    params: ById,
    reply: { 200: stamped({ data: File }) },
    async handler({ caller, params, db }) {
      const file = await findStoredFile(db, reachOf(caller), params.id);
      if (!file) throw noSuchFile();
      return { data: shownFile(file) };
    },
  }),

  endpoint('GET /files/{id}/content', {
    name: 'files.read',
    auth: 'user',
    errors: ['NOT_FOUND'],
    summary: 'Sends the bytes of a file, as an attachment',
    params: ById,
    reply: { 200: FileBytes },
    async handler({ caller, params, db }) {
      const file = await findStoredFile(db, reachOf(caller), params.id);
      if (!file) throw noSuchFile();
      const { name, content_type: type, size } = file;
      return new Download({ name, type, size }, openFile(deps, deps.db, file));
    },
  }),
];

const deleteRoute = ({ uses }: FileRouteDeps): Route =>
  endpoint('DELETE /files/{id}', {
    name: 'files.delete',
    auth: 'user',
    errors: ['NOT_FOUND', 'FILE_IN_USE'],
    summary: 'Deletes a file for good, where nothing names it',
    params: ById,
    reply: { 200: stamped({ data: Type.Object({ file_id: objectIdField('fil') }) }) },
    fault: 'Failed to delete the file',
    async handler({ caller, params: { id }, db }) {
      const { user_id } = caller;
      await transact(db, async (tx) => {
        if (!(await lockFile(tx, { user_id }, id))) throw noSuchFile();
        const by = (await namedFiles(tx, uses(), [id])).get(id);
        if (by !== undefined) throw fail('FILE_IN_USE', `File is named by ${by}`);
        await deleteFiles(tx, [id]);
      });
      return { data: { file_id: objectId('fil', id) } };
    },
  });

const shownFile = (file: StoredFile) => ({
  file_id: objectId('fil', file.file_id),
  purpose: file.purpose,
  name: file.name,
  content_type: file.content_type,
  size: file.size,
  sha256: file.sha256.toString('hex'),
  created_at: file.created_at,
  expires_at: file.expires_at,
});
