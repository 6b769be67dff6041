import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Value } from 'typebox/value';
import { parsed } from '#kernel/provider-call.ts';
import { sameSecret } from '#kernel/secrets/token.ts';
import type { DeliveryReport } from './port.ts';
import { refusalCode } from './whatsapp-codes.ts';
import { WhatsAppWebhook } from './wire.ts';

/** Whether Meta sent these bytes: an HMAC-SHA256 over them by the app's secret. */
export function isFromMeta(secret: string, raw: Uint8Array, headers: IncomingHttpHeaders): boolean {
  const given = headers['x-hub-signature-256'];
  if (secret === '' || typeof given !== 'string') return false;
  const digest = createHmac('sha256', secret).update(raw).digest('hex');
  return sameSecret(given, `sha256=${digest}`);
}

/** The reports on messages of ours; a webhook may hold several, and news of other kinds. */
export function whatsAppReports(raw: Uint8Array): readonly DeliveryReport[] {
  const webhook = parsed(Buffer.from(raw).toString('utf8'));
  if (!Value.Check(WhatsAppWebhook, webhook)) return [];
  return webhook.entry
    .flatMap(({ changes }) => changes.flatMap(({ value }) => value.statuses ?? []))
    .flatMap(({ id, status, biz_opaque_callback_data: messageId, errors }): DeliveryReport[] => {
      if (messageId === undefined) return [];
      const name = `${id}:${status}`;
      const [error] = errors ?? [];
      const code = error === undefined ? 'META' : refusalCode(error.code);
      if (status === 'failed') return [{ name, messageId, reference: id, kind: 'failed', code }];
      // Meta adds kinds, and "delivered" may be missing where "read" comes.
      return [{ name, messageId, reference: id, kind: 'taken' }];
    });
}
