import { fail } from '#kernel/error.ts';
import { defineJob, defineSchedule, type Job, type Schedule } from '#kernel/jobs/job.ts';
import { newObjectUuid, objectId } from '#kernel/object-id.ts';
import { digestOf } from '#kernel/secrets/token.ts';
import { transact } from '#kernel/transact.ts';
import type { ProfileFeatureDeps } from '../deps.ts';
import { lockProfile, readProfile } from '../store.ts';
import {
  endExports,
  failExport,
  findExport,
  insertExport,
  lastExport,
  type PersonExport,
  readyExport,
} from './store.ts';
import { writeExport } from './write-export.ts';

const HOUR_MS = 3600_000;
const DAY_MS = 24 * HOUR_MS;
const ENDED_AT_ONCE = 20;

type Deps = ProfileFeatureDeps;
interface Payload {
  readonly export_id: string;
}

/** The text in an export's link: made again by who has the keys, and kept nowhere. */
export const exportToken = ({ vault }: Pick<Deps, 'vault'>, export_id: string): string =>
  vault.fingerprint(export_id, 'link of a person’s export').toString('base64url');

/** Asks for an export of everything about a person. Throws LIMIT_EXCEEDED on the second of a day. */
export function askForExport(
  { clock, jobs, db }: Deps,
  job: Job<Payload>,
  user_id: number,
): Promise<PersonExport> {
  return transact(db, async (tx) => {
    await lockProfile(tx, user_id);
    const now = clock.now().getTime();
    const last = await lastExport(tx, user_id, new Date(now - DAY_MS).toISOString());
    if (last) throw onceADay(new Date(last.created_at).getTime() + DAY_MS, now);
    const made = await insertExport(tx, user_id, newObjectUuid(now));
    await jobs.enqueue(tx, job, { export_id: made.export_id }, { key: made.export_id });
    return made;
  });
}

const onceADay = (resets: number, now: number) =>
  fail('LIMIT_EXCEEDED', 'One export a day', {
    status: 429,
    retryAfter: Math.ceil((resets - now) / 1000),
    details: { limit_id: 'exports', limit: 1, used: 1, resets_at: new Date(resets).toISOString() },
  });

/** Writes an export into a file of the person's. A run that dies leaves parts of a file that are forgotten. */
export const exportJob = (deps: Deps): Job<Payload> =>
  defineJob<Payload>({
    name: 'profile.export',
    attempts: 5,
    concurrency: 1,
    async run({ export_id }, { last }) {
      try {
        await makeExport(deps, export_id);
      } catch (error) {
        if (last) await failExport(deps.db, export_id);
        throw error;
      }
      return undefined;
    },
  });

async function makeExport(deps: Deps, export_id: string): Promise<void> {
  const { clock, db, files, personData } = deps;
  const wanted = await findExport(db, export_id);
  if (wanted?.status !== 'PENDING') return;
  const { user_id } = wanted;
  const made_at = clock.now().toISOString();
  const file = await files.keep(
    {
      client_id: (await readProfile(db, user_id)).client_id,
      user_id,
      purpose: 'export',
      name: `${objectId('exp', export_id)}.json.gz`,
      content_type: 'application/gzip',
    },
    writeExport(db, personData(), { user_id, made_at }),
  );
  const ready = clock.now();
  const times = {
    ready_at: ready.toISOString(),
    expires_at: new Date(ready.getTime() + HOUR_MS).toISOString(),
  };
  const digest = digestOf(exportToken(deps, export_id));
  const { file_id } = file;
  await transact(db, async (tx) => {
    const isFirst = await readyExport(tx, { export_id, file_id, digest }, times);
    if (!isFirst) await files.remove(tx, [file_id]);
  });
}

/** Exports whose hour is over, with their files. */
export const endExportsSchedule = ({ db, files }: Deps): Schedule =>
  defineSchedule({
    name: 'profile.end-exports',
    cron: '* * * * *',
    async run({ signal }) {
      for (let found = ENDED_AT_ONCE; found === ENDED_AT_ONCE && !signal.aborted; )
        found = await transact(db, async (tx) => {
          const ended = await endExports(tx, ENDED_AT_ONCE);
          const ids = ended.flatMap(({ file_id }) => (file_id === null ? [] : [file_id]));
          if (ids.length > 0) await files.remove(tx, ids);
          return ended.length;
        });
    },
  });
