import { type Static, Type } from 'typebox';
import { fail } from '#kernel/error.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { Download } from '#kernel/http/declare/file-bytes.ts';
import { named } from '#kernel/http/declare/named.ts';
import { objectIdField, objectIdInput } from '#kernel/http/declare/object-id-field.ts';
import { API_PREFIX } from '#kernel/http/declare/prefix.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import {
  explained,
  FileBytes,
  Nullable,
  oneOfWords,
  stamped,
  Timestamp,
  text,
} from '#kernel/http/declare/schema.ts';
import { secret } from '#kernel/http/declare/secret.ts';
import type { Job } from '#kernel/jobs/job.ts';
import { objectId } from '#kernel/object-id.ts';
import { digestOf } from '#kernel/secrets/token.ts';
import { transact } from '#kernel/transact.ts';
import type { ProfileFeatureDeps } from '../deps.ts';
import { askForExport, exportToken } from './make-export.ts';
import { findExport, type PersonExport, useExportLink } from './store.ts';

const endpoint = endpoints(codedEnvelope);

const KNOWN = {
  export_id: objectIdField('exp'),
  status: oneOfWords(['PENDING', 'READY', 'EXPIRED', 'FAILED']),
  created_at: Timestamp,
  ready_at: Nullable(Timestamp),
  expires_at: explained(Nullable(Timestamp), 'When the file goes'),
};
/** One that was just asked for has no link yet. */
const AskedExport = named('AskedExport', {
  ...KNOWN,
  download_url: explained(Type.Null(), 'There once it is `READY`'),
});
const ShownExport = named('PersonExport', {
  ...KNOWN,
  download_url: secret(explained(Nullable(Type.String()), 'Opens once, without a log-in')),
});
const One = stamped({ data: ShownExport });
const ById = Type.Object({ id: objectIdInput('exp') });

/** People take what is known of them along. */
export const exportRoutes = (
  deps: ProfileFeatureDeps,
  job: Job<{ readonly export_id: string }>,
): Route[] => [
  endpoint('POST /profile/exports', {
    name: 'profile.export',
    auth: 'user',
    errors: ['429 LIMIT_EXCEEDED'],
    summary: 'Asks for everything about the caller as a file, once a day',
    reply: { 202: stamped({ data: AskedExport }) },
    fault: 'Failed to ask for the export',
    async handler({ caller }) {
      const asked = shown(deps, await askForExport(deps, job, caller.user_id));
      return { data: { ...asked, download_url: null } };
    },
  }),

  endpoint('GET /profile/exports/{id}', {
    name: 'profile.getExport',
    auth: 'user',
    errors: ['NOT_FOUND'],
    summary: 'Shows an export of the caller, and its link while it may be opened',
    params: ById,
    reply: { 200: One },
    fault: 'Failed to read the export',
    async handler({ caller, params, db }) {
      const found = await findExport(db, params.id, caller.user_id);
      if (!found) throw fail('NOT_FOUND', 'Export not found');
      return { data: shown(deps, found) };
    },
  }),

  endpoint('GET /profile/exports/{id}/content', {
    name: 'profile.downloadExport',
    auth: 'public',
    errors: ['INVALID_TOKEN', 'LINK_EXPIRED'],
    summary: 'Sends the file of an export, by its link, once',
    once: true,
    params: ById,
    query: Type.Object({ token: text(200) }),
    reply: { 200: FileBytes },
    fault: 'Failed to send the export',
    async handler({ params, query }) {
      const file = await openLink(deps, params.id, query.token);
      const { name, content_type: type, size } = file;
      return new Download({ name, type, size }, deps.files.read(deps.db, file));
    },
  }),
];

/** Uses the link up and answers its file. Throws INVALID_TOKEN and LINK_EXPIRED. */
function openLink({ clock, db, files }: ProfileFeatureDeps, export_id: string, token: string) {
  const digest = digestOf(token);
  return transact(db, async (tx) => {
    const used = await useExportLink(tx, export_id, digest);
    const file = used?.file_id
      ? await files.hold(tx, { user_id: used.user_id }, used.file_id)
      : undefined;
    if (file) return file;
    const found = await findExport(tx, export_id);
    const isLate =
      found?.digest?.equals(digest) &&
      found.used_at === null &&
      found.expires_at !== null &&
      new Date(found.expires_at) <= clock.now();
    if (isLate) throw fail('LINK_EXPIRED', 'The link has expired');
    throw fail('INVALID_TOKEN', 'Invalid or used link');
  });
}

/** An hour that is over has ended it, whether or not its file is gone already. */
function shown(
  deps: Pick<ProfileFeatureDeps, 'clock' | 'publicUrl' | 'vault'>,
  row: PersonExport,
): Static<typeof ShownExport> {
  const isOver = row.expires_at !== null && new Date(row.expires_at) <= deps.clock.now();
  const status = row.status === 'READY' && isOver ? 'EXPIRED' : row.status;
  const id = objectId('exp', row.export_id);
  const isOpen = status === 'READY' && row.used_at === null && row.file_id !== null;
  const link = () =>
    `${deps.publicUrl()}${API_PREFIX}/profile/exports/${id}/content?token=${exportToken(deps, row.export_id)}`;
  return {
    export_id: id,
    status: status as Static<typeof ShownExport>['status'],
    created_at: row.created_at,
    ready_at: row.ready_at,
    expires_at: row.expires_at,
    download_url: isOpen ? link() : null,
  };
}
