import { done } from '#providers/provider.ts';
import { callCourier } from './http-courier.ts';
import type { Courier } from './port.ts';
import { digitsOf, type WhatsAppMessage, WhatsAppSent } from './wire.ts';

export interface WhatsAppSettings {
  /** `https://graph.facebook.com` */
  readonly url: () => string;
  readonly phoneId: string;
  readonly token: string;
}

/** WhatsApp by Meta's Cloud API. */
export const whatsAppCourier =
  ({ url, phoneId, token }: WhatsAppSettings): Courier =>
  async ({ id, to, text }) => {
    const body: WhatsAppMessage = {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: digitsOf(to),
      type: 'text',
      text: { preview_url: false, body: text },
      biz_opaque_callback_data: id,
    };
    const outcome = await callCourier(
      {
        name: 'whatsapp send',
        method: 'POST',
        url: `${url()}/v20.0/${encodeURIComponent(phoneId)}/messages`,
        headers: { authorization: `Bearer ${token}` },
        body,
      },
      WhatsAppSent,
    );
    if (outcome.kind !== 'done') return outcome;
    return done({ reference: outcome.value.messages[0]?.id ?? '' });
  };
