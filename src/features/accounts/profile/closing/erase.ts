import { endKeysOf } from '#features/accounts/keys/keys.ts';
import { emitUser, eraseUser } from '#features/accounts/users/users.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { THE_SERVICE } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import type { PageLanguage } from '#kernel/http/pages/language.ts';
import { defineJob, defineSchedule, type Job, type Schedule } from '#kernel/jobs/job.ts';
import { inEachLanguage } from '#kernel/localised.ts';
import { erasePersonTable } from '#kernel/person-data/person-store.ts';
import { transact } from '#kernel/transact.ts';
import type { ProfileFeatureDeps } from '../deps.ts';
import { lockProfile, readProfile } from '../store.ts';
import { PROFILE_TEXTS } from '../texts.ts';
import { type InTheWay, leftInTheWay } from './emptiness.ts';
import { beginErasing, dueClosings, endErasing, hinderClosing, lockClosing } from './store.ts';

type Deps = ProfileFeatureDeps;
interface Payload {
  readonly user_id: number;
}

const DUE_AT_ONCE = 200;

/** Looks for closings whose time has come, and for erasures that have lost their job. */
export const eraseSchedule = ({ db, jobs }: Deps, job: Job<Payload>): Schedule =>
  defineSchedule({
    name: 'profile.erase-due',
    cron: '*/10 * * * *',
    async run() {
      const due = await dueClosings(db, DUE_AT_ONCE);
      const wanted = due.map(({ user_id }) => ({ payload: { user_id }, key: String(user_id) }));
      await transact(db, (tx) => jobs.enqueueAll(tx, job, wanted));
    },
  });

/**
 * Erases a person, table by table and a batch a transaction. Each run finds what is not erased yet, so a process that
 * dies in between has lost nothing, and two at once do no harm.
 */
export const eraseJob = (deps: Deps): Job<Payload> =>
  defineJob<Payload>({
    name: 'profile.erase',
    concurrency: 1,
    async run({ user_id }) {
      if (!(await isToErase(deps, user_id))) return undefined;
      for (const { tables, erase } of deps.personData()) {
        await erase?.(deps.db, user_id);
        for (const one of tables) await erasePersonTable(deps.db, one, user_id);
      }
      await finish(deps, user_id);
      return undefined;
    },
  });

/** Whether the person is to be erased now: begun by this run or an earlier one, and not what is still in the account. */
function isToErase(deps: Deps, user_id: number): Promise<boolean> {
  const { clock, credentials, db, sessions } = deps;
  return transact(db, async (tx) => {
    await lockProfile(tx, user_id);
    const closing = await lockClosing(tx, user_id);
    if (closing?.status === 'ERASING') return true;
    if (closing?.status !== 'CLOSING' || new Date(closing.erases_at) > clock.now()) return false;
    const items = await leftInTheWay(deps.closingChecks(), tx, user_id);
    if (items.length > 0) {
      const isNews = (closing.items as readonly unknown[]).length === 0;
      await hinderClosing(tx, user_id, items);
      if (isNews) await tell(deps, tx, user_id, items);
      return false;
    }
    await sessions.revokeOthers(tx, user_id);
    await endKeysOf({ credentials }, tx, user_id);
    await beginErasing(tx, user_id);
    await eraseUser(tx, user_id);
    credentials.forget('user', user_id);
    return true;
  });
}

/** Says once why the account is not erased yet. */
async function tell(
  { messages }: Deps,
  tx: Db,
  user_id: number,
  items: readonly InTheWay[],
): Promise<void> {
  const { email } = await readProfile(tx, user_id);
  await messages.send(tx, THE_SERVICE, {
    channel: 'email',
    kind: 'notice',
    to: email,
    purpose: 'account-not-empty',
    user_id,
    words: inEachLanguage(PROFILE_TEXTS, ({ hindered }, language) =>
      hindered(items.map((item) => `- ${lineOf(item, language)}`)),
    ),
  });
}

const lineOf = ({ type, id, amount, currency }: InTheWay, language: PageLanguage): string => {
  const kind = PROFILE_TEXTS[language].inTheWay[type] ?? type;
  return [kind, id, ...(amount === null ? [] : [`${currency} ${amount}`])].join(' ');
};

async function finish({ db }: Deps, user_id: number): Promise<void> {
  await transact(db, async (tx) => {
    const { client_id } = await lockProfile(tx, user_id);
    if (!(await endErasing(tx, user_id))) return;
    await emitUser(tx, 'erased', user_id);
    const who = { actor: null, client_id, subject_user_id: user_id };
    await logActivity(tx, { action: 'ACCOUNT_ERASED', ...who });
  });
}
