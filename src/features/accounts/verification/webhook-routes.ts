import type { Db } from '#kernel/db/db.ts';
import { defineInbox, type Inbox } from '#kernel/effects/inbox.ts';
import { errorEnvelope } from '#kernel/http/declare/envelope.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import { MessageField } from '#kernel/http/declare/schema.ts';
import { defineJob, type Job } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type {
  IdentityProvider,
  VerificationEvent,
  VerificationType,
} from '#providers/identity/port.ts';
import type { Decisions, VerificationVerdict } from './decide.ts';
import { keepName, userIdOf } from './store.ts';

export type WebhookDeps = Pick<Kernel, 'db' | 'clock' | 'jobs' | 'inboxes' | 'log'> & {
  readonly identity: IdentityProvider;
  readonly decisions: Decisions;
};

const endpoint = endpoints(errorEnvelope);

/** A replay after that is older than its decision. */
const KEPT_MS = 400 * 24 * 3600 * 1000;

interface Named {
  readonly user_id: number;
  readonly kind: VerificationType;
  readonly applicantId: string;
}

/**
 * The identity provider's webhooks (contract: Events, 1): the signature proves them, a row stores them, and a job
 * handles them afterwards, so that the provider is answered at once and no event is lost.
 */
export function createWebhook(deps: WebhookDeps) {
  const nameJob = jobForName(deps);
  const inbox = inboxFor(deps, nameJob);
  return { route: webhookRoute(deps, inbox), inbox, jobs: [nameJob] as readonly Job[] };
}

const webhookRoute = (
  { inboxes, log, identity }: WebhookDeps,
  inbox: Inbox<VerificationEvent>,
): Route =>
  endpoint('POST /ekyc/idv/webhook', {
    name: 'callbacks.receiveVerification',
    auth: 'public',
    summary: 'Webhook of the identity provider; its signature proves the call',
    // The signature authenticates the call, and a provider sends many from one address.
    limit: 'authenticated',
    signed: identity.isGenuine,
    reply: { 200: MessageField },
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
      const isNew = await inboxes.receive(tx, inbox, event.digest, event);
      return { message: isNew ? 'Event received' : 'Event known already' };
    },
  });

const inboxFor = ({ clock, jobs, decisions }: WebhookDeps, nameJob: Job<Named>) =>
  defineInbox<VerificationEvent>({
    source: 'identity',
    keptMs: KEPT_MS,
    async handle(tx, event) {
      const verdict = await decide(decisions, tx, event, clock.now());
      const { applicantId, type: kind, review } = event;
      const user_id = userIdOf(event.externalUserId);
      const stands = verdict === 'changed' || verdict === 'unchanged';
      if (stands && review.answer === 'GREEN' && user_id !== undefined)
        await jobs.enqueue(tx, nameJob, { user_id, kind, applicantId });
      return verdict;
    },
  });

const jobForName = ({ db, identity }: WebhookDeps) =>
  defineJob<Named>({
    name: 'verification.name',
    async run({ user_id, kind, applicantId }) {
      const found = await identity.applicant(applicantId);
      if (found.kind === 'refused' && found.code === 'APPLICANT_NOT_FOUND') return undefined;
      if (found.kind !== 'done') throw new Error('The identity provider did not report the name');
      const { externalUserId, name } = found.value;
      if (name !== null && userIdOf(externalUserId) === user_id)
        await keepName(db, { user_id, kind, applicantId, name });
      return undefined;
    },
  });

/** A completed review decides; any other event only shows that the user has begun. */
function decide(
  decisions: Decisions,
  tx: Db,
  event: VerificationEvent,
  processed: Date,
): Promise<VerificationVerdict> {
  const user_id = userIdOf(event.externalUserId);
  if (user_id === undefined) return Promise.resolve('unknown_user');
  const { applicantId, levelName, type: kind, review } = event;
  const about = { user_id, kind, source: 'webhook', applicant: { applicantId, levelName } };
  if (review.answer === null) return decisions.begin(tx, about);
  const status = review.answer === 'GREEN' ? 'APPROVED' : 'REJECTED';
  // A provider whose clock is ahead must not outdate later decisions until then.
  const at = new Date(Math.min(Date.parse(event.occurredAt), processed.getTime()));
  return decisions.decide(tx, { ...about, status, at });
}
