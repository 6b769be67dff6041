import { randomUUID } from 'node:crypto';
import type { Requester } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import { dryRunNow } from '#kernel/dry-run.ts';
import type { Feature } from '#kernel/feature.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { type Localised, languageNow } from '#kernel/localised.ts';
import { notConfigured } from '#kernel/provider-call.ts';
import type { MessageKind, MessageQuotas } from '#kernel/quota/message-quotas.ts';
import type { Line } from '#kernel/wording.ts';
import type { Channel, ChatPart, DeliveryReport } from '#providers/messages/port.ts';
import type { Body, MessageLanguage } from './body.ts';
import { type DeliveryDeps, deliveryJob, forgetSchedule, sealingContext } from './delivery.ts';
import { MESSAGES_PERSON_DATA } from './person-data.ts';
import { insertMessage, markMessageSent, markUndelivered } from './store.ts';

export { SEALED_MESSAGES } from './delivery.ts';
export { isMessageRefused } from './store.ts';

/** What a message says in one language. */
export interface MessageWords {
  readonly subject?: string;
  /** Line by line; a line that is not marked as ours can hold no link. */
  readonly text: readonly Line[];
}

export interface Message {
  readonly channel: Channel;
  /** An e-mail address, a phone number, or the token of a device. */
  readonly to: string;
  /** In each language; the delivery chooses. */
  readonly words: Localised<MessageWords>;
  /**
   * For a reader who has chosen no language: what the request said that a job answers, or both, one after the other, for
   * strangers. Else it is the language of the current request.
   */
  readonly language?: MessageLanguage;
  /** Why it is sent, which decides the quota that it counts against. */
  readonly kind: MessageKind;
  /** Its purpose in the log of messages: `password-reset`. */
  readonly purpose: string;
  /** The user that it concerns, where there is one. */
  readonly user_id?: number;
  /** When delivery becomes useless, as with a code that expires. */
  readonly validUntil?: Date;
  /** It goes on with a conversation that the receiver has begun. */
  readonly chat?: ChatPart;
  /** Its quota was spent by `admit`. */
  readonly isAdmitted?: true;
}

export type MessageDeps = DeliveryDeps &
  Pick<Kernel, 'jobs' | 'log'> & {
    readonly messageQuotas: MessageQuotas;
    /** The settings that messages of that channel wait for. */
    lackingFor?(channel: Channel): readonly string[];
  };

export interface Messages {
  /**
   * Queues a message in the caller's transaction: it is sent if and only if that commits, at least
   * once, with an id by which receivers drop a repetition. Answers that id, or undefined where
   * a dispensable message is over its quota. Throws RATE_LIMITED and NUMBER_NOT_SERVED.
   */
  send(tx: Db, by: Requester, message: Message): Promise<string | undefined>;
  /**
   * Spends the quota of a message that a job may send later, so that the answer is the same whether it will or not.
   * Throws RATE_LIMITED and NUMBER_NOT_SERVED.
   */
  admit(tx: Db, by: Requester, message: Pick<Message, 'kind' | 'channel' | 'to'>): Promise<void>;
  /**
   * For messages that are useless later, such as codes: throws PROVIDER_NOT_CONFIGURED where messages of
   * that channel would wait for its configuration.
   */
  require(channel: Channel): void;
}

/**
 * Sends all messages of the service. The content is sealed until it is delivered, and in no log; the table `messages`
 * keeps recipient, purpose and time.
 */
export function createMessages(deps: MessageDeps): Feature & Messages {
  const { jobs, vault, clock, log, messageQuotas } = deps;
  const delivery = deliveryJob(deps);
  return {
    name: 'messages',
    personData: MESSAGES_PERSON_DATA,
    async admit(tx, by, message) {
      await messageQuotas.admit(tx, { ...message, by });
    },
    async send(tx, by, { isAdmitted, ...message }) {
      const { channel, to, kind, purpose, user_id, validUntil, words, chat } = message;
      const { language = languageNow() } = message;
      if (!isAdmitted && !(await messageQuotas.admit(tx, { kind, channel, to, by })))
        return undefined;
      dryRunNow()?.notes.messages.push(channel);
      const message_id = randomUUID();
      const body: Body = {
        words,
        language,
        ...(chat === undefined ? {} : { chat }),
      };
      await insertMessage(tx, {
        message_id,
        channel,
        recipient: to,
        purpose,
        user_id: user_id ?? null,
        sealed_body: vault.seal(JSON.stringify(body), sealingContext(message_id)),
        created_at: clock.now(),
        valid_until: validUntil ?? null,
      });
      await jobs.enqueue(tx, delivery, { message_id }, { key: message_id });
      return message_id;
    },
    require(channel) {
      const settings = deps.lackingFor?.(channel) ?? [];
      if (settings.length === 0) return;
      log.warn({ provider: channel, settings }, 'a provider is not configured');
      throw notConfigured(`The provider of ${channel} messages`);
    },
    jobs: [delivery],
    schedules: [forgetSchedule(deps)],
  };
}

const OURS = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * A provider's report of a message. Where the provider has one whose answer got lost, it is not sent again. Answers the
 * result in a word.
 */
export async function applyReport(tx: Db, report: DeliveryReport, at: Date): Promise<string> {
  const { messageId, reference } = report;
  if (!OURS.test(messageId)) return 'unknown_message';
  const isNews =
    report.kind === 'failed'
      ? await markUndelivered(tx, messageId, report.code)
      : await markMessageSent(tx, messageId, at, reference);
  return isNews ? report.kind : 'unchanged';
}
