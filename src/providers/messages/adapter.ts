import type { Config } from '#kernel/config/config.ts';
import { done, NOT_CONFIGURED, unknown } from '#kernel/provider-call.ts';
import { sameSecret } from '#kernel/secrets/token.ts';
import { mailSender } from './email.ts';
import type {
  ChatBots,
  MessageReports,
  MessageSender,
  MessageSenders,
  SmsReports,
} from './port.ts';
import { pushSender } from './push.ts';
import { accountTokens, readSenderAccount, type SenderTokens } from './push-tokens.ts';
import { smsSender } from './sms.ts';
import { isFromTwilio, smsReport } from './sms-reports.ts';
import { telegramSender } from './telegram.ts';
import { telegramBot } from './telegram-bot.ts';
import { whatsAppSender } from './whatsapp.ts';
import { whatsAppInbound } from './whatsapp-inbound.ts';
import { isFromMeta, whatsAppReports } from './whatsapp-reports.ts';
import { PREFIXES, SMS_REPORT_PATH } from './wire.ts';

type MessageConfig = Pick<
  Config,
  | 'SMTP_URL'
  | 'MAIL_FROM'
  | `WHATSAPP_${'URL' | 'VERSION' | 'PHONE_ID' | 'TOKEN' | 'TEMPLATE' | 'CODE_TEMPLATE'}`
  | `SMS_${'URL' | 'ACCOUNT' | 'TOKEN' | 'FROM'}`
  | `PUSH_${'URL' | 'PROJECT' | 'TOKEN' | 'ACCOUNT_FILE'}`
  | `TELEGRAM_${'URL' | 'BOT_TOKEN'}`
>;

/** Where simulators stand in for what is not configured; asked for at each message. */
export interface SandboxAddresses {
  url(): string;
  smtpUrl(): string;
}

/**
 * The providers that carry our messages, real where they are configured. Without the sandbox a
 * message of a channel that is not configured waits until it is.
 */
export function createMessageSenders(
  config: MessageConfig,
  sandbox?: SandboxAddresses,
  /** Where this service is reached, without a slash at the end. */
  publicUrl?: () => string,
): MessageSenders {
  const { SMTP_URL, WHATSAPP_URL, SMS_URL, PUSH_URL, TELEGRAM_URL } = config;
  const senderFor = (
    real: string | undefined,
    standIn: AddressOf | undefined,
    to: (url: AddressOf) => MessageSender,
  ) => {
    const url = real === undefined ? standIn : () => real;
    return url ? to(url) : waiting;
  };
  const under = (prefix: string) => sandbox && (() => `${sandbox.url()}${prefix}`);
  return {
    email: senderFor(SMTP_URL, sandbox?.smtpUrl, (url) =>
      mailSender({ url, from: config.MAIL_FROM }),
    ),
    whatsapp: senderFor(WHATSAPP_URL, under(PREFIXES.whatsapp), (url) =>
      whatsAppSender({
        url,
        version: config.WHATSAPP_VERSION,
        phoneId: config.WHATSAPP_PHONE_ID,
        token: config.WHATSAPP_TOKEN,
        template: config.WHATSAPP_TEMPLATE,
        codeTemplate: config.WHATSAPP_CODE_TEMPLATE,
      }),
    ),
    sms: senderFor(SMS_URL, under(PREFIXES.sms), (url) =>
      smsSender({
        url,
        account: config.SMS_ACCOUNT,
        token: config.SMS_TOKEN,
        from: config.SMS_FROM,
        reportTo: reportAddress(SMS_URL === undefined, publicUrl),
      }),
    ),
    push: senderFor(PUSH_URL, under(PREFIXES.push), (url) =>
      pushSender({ url, project: config.PUSH_PROJECT, tokens: pushTokens(config) }),
    ),
    telegram: senderFor(TELEGRAM_URL, under(PREFIXES.telegram), (url) =>
      telegramSender({ url, token: config.TELEGRAM_BOT_TOKEN }),
    ),
  };
}

/** Twilio refuses addresses that it cannot call; its simulator calls every one. */
const reportAddress =
  (isSandboxed: boolean, publicUrl: (() => string) | undefined) =>
  (messageId: string): string | undefined => {
    const here = publicUrl?.();
    if (here === undefined || !(isSandboxed || here.startsWith('https://'))) return undefined;
    return `${here}${SMS_REPORT_PATH}?message=${messageId}`;
  };

/** Twilio's reports at the address that each message names. */
export const smsWebhooks = (
  { SMS_TOKEN: token }: Pick<Config, 'SMS_TOKEN'>,
  publicUrl: () => string,
): SmsReports => ({
  isGenuine: (raw, headers, path) => isFromTwilio(token, `${publicUrl()}${path}`, raw, headers),
  read: smsReport,
});

/** Meta's webhooks of the app that owns our number. */
export const whatsAppWebhooks = ({
  WHATSAPP_APP_SECRET: secret,
  WHATSAPP_VERIFY_TOKEN: verifyToken,
}: Pick<Config, 'WHATSAPP_APP_SECRET' | 'WHATSAPP_VERIFY_TOKEN'>): MessageReports => ({
  isGenuine: (raw, headers) => isFromMeta(secret, raw, headers),
  mayRegister: (given) => verifyToken !== '' && sameSecret(given, verifyToken),
  read: whatsAppReports,
});

/** The number that stands in for the bot's, as the simulator has it. */
const SANDBOX_NUMBER = '15550000000';

type BotConfig = Parameters<typeof telegramBot>[0] &
  Pick<Config, 'WHATSAPP_APP_SECRET' | 'WHATSAPP_NUMBER' | 'WHATSAPP_URL'>;

/** Our bots, to which people write. `isSandboxed`: simulators stand in for what is not configured. */
export function chatBots(config: BotConfig, isSandboxed: boolean): ChatBots {
  const { WHATSAPP_APP_SECRET: secret, WHATSAPP_NUMBER: own, WHATSAPP_URL: url } = config;
  const number = own ?? (isSandboxed && url === undefined ? SANDBOX_NUMBER : undefined);
  return {
    telegram: telegramBot(config),
    whatsapp: {
      isGenuine: (raw, headers) => isFromMeta(secret, raw, headers),
      read: whatsAppInbound,
      link: (text) =>
        number === undefined
          ? undefined
          : `https://wa.me/${number}?text=${encodeURIComponent(text)}`,
    },
  };
}

/** Renewed where there is an account to renew them from. */
function pushTokens({ PUSH_ACCOUNT_FILE: file, PUSH_TOKEN: token }: MessageConfig): SenderTokens {
  if (file !== undefined) return accountTokens(readSenderAccount(file));
  return { get: async () => done(token), refused: () => undefined };
}

type AddressOf = () => string;
const waiting: MessageSender = async () => unknown(NOT_CONFIGURED);
