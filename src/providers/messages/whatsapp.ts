import { done } from '#providers/provider.ts';
import { callCourier } from './http-courier.ts';
import type { Courier } from './port.ts';
import { digitsOf, type WhatsAppMessage, WhatsAppSent } from './wire.ts';

export interface WhatsAppSettings {
  /** `https://graph.facebook.com` */
  readonly url: () => string;
  readonly phoneId: string;
  readonly token: string;
  /** `name:language`, whose body is one parameter. */
  readonly template?: string | undefined;
}

/**
 * WhatsApp by Meta's Cloud API. Plain text reaches only those who have written to us in the last 24
 * hours; everybody else needs a template.
 */
export const whatsAppCourier =
  ({ url, phoneId, token, template }: WhatsAppSettings): Courier =>
  async ({ id, to, text }) => {
    const body: WhatsAppMessage = {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: digitsOf(to),
      biz_opaque_callback_data: id,
      ...(template === undefined ? asText(text) : asTemplate(template, text)),
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

const asText = (text: string) =>
  ({ type: 'text', text: { preview_url: false, body: text } }) as const;

function asTemplate(template: string, text: string) {
  const [name = '', code = ''] = template.split(':');
  const line = text.replace(/\s+/g, ' ');
  return {
    type: 'template',
    template: {
      name,
      language: { code },
      components: [{ type: 'body', parameters: [{ type: 'text', text: line }] }],
    },
  } satisfies Partial<WhatsAppMessage>;
}
