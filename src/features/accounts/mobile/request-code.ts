import { randomUUID } from 'node:crypto';
import { isMessageRefused, type Message } from '#features/messaging/messages/messages.ts';
import { clientOfKey, OPERATOR_CLIENT_ID } from '#kernel/access/authenticator.ts';
import { type Requester, requesterMark } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import { AppError, fail } from '#kernel/error.ts';
import type { ApiKey } from '#kernel/http/declare/api-key.ts';
import type { PageLanguage } from '#kernel/http/pages/language.ts';
import { defineJob, type Job } from '#kernel/jobs/job.ts';
import { inEachLanguage, languageNow } from '#kernel/localised.ts';
import { newCode } from '#kernel/secrets/token.ts';
import { transact } from '#kernel/transact.ts';
import { ours } from '#kernel/wording.ts';
import {
  type CodeChannel,
  lockCodeToSend,
  type MobileCode,
  noteCodeSent,
  putMobileCode,
  resendAt,
  usersOfPhone,
} from './code-store.ts';
import type { MobileDeps } from './deps.ts';
import { MOBILE_CODE_TEXTS } from './texts.ts';

const CODE_MS = 5 * 60_000;
const PAUSE_MS = 30_000;
/** How long a refusal of WhatsApp is waited for, and how often it is looked for. */
const FALLBACK_MS = 60_000;
const LOOK_MS = 5_000;

export interface CodeToSend {
  readonly otp_id: string;
  readonly by: Requester;
  /** What the request asked for; jobs of earlier versions do not say. */
  readonly language?: PageLanguage;
}

const CHANNELS = { wa: 'whatsapp', sms: 'sms' } as const;

export const mobileCodeContext = (otp_id: string): string => `mobile code:${otp_id}`;

interface CodeRequest {
  readonly phone: string;
  readonly channel: CodeChannel;
  readonly key: ApiKey;
  readonly by: Requester;
}

/**
 * Takes the request for a code. A job looks for the user, so that the answer is the same, and as slow, for an
 * unknown phone; the quotas are spent here for the same reason. Throws RATE_LIMITED, NUMBER_NOT_SERVED and
 * PROVIDER_NOT_CONFIGURED.
 */
export async function requestMobileCode(
  deps: MobileDeps & { readonly sending: Job<CodeToSend> },
  tx: Db,
  { phone, channel, key, by }: CodeRequest,
) {
  const { clock, messages } = deps;
  const way = wayOf(deps, channel);
  messages.require(CHANNELS[way]);
  const now = clock.now().getTime();
  const [asker, otp_id] = [requesterMark(by), randomUUID()];
  const [resend_at, expires_at] = [new Date(now + PAUSE_MS), new Date(now + CODE_MS)];
  const client_id = clientServed(deps, key);
  const code = { otp_id, client_id, phone, asker, channel, resend_at, expires_at };
  if (!(await putMobileCode(tx, code))) throw tooSoon(await resendAt(tx, phone, asker), now);
  await messages.admit(tx, by, { kind: 'code', channel: CHANNELS[way], to: phone });
  await deps.jobs.enqueue(
    tx,
    deps.sending,
    { otp_id, by, language: languageNow() },
    { key: otp_id },
  );
  return {
    otp_id,
    expires_at: expires_at.toISOString(),
    resend_at: resend_at.toISOString(),
  };
}

const tooSoon = (resend_at: string | undefined, now: number) =>
  fail('RATE_LIMITED', 'A code was already sent, wait before you request another', {
    retryAfter: Math.max(1, Math.ceil((new Date(resend_at ?? now).getTime() - now) / 1000)),
  });

/**
 * The client whose users log in with a key; null for a key of an application in mock mode, which serves all. Out of it
 * such a key serves the operator's own users.
 */
function clientServed({ config }: Pick<MobileDeps, 'config'>, key: ApiKey): number | null {
  const bound = clientOfKey(key);
  if (bound !== undefined) return bound;
  return config.MOCK_MODE ? null : (key.client_id ?? OPERATOR_CLIENT_ID);
}

/** Where WhatsApp is not configured, `auto` is SMS at once. */
function wayOf({ messages }: Pick<MobileDeps, 'messages'>, channel: CodeChannel): 'wa' | 'sms' {
  if (channel !== 'auto') return channel;
  try {
    messages.require('whatsapp');
    return 'wa';
  } catch {
    return 'sms';
  }
}

/** Sends a code to the one active user of the phone, if there is one; by SMS where WhatsApp has refused it. */
export const mobileCodeJob = (deps: MobileDeps): Job<CodeToSend> =>
  defineJob<CodeToSend>({
    name: 'mobile.send-code',
    async run({ otp_id, ...asked }) {
      const now = deps.clock.now();
      return transact(deps.db, async (tx) => {
        const code = await lockCodeToSend(tx, otp_id);
        if (!code || new Date(code.expires_at) <= now) return undefined;
        if (code.message_id !== null) return afterFirst(deps, tx, code, asked);
        const users = await usersOfPhone(tx, code.phone, code.client_id);
        const [user] = users;
        if (!user || users.length > 1) return undefined;
        const way = wayOf(deps, code.channel);
        await send(deps, tx, {
          code,
          user_id: user.user_id,
          way,
          ...asked,
          isAdmitted: true,
        });
        return code.channel === 'auto' && way === 'wa' ? { again: later(now) } : undefined;
      });
    },
  });

const later = (now: Date): Date => new Date(now.getTime() + LOOK_MS);

/** Looks whether WhatsApp has refused the message. */
async function afterFirst(deps: MobileDeps, tx: Db, code: MobileCode, asked: Asked) {
  const now = deps.clock.now();
  const began = new Date(code.expires_at).getTime() - CODE_MS;
  if (code.channel !== 'auto' || now.getTime() > began + FALLBACK_MS) return undefined;
  if (code.user_id === null || code.message_id === null) return undefined;
  if (!(await isMessageRefused(tx, code.message_id))) return { again: later(now) };
  await send(deps, tx, { code, user_id: code.user_id, way: 'sms', ...asked });
  return undefined;
}

type Asked = Omit<CodeToSend, 'otp_id'>;

interface Sending extends Asked {
  readonly code: MobileCode;
  readonly user_id: number;
  readonly way: 'wa' | 'sms';
  readonly isAdmitted?: true;
}

async function send(
  { vault, messages, publicUrl }: MobileDeps,
  tx: Db,
  { code: { otp_id, phone, expires_at }, user_id, way, by, ...admitted }: Sending,
): Promise<void> {
  const digits = newCode();
  const message_id = await messages
    .send(tx, by, {
      kind: 'code',
      channel: CHANNELS[way],
      to: phone,
      purpose: 'mobile-log-in',
      user_id,
      words: wordsOf(digits, way, new URL(publicUrl()).hostname),
      validUntil: new Date(expires_at),
      ...admitted,
    })
    .catch((error: unknown) => {
      // The quota of the other channel is used up: no answer waits for this any more.
      if (error instanceof AppError) return undefined;
      throw error;
    });
  if (message_id === undefined) return;
  const fingerprint = vault.fingerprint(digits, mobileCodeContext(otp_id));
  await noteCodeSent(tx, otp_id, { user_id, fingerprint, message_id });
}

/** The last line of an SMS binds the code to our address, where phones fill it in by themselves. */
const wordsOf = (code: string, way: 'wa' | 'sms', host: string): Message['words'] =>
  inEachLanguage(MOBILE_CODE_TEXTS, (lines) => ({
    text: [...lines(code), ...(way === 'sms' ? ['', ours(`@${host} #${code}`)] : [])],
  }));
