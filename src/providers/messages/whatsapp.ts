import { done } from '#kernel/provider-call.ts';
import { callMessageProvider } from './http-sender.ts';
import type { ChatPart, MessageSender } from './port.ts';
import { byGraphCode } from './whatsapp-codes.ts';
import { senderDigitsOf, WHATSAPP_CODE_MAX, type WhatsAppMessage, WhatsAppSent } from './wire.ts';

export interface WhatsAppSettings {
  /** `https://graph.facebook.com` */
  readonly url: () => string;
  /** `v25.0` */
  readonly version: string;
  readonly phoneId: string;
  readonly token: string;
  /** `name:language`, whose body is one parameter. */
  readonly template?: string | undefined;
  /** `name:language` of an authentication template with a button that copies the code. */
  readonly codeTemplate?: string | undefined;
}

/**
 * WhatsApp by Meta's Cloud API. Plain text reaches only those who have written to us in the last 24
 * hours; everybody else needs a template, and a code one of the kind that is for codes alone. It sends a message
 * twice that it is given twice: what became of the first is in its webhooks (whatsapp-reports.ts).
 */
export const whatsAppSender =
  ({ url, version, phoneId, token, ...templates }: WhatsAppSettings): MessageSender =>
  async ({ id, to, text, chat }) => {
    const body: WhatsAppMessage = {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      ...receiverOf(to),
      biz_opaque_callback_data: id,
      ...(chat === undefined ? contentOf(text, templates) : asChat(text, chat)),
    };
    const outcome = await callMessageProvider(
      {
        name: 'whatsapp send',
        method: 'POST',
        url: `${url()}/${version}/${encodeURIComponent(phoneId)}/messages`,
        headers: { authorization: `Bearer ${token}` },
        body,
      },
      WhatsAppSent,
      byGraphCode,
    );
    if (outcome.kind !== 'done') return outcome;
    return done({ reference: outcome.value.messages[0]?.id ?? '' });
  };

/** A number, or the id of a person who shows none. */
const receiverOf = (to: string): { to: string } | { recipient: string } =>
  /^[A-Z]{2}\./.test(to) ? { recipient: to } : { to: senderDigitsOf(to) };

const asChat = (text: string, { buttons = [] }: ChatPart) =>
  buttons.length === 0
    ? asText(text)
    : ({
        type: 'interactive',
        interactive: {
          type: 'button',
          body: { text },
          action: { buttons: buttons.map((reply) => ({ type: 'reply' as const, reply })) },
        },
      } as const);

/** How every message of ours says its code. */
const CODE_LINE = /^Code: (\S+)$/m;

function contentOf(
  text: string,
  { template, codeTemplate }: Pick<WhatsAppSettings, 'template' | 'codeTemplate'>,
) {
  const [, code = ''] = CODE_LINE.exec(text) ?? [];
  const isCode = code !== '' && code.length <= WHATSAPP_CODE_MAX;
  if (codeTemplate !== undefined && isCode) return asCode(codeTemplate, code);
  return template === undefined ? asText(text) : asTemplate(template, text);
}

const asText = (text: string) =>
  ({ type: 'text', text: { preview_url: false, body: text } }) as const;

const asTemplate = (template: string, text: string) =>
  ({
    type: 'template',
    template: { ...named(template), components: [body(text.replace(/\s+/g, ' '))] },
  }) satisfies Partial<WhatsAppMessage>;

const asCode = (template: string, code: string) =>
  ({
    type: 'template',
    template: {
      ...named(template),
      components: [
        body(code),
        { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: code }] },
      ],
    },
  }) satisfies Partial<WhatsAppMessage>;

function named(template: string) {
  const [name = '', code = ''] = template.split(':');
  return { name, language: { code } };
}

const body = (text: string): { type: 'body'; parameters: [{ type: 'text'; text: string }] } => ({
  type: 'body',
  parameters: [{ type: 'text', text }],
});
