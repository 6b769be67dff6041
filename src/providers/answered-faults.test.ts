import { beforeEach, describe, expect, test } from 'vitest';
import { loadConfig } from '#kernel/config/config.ts';
import type { Outcome } from '#kernel/effects/outcome.ts';
import { hearingWaits } from '#kernel/retry-after.ts';
import { exchangeSimulator } from '#sandbox/providers/exchange/simulator.ts';
import { fxSimulator } from '#sandbox/providers/fx/simulator.ts';
import { xenditSimulator } from '#sandbox/providers/gateway/xendit-simulator.ts';
import { messageSimulators } from '#sandbox/providers/messages/simulator.ts';
import { partnerSimulator } from '#sandbox/providers/partner/simulator.ts';
import { testSandbox } from '#test/sandbox.ts';
import { exchangeAdapter } from './exchange/adapter.ts';
import { exchangeRates } from './fx/adapter.ts';
import { xendit } from './gateway/xendit.ts';
import { createMessageSenders } from './messages/adapter.ts';
import { partnerProvider } from './partner/adapter.ts';

const config = loadConfig({ NODE_ENV: 'test', SANDBOX_SMTP_PORT: '0' });
const mail = messageSimulators(config);
const { url, clock, control } = await testSandbox(
  ...mail.simulators,
  partnerSimulator(config),
  exchangeSimulator(config, {}),
  xenditSimulator(config),
  fxSimulator(),
);
const senders = createMessageSenders(config, { url: () => url, smtpUrl: mail.smtpUrl });
const message = { id: 'm', at: clock.now(), to: '+6281200001111', text: 'Code: 1' };
const at = (prefix: string) => () => `${url}${prefix}`;
const person = { type: 'individual', name: 'Ana', email: 'ana@example.com' } as const;
const payment = {
  reference: 'MINT-1',
  units: 2_500_000n,
  method: 'QRIS',
  expiresAt: new Date(clock.now().getTime() + 86_400_000),
  description: 'Order 1',
} as const;

const partner = partnerProvider({ url: at('/partner'), apiKey: config.PARTNER_API_KEY, clock });
const shop = exchangeAdapter({
  id: 'tokocrypto',
  url: at('/exchange'),
  key: config.EXCHANGE_KEY,
  secret: config.EXCHANGE_SECRET,
  clock,
  isLimited: false,
});
const { GATEWAY_KEY: key, GATEWAY_CALLBACK_TOKEN: callbackToken } = config;
const gateway = xendit({ url: at('/gateway'), key, callbackToken, clock });
const rates = exchangeRates({ url: at('/fx'), key: '', maxAgeMs: 0, clock });

/** Calls of adapters, each to be made again later whatever the provider's door says. */
const CALLS: readonly (readonly [string, () => Promise<Outcome<unknown>>])[] = [
  ['whatsapp', () => senders.whatsapp(message)],
  ['sms', () => senders.sms(message)],
  ['push', () => senders.push({ ...message, to: 'device' })],
  ['partner', () => partner.createCustomer({ ...person, idempotencyKey: crypto.randomUUID() })],
  ['exchange', () => shop.balances()],
  ['gateway', () => gateway.createPayment(payment)],
  ['fx', () => rates.rate('IDR', 'USD')],
];

beforeEach(async () => {
  await shop.balances();
  await control('DELETE /faults');
});

/** What nobody books as final: a refusal at the partner's door is tried again by its feature. */
const LATER = ['RATE_LIMITED', 'UNAUTHORIZED'];
const isOpen = (outcome: Outcome<unknown>): boolean =>
  outcome.kind === 'unknown' || (outcome.kind === 'refused' && LATER.includes(outcome.code));

describe.each(CALLS)('%s', (provider, call) => {
  const meet = async (fault: object) => {
    await control('POST /faults', { provider, times: 10, ...fault });
    const run = hearingWaits(call);
    return { outcome: await run.ended, waitMs: run.waitMs() };
  };

  test('that throttles is left alone for as long as it says', async () => {
    const { outcome, waitMs } = await meet({ kind: 'throttle', retry_after: 90 });
    expect(isOpen(outcome)).toBe(true);
    expect(waitMs).toBe(90_000);
  });

  test.each(['throttle', 'unauthorized', 'forbidden', 'maintenance', 'html', 'other-shape'])(
    'that answers by %s has not refused for good',
    async (kind) => {
      const { outcome } = await meet({ kind });
      expect(isOpen(outcome)).toBe(true);
    },
  );
});
