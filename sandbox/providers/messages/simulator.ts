import type { Config } from '#kernel/config/config.ts';
import type { Simulator } from '#sandbox/simulator.ts';
import { mailSink } from './mail-sink.ts';
import { pushSimulator } from './push-simulator.ts';
import { smsSimulator } from './sms-simulator.ts';
import { socialControls } from './social-controls.ts';
import type { TelegramConfig } from './telegram-methods.ts';
import { pressOnTelegram, telegramSimulator, writeOnTelegram } from './telegram-simulator.ts';
import { pressOnWhatsApp, writeOnWhatsApp } from './whatsapp-people.ts';
import { whatsAppSimulator } from './whatsapp-simulator.ts';

type MessageConfig = Parameters<typeof whatsAppSimulator>[0] &
  Parameters<typeof smsSimulator>[0] &
  Parameters<typeof pushSimulator>[0] &
  TelegramConfig &
  Pick<Config, 'SANDBOX_HOST' | 'SANDBOX_SMTP_PORT'>;

export interface MessageSimulators {
  readonly simulators: readonly Simulator[];
  /** Where the mail server listens, here or in another process of ours. */
  smtpUrl(): string;
}

/** Everybody who carries our messages; what they take is at `GET /messages`. */
export function messageSimulators(config: MessageConfig): MessageSimulators {
  const mail = mailSink({ host: config.SANDBOX_HOST, port: config.SANDBOX_SMTP_PORT });
  return {
    simulators: [
      mail,
      whatsAppSimulator(config),
      smsSimulator(config),
      pushSimulator(config),
      telegramSimulator(config),
      socialControls({
        telegram: {
          write: (world, written) => writeOnTelegram(world, config, written),
          press: (world, pressed) => pressOnTelegram(world, config, pressed),
        },
        whatsapp: {
          write: (world, written) => writeOnWhatsApp(world, config, written),
          press: (world, pressed) => pressOnWhatsApp(world, config, pressed),
        },
      }),
    ],
    smtpUrl: mail.url,
  };
}
