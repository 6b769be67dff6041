import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#kernel/db/db.ts';
import { defineJob, defineSchedule, type Job, type Schedule } from '#kernel/jobs/job.ts';
import type { SealedKind } from '#kernel/secrets/sealed.ts';
import type { Vault } from '#kernel/secrets/vault.ts';
import type { MessageSenders } from '#providers/messages/port.ts';
import { type Body, type EnglishBody, messageContent } from './body.ts';
import {
  beginAttempt,
  forgetFailed,
  markMessageSent,
  markRefused,
  recordMessageFailure,
} from './store.ts';

export interface DeliveryDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly messageSenders: MessageSenders;
}

export interface Delivery {
  readonly message_id: string;
}

const KEEP_FAILED_MS = 7 * 86_400_000;

export const sealingContext = (message_id: string): string => `message:${message_id}`;

/** A queued message. */
export const SEALED_MESSAGES: SealedKind = {
  what: 'messages that wait',
  text: `select sealed_body as sealed, 'message:' || message_id as context, null::bytea as mark
    from messages where sealed_body is not null`,
};

/** Pauses double from 2 s to an hour, so a provider may be unreachable for most of a day. */
const ATTEMPTS = 24;

/** Sends until the provider accepts or refuses it; after the last attempt it is a dead letter. */
export const deliveryJob = ({ db, clock, vault, messageSenders }: DeliveryDeps): Job<Delivery> =>
  defineJob<Delivery>({
    name: 'messages.deliver',
    attempts: ATTEMPTS,
    async run({ message_id }, { last }) {
      const due = await beginAttempt(db, message_id);
      if (due === undefined) return undefined;
      if (due.valid_until !== null && new Date(due.valid_until) < clock.now()) {
        await markRefused(db, message_id, 'LAPSED');
        return undefined;
      }
      const body = JSON.parse(vault.open(due.sealed_body, sealingContext(message_id))) as
        | Body
        | EnglishBody;
      const message = {
        id: message_id,
        at: new Date(due.created_at),
        to: due.recipient,
        ...messageContent(body, due.channel, due.locale),
      };
      const outcome = await messageSenders[due.channel](message, { again: due.attempts > 1 });
      if (outcome.kind === 'done')
        await markMessageSent(db, message_id, clock.now(), outcome.value.reference);
      else if (outcome.kind === 'refused') await markRefused(db, message_id, outcome.code);
      else {
        await recordMessageFailure(db, message_id, outcome.cause, last);
        throw new Error(`No answer from the ${due.channel} provider: ${outcome.cause}`);
      }
      return undefined;
    },
  });

/** A message that was not delivered in a week is stale. */
export const forgetSchedule = ({ db, clock }: Pick<DeliveryDeps, 'db' | 'clock'>): Schedule =>
  defineSchedule({
    name: 'messages.forget',
    cron: '17 3 * * *',
    async run() {
      await forgetFailed(db, new Date(clock.now().getTime() - KEEP_FAILED_MS));
    },
  });
