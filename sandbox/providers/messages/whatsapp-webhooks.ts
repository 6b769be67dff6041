import { createHmac } from 'node:crypto';
import type { Config } from '#kernel/config/config.ts';
import type { World } from '#sandbox/simulator.ts';

export type WhatsAppConfig = Pick<
  Config,
  `WHATSAPP_${'PHONE_ID' | 'TOKEN' | 'APP_SECRET' | 'VERIFY_TOKEN'}`
>;

/** Calls the service's webhook, signed over the bytes by the secret of the app. */
export function deliverWhatsApp(
  world: World,
  config: WhatsAppConfig,
  path: 'whatsapp/webhook' | 'socialbot/whatsapp/webhook',
  news: object,
): Promise<boolean> {
  const metadata = {
    display_phone_number: '15550000000',
    phone_number_id: config.WHATSAPP_PHONE_ID,
  };
  const value = { messaging_product: 'whatsapp', metadata, ...news };
  const entry = [{ id: '102290129340398', changes: [{ field: 'messages', value }] }];
  const body = escaped(JSON.stringify({ object: 'whatsapp_business_account', entry }));
  const signed = (secret: string) => ({
    'content-type': 'application/json',
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  });
  return world.callbacks.deliver('whatsapp', {
    url: `${world.serviceUrl()}/${path}`,
    headers: signed(config.WHATSAPP_APP_SECRET),
    body,
    resign: signed,
  });
}

/** Meta escapes what is not ASCII, and signs that. */
const escaped = (json: string): string =>
  json.replace(
    /[\u0080-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
