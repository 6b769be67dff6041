import { type Static, Type } from 'typebox';
import { text } from '#kernel/http/declare/schema.ts';

const whatsAppAddress = {
  messaging_product: Type.Literal('whatsapp'),
  recipient_type: Type.Literal('individual'),
  to: Type.Optional(Type.String({ pattern: '^\\d{5,20}$' })),
  /** Instead of a number, the id of a person at this business. */
  recipient: Type.Optional(text(150)),
  /** Comes back in every status webhook. Meta does not tell a repetition by it. */
  biz_opaque_callback_data: text(512),
};

/** The provider takes no line ends and no more than four spaces in a row in a parameter. */
const parameter = (maxLength: number) =>
  Type.Object({
    type: Type.Literal('text'),
    text: Type.String({ minLength: 1, maxLength, pattern: '^(?!.* {5})[^\\n\\t]+$' }),
  });
const body = <P extends ReturnType<typeof parameter>>(only: P) =>
  Type.Object({ type: Type.Literal('body'), parameters: Type.Tuple([only]) });

/** What an authentication template takes as its code, in the body and behind its button. */
export const WHATSAPP_CODE_MAX = 15;
const code = parameter(WHATSAPP_CODE_MAX);

/** WhatsApp Cloud API, `POST /{version}/{phone_id}/messages`. */
export const WhatsAppMessage = Type.Union([
  Type.Object({
    ...whatsAppAddress,
    type: Type.Literal('text'),
    text: Type.Object({ preview_url: Type.Boolean(), body: text(4096) }),
  }),
  Type.Object({
    ...whatsAppAddress,
    type: Type.Literal('interactive'),
    interactive: Type.Object({
      type: Type.Literal('button'),
      body: Type.Object({ text: text(1024) }),
      action: Type.Object({
        buttons: Type.Array(
          Type.Object({
            type: Type.Literal('reply'),
            reply: Type.Object({ id: text(256), title: text(20) }),
          }),
          { minItems: 1, maxItems: 3 },
        ),
      }),
    }),
  }),
  Type.Object({
    ...whatsAppAddress,
    type: Type.Literal('template'),
    template: Type.Object({
      name: text(512),
      language: Type.Object({ code: text(10) }),
      components: Type.Union([
        Type.Tuple([body(parameter(1024))]),
        Type.Tuple([
          body(code),
          Type.Object({
            type: Type.Literal('button'),
            sub_type: Type.Literal('url'),
            index: Type.Literal('0'),
            parameters: Type.Tuple([code]),
          }),
        ]),
      ]),
    }),
  }),
]);
export type WhatsAppMessage = Static<typeof WhatsAppMessage>;

export const WhatsAppSent = Type.Object({
  messages: Type.Array(Type.Object({ id: Type.String() }), { minItems: 1 }),
});

/** How the Graph API refuses. The status says little: what passes comes with 400, too. */
export const GraphRefusal = Type.Object({ error: Type.Object({ code: Type.Integer() }) });

/** The part of a WhatsApp webhook that reports what became of messages. */
export const WhatsAppWebhook = Type.Object({
  object: Type.Literal('whatsapp_business_account'),
  entry: Type.Array(
    Type.Object({
      changes: Type.Array(
        Type.Object({
          value: Type.Object({
            statuses: Type.Optional(
              Type.Array(
                Type.Object({
                  id: Type.String(),
                  status: Type.String(),
                  biz_opaque_callback_data: Type.Optional(Type.String()),
                  errors: Type.Optional(Type.Array(Type.Object({ code: Type.Integer() }))),
                }),
              ),
            ),
          }),
        }),
      ),
    }),
  ),
});
export type WhatsAppWebhook = Static<typeof WhatsAppWebhook>;

/** Twilio, `POST /2010-04-01/Accounts/{sid}/Messages.json`, as a form. */
export const SmsMessage = Type.Object({
  To: Type.String({ pattern: '^\\+\\d{5,20}$' }),
  From: Type.String({ pattern: '^\\+\\d{5,20}$' }),
  Body: text(1600),
  StatusCallback: Type.Optional(Type.String()),
});
export type SmsMessage = Static<typeof SmsMessage>;

export const SmsSent = Type.Object({ sid: Type.String() });

/** Twilio, `GET /2010-04-01/Accounts/{sid}/Messages.json?To=`. */
export const SmsList = Type.Object({
  messages: Type.Array(
    Type.Object({
      sid: Type.String(),
      to: Type.String(),
      body: Type.String(),
      /** RFC 2822, in whole seconds. */
      date_created: Type.String(),
    }),
  ),
});

/** Firebase Cloud Messaging, `POST /v1/projects/{project}/messages:send`. */
export const PushMessage = Type.Object({
  message: Type.Object({
    token: text(4096),
    notification: Type.Object({ title: text(200), body: text(2000) }),
    data: Type.Object({ message_id: text(100) }),
    /** A device shows only the last one of a key, so a repetition replaces the first. */
    android: Type.Object({ collapse_key: text(100) }),
    apns: Type.Object({ headers: Type.Object({ 'apns-collapse-id': text(64) }) }),
  }),
});
export type PushMessage = Static<typeof PushMessage>;

export const PushSent = Type.Object({ name: Type.String() });

/** `+62 812-3456` as `628123456`. */
export const senderDigitsOf = (phone: string): string => phone.replace(/\D/g, '');

/** Under which of the sandbox's paths the simulators are. */
export const PREFIXES = {
  whatsapp: '/whatsapp',
  sms: '/sms',
  push: '/push',
  telegram: '/telegram',
} as const;

export const JWT_GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** Google's token endpoint, `POST /token`, as a form (RFC 7523). */
export const TokenRequest = Type.Object({
  grant_type: Type.Literal(JWT_GRANT),
  assertion: text(4096),
});
export type TokenRequest = Static<typeof TokenRequest>;

export const SenderAccessToken = Type.Object({
  access_token: text(4096),
  expires_in: Type.Integer({ minimum: 1 }),
});

export const ACCESS_SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';

/** Where Twilio reports to, at our service. */
export const SMS_REPORT_PATH = '/api/sms/webhook';
