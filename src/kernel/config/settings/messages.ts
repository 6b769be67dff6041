import { Type } from 'typebox';
import {
  botName,
  dialCodes,
  graphVersion,
  optional,
  phoneDigits,
  proxyUrl,
  setting,
  smtpUrl,
  template,
  url,
  webhookSecret,
  words,
} from '../setting-kinds.ts';

/** Messages and webhooks. */
export const MESSAGES_SETTINGS = {
  SMTP_URL: setting(optional(smtpUrl), '`smtp://user:password@host:587` or `smtps://`', {
    usually: 'sandbox',
  }),
  MAIL_FROM: setting(
    Type.String({ default: 'Archipay <no-reply@archipay.example>' }),
    'sender of all mail',
  ),
  WHATSAPP_URL: setting(optional(url), '`https://graph.facebook.com`', { usually: 'sandbox' }),
  WHATSAPP_PHONE_ID: setting(
    Type.String({ default: 'sandbox' }),
    "sender's id at the WhatsApp Cloud API",
  ),
  WHATSAPP_VERSION: setting(
    graphVersion,
    'version of the Graph API that is called; Meta keeps each for two years after its successor',
  ),
  WHATSAPP_TOKEN: setting(Type.String({ default: 'sandbox-whatsapp-token' }), 'its token'),
  WHATSAPP_APP_SECRET: setting(
    Type.String({ default: 'sandbox-whatsapp-app-secret' }),
    "the app's secret, which signs Meta's webhooks",
  ),
  WHATSAPP_VERIFY_TOKEN: setting(
    Type.String({ default: 'sandbox-whatsapp-verify-token' }),
    'the verify token that is entered where the webhook is registered',
  ),
  WHATSAPP_TEMPLATE: setting(
    optional(template),
    '`name:language` of an approved template with one parameter, to reach people first',
  ),
  WHATSAPP_CODE_TEMPLATE: setting(
    optional(template),
    'the same of an authentication template with a copy-code button, for codes',
  ),
  WHATSAPP_NUMBER: setting(
    optional(phoneDigits),
    'its number in digits, to which members of the rewards app write to link their account',
    { usually: 'sandbox' },
  ),
  TELEGRAM_URL: setting(optional(url), '`https://api.telegram.org`', { usually: 'sandbox' }),
  TELEGRAM_BOT_TOKEN: setting(
    Type.String({ default: '1:sandbox-telegram-token' }),
    'token of the bot, as BotFather gives it',
  ),
  TELEGRAM_BOT_NAME: setting(botName, 'username of the bot'),
  TELEGRAM_WEBHOOK_SECRET: setting(
    webhookSecret,
    "the `secret_token` of `setWebhook`, which proves Telegram's calls",
  ),
  SMS_URL: setting(optional(url), '`https://api.twilio.com`', { usually: 'sandbox' }),
  SMS_ACCOUNT: setting(Type.String({ default: 'ACsandbox' }), 'account SID'),
  SMS_TOKEN: setting(Type.String({ default: 'sandbox-sms-token' }), 'its token'),
  SMS_FROM: setting(Type.String({ default: '+10000000000' }), 'sender'),
  PUSH_URL: setting(optional(url), '`https://fcm.googleapis.com`', { usually: 'sandbox' }),
  PUSH_PROJECT: setting(Type.String({ default: 'sandbox' }), 'Firebase project'),
  PUSH_TOKEN: setting(
    Type.String({ default: 'sandbox-push-token' }),
    'OAuth token for it, if something else renews it',
  ),
  PUSH_ACCOUNT_FILE: setting(
    optional(Type.String()),
    "JSON file of the project's service account, which renews tokens by itself",
  ),
  DAILY_EMAILS: setting(
    Type.Integer({ minimum: 0, default: 100_000 }),
    'how many e-mails leave in a day; strangers cause half of it at most',
  ),
  DAILY_SMS: setting(Type.Integer({ minimum: 0, default: 5_000 }), 'the same of SMS'),
  DAILY_WHATSAPP: setting(Type.Integer({ minimum: 0, default: 10_000 }), 'of WhatsApp messages'),
  DAILY_PUSHES: setting(
    Type.Integer({ minimum: 0, default: 500_000 }),
    'and of push notifications',
  ),
  DAILY_TELEGRAM: setting(
    Type.Integer({ minimum: 0, default: 100_000 }),
    'and of messages of the Telegram bot, beside its answers',
  ),
  DIAL_CODES: setting(
    dialCodes,
    'beginnings of the numbers that SMS and WhatsApp go to, with ceilings of a day: `62,65,1:500,1876:0`; every country without it',
  ),
  WEBHOOK_PRIVATE: setting(
    optional(words(['allow', 'refuse'] as const)),
    '`allow` or `refuse` webhooks to this machine, by plain HTTP and to any port',
    { usually: '`allow` outside production' },
  ),
  WEBHOOK_PROXY: setting(
    optional(proxyUrl),
    'HTTP proxy that webhooks leave by, such as smokescreen; it is asked for addresses that we have looked up and checked',
  ),
};
