import type { Config } from '#kernel/config/config.ts';
import type { Simulator } from '#sandbox/simulator.ts';
import { mailSink } from './mail-sink.ts';
import { pushSimulator } from './push-simulator.ts';
import { smsSimulator } from './sms-simulator.ts';
import { whatsAppSimulator } from './whatsapp-simulator.ts';

type MessageConfig = Parameters<typeof whatsAppSimulator>[0] &
  Parameters<typeof smsSimulator>[0] &
  Parameters<typeof pushSimulator>[0] &
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
    simulators: [mail, whatsAppSimulator(config), smsSimulator(config), pushSimulator(config)],
    smtpUrl: mail.url,
  };
}
