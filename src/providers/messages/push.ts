import { done } from '#providers/provider.ts';
import { callCourier } from './http-courier.ts';
import type { Courier } from './port.ts';
import { type PushMessage, PushSent } from './wire.ts';

export interface PushSettings {
  /** `https://fcm.googleapis.com` */
  readonly url: () => string;
  readonly project: string;
  readonly token: string;
}

/** Push notifications by Firebase Cloud Messaging. */
export const pushCourier =
  ({ url, project, token }: PushSettings): Courier =>
  async ({ id, to, subject, text }) => {
    const body: PushMessage = {
      message: {
        token: to,
        notification: { title: subject ?? 'Archipay', body: text },
        data: { message_id: id },
        android: { collapse_key: id },
        apns: { headers: { 'apns-collapse-id': id } },
      },
    };
    const outcome = await callCourier(
      {
        name: 'push send',
        method: 'POST',
        url: `${url()}/v1/projects/${encodeURIComponent(project)}/messages:send`,
        headers: { authorization: `Bearer ${token}` },
        body,
      },
      PushSent,
    );
    return outcome.kind === 'done' ? done({ reference: outcome.value.name }) : outcome;
  };
