import { done } from '#kernel/provider-call.ts';
import { callMessageProvider } from './http-sender.ts';
import type { MessageSender } from './port.ts';
import type { SenderTokens } from './push-tokens.ts';
import { type PushMessage, PushSent } from './wire.ts';

export interface PushSettings {
  /** `https://fcm.googleapis.com` */
  readonly url: () => string;
  readonly project: string;
  readonly tokens: SenderTokens;
}

const NOT_AUTHENTICATED = 'HTTP 401';

/** Push notifications by Firebase Cloud Messaging. */
export const pushSender =
  ({ url, project, tokens }: PushSettings): MessageSender =>
  async ({ id, to, subject, text }) => {
    const access = await tokens.get();
    if (access.kind !== 'done') return access;
    const body: PushMessage = {
      message: {
        token: to,
        notification: { title: subject ?? 'Archipay', body: text },
        data: { message_id: id },
        android: { collapse_key: id },
        apns: { headers: { 'apns-collapse-id': id } },
      },
    };
    const outcome = await callMessageProvider(
      {
        name: 'push send',
        method: 'POST',
        url: `${url()}/v1/projects/${encodeURIComponent(project)}/messages:send`,
        headers: { authorization: `Bearer ${access.value}` },
        body,
      },
      PushSent,
    );
    if (outcome.kind === 'unknown' && outcome.cause === NOT_AUTHENTICATED) tokens.refused();
    return outcome.kind === 'done' ? done({ reference: outcome.value.name }) : outcome;
  };
