import type { ProviderSetup } from '../provider.ts';
import type { Channel } from './port.ts';

export const messageProviders: ProviderSetup<Channel> = {
  needs: {
    email: ['SMTP_URL'],
    whatsapp: ['WHATSAPP_URL', 'WHATSAPP_PHONE_ID', 'WHATSAPP_TOKEN'],
    sms: ['SMS_URL', 'SMS_ACCOUNT', 'SMS_TOKEN'],
    push: ['PUSH_URL', 'PUSH_PROJECT', 'PUSH_TOKEN'],
    telegram: [
      'TELEGRAM_URL',
      'TELEGRAM_BOT_TOKEN',
      'TELEGRAM_BOT_NAME',
      'TELEGRAM_WEBHOOK_SECRET',
    ],
  },
  // Tokens for pushes are made from an account, where there is one.
  alternatives: { PUSH_TOKEN: 'PUSH_ACCOUNT_FILE' },
};
