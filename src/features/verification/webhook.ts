import type { Db } from '#kernel/db/db.ts';
import { transact } from '#kernel/db/transact.ts';
import { errorEnvelope } from '#kernel/http/envelope.ts';
import { endpoints, type Route } from '#kernel/http/route.ts';
import { Message } from '#kernel/http/schema.ts';
import { defineJob, defineSchedule, type Job, type Schedule } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type {
  IdentityProvider,
  VerificationEvent,
  VerificationType,
} from '#providers/identity/port.ts';
import type { Decisions, Verdict } from './decide.ts';
import { keepName, userIdOf } from './store.ts';

export type WebhookDeps = Pick<Kernel, 'db' | 'clock' | 'jobs' | 'log'> & {
  readonly identity: IdentityProvider;
  readonly decisions: Decisions;
};

const endpoint = endpoints(errorEnvelope);

/** How long processed calls are kept. A replay after that is older than what it once decided. */
const KEPT_MS = 400 * 24 * 3600 * 1000;

interface Named {
  readonly user_id: number;
  readonly kind: VerificationType;
  readonly applicantId: string;
}

/**
 * The identity provider's calls (contract: Events, 1): proven by their signature, stored, and taken
 * up by a job afterwards, so that the provider is answered at once and nothing it told is lost.
 */
export function createInbox(deps: WebhookDeps) {
  const { db, clock, jobs, log, identity } = deps;

  const nameJob = defineJob<Named>({
    name: 'verification.name',
    async run({ user_id, kind, applicantId }) {
      const found = await identity.applicant(applicantId);
      if (found.kind === 'refused' && found.code === 'APPLICANT_NOT_FOUND') return undefined;
      if (found.kind !== 'done') throw new Error('The identity provider did not tell the name');
      const { externalUserId, name } = found.value;
      if (name !== null && userIdOf(externalUserId) === user_id)
        await keepName(db, { user_id, kind, applicantId, name });
      return undefined;
    },
  });

  const eventJob = defineJob<{ readonly digest: string }>({
    name: 'verification.event',
    async run({ digest }) {
      await transact(db, async (tx) => {
        const event = await lockEvent(tx, digest);
        if (!event) return;
        const processed = clock.now();
        const verdict = await take(deps.decisions, tx, event, processed);
        await closeEvent(tx, digest, processed, verdict);
        const { applicantId, type: kind, review } = event;
        const user_id = userIdOf(event.externalUserId);
        const stands = verdict === 'changed' || verdict === 'unchanged';
        if (stands && review.answer === 'GREEN' && user_id !== undefined)
          await jobs.enqueue(tx, nameJob, { user_id, kind, applicantId });
      });
      return undefined;
    },
  });

  const route = endpoint('POST /ekyc/idv/webhook', {
    auth: 'public',
    summary: 'The identity provider tells of a verification; its signature proves the call',
    // What stands behind a call is its signature, and a provider sends many from one address.
    limit: 'authenticated',
    signed: identity.isGenuine,
    reply: { 200: Message },
    atomic: true,
    fault: 'Failed to take the event',
    async handler({ request, db: tx }) {
      const webhook = identity.readWebhook(request.raw);
      if (webhook.kind === 'ignored') {
        const { digest } = webhook;
        log.warn({ digest }, 'a genuine call of the identity provider is not understood');
        return { message: 'Event ignored' };
      }
      const { event } = webhook;
      const fresh = await insertEvent(tx, event);
      if (!fresh) return { message: 'Event known already' };
      await jobs.enqueue(tx, eventJob, { digest: event.digest }, { key: event.digest });
      return { message: 'Event received' };
    },
  });

  const forget = defineSchedule({
    name: 'verification.forget-events',
    cron: '40 3 * * *',
    async run({ due }) {
      await db
        .deleteFrom('identity_events')
        .where('processed_at', '<', new Date(due.getTime() - KEPT_MS).toISOString())
        .execute();
    },
  });

  return {
    route: route satisfies Route,
    jobs: [eventJob, nameJob] as readonly Job[],
    schedules: [forget] as readonly Schedule[],
  };
}

/** A completed review decides; anything else only shows that somebody has begun. */
function take(
  decisions: Decisions,
  tx: Db,
  event: VerificationEvent,
  processed: Date,
): Promise<Verdict> {
  const user_id = userIdOf(event.externalUserId);
  if (user_id === undefined) return Promise.resolve('unknown_user');
  const { applicantId, levelName, type: kind, review } = event;
  const about = { user_id, kind, source: 'webhook', applicant: { applicantId, levelName } };
  if (review.answer === null) return decisions.begin(tx, about);
  const status = review.answer === 'GREEN' ? 'APPROVED' : 'REJECTED';
  // A provider whose clock is ahead must not outdate what will be decided until then.
  const at = new Date(Math.min(Date.parse(event.occurredAt), processed.getTime()));
  return decisions.decide(tx, { ...about, status, at });
}

/** Whether this call has not come before. */
async function insertEvent(tx: Db, event: VerificationEvent): Promise<boolean> {
  const { digest } = event;
  const inserted = await tx
    .insertInto('identity_events')
    .values({ digest, event: JSON.stringify(event) })
    .onConflict((conflict) => conflict.column('digest').doNothing())
    .returning('digest')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Nothing when it has been processed already. */
async function lockEvent(tx: Db, digest: string): Promise<VerificationEvent | undefined> {
  const row = await tx
    .selectFrom('identity_events')
    .select('event')
    .where('digest', '=', digest)
    .where('processed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  return row?.event as VerificationEvent | undefined;
}

async function closeEvent(tx: Db, digest: string, at: Date, outcome: Verdict): Promise<void> {
  await tx
    .updateTable('identity_events')
    .set({ processed_at: at.toISOString(), outcome })
    .where('digest', '=', digest)
    .execute();
}
