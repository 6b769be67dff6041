import { createFeatures } from '../src/app/features/features.ts';
import type { Providers } from '../src/app/providers.ts';
import { aboutApi } from '../src/app/reference/about.ts';
import { loadConfig } from '../src/kernel/config/config.ts';
import { catalogueOf } from '../src/kernel/events/catalogue.ts';
import type { Kernel } from '../src/kernel/kernel.ts';
import { describeApi, type OpenApi } from '../src/kernel/openapi/document.ts';

/**
 * The document as the service publishes it, without a database or other running parts: it is generated from
 * declarations, and only requests use the parts behind them.
 */
export function productDocument(): OpenApi {
  const config = loadConfig({});
  const kernel = { ...KERNEL, config } as unknown as Kernel;
  const providers = PROVIDERS as unknown as Providers;
  const { routes, events, words } = createFeatures(kernel, providers, nothing);
  const places = { publicUrl: 'https://archipay.example', sandboxUrl: 'https://sandbox.example' };
  return describeApi(routes, aboutApi(config, places, words), catalogueOf(events));
}

/** A proxy that answers itself for every property and call. */
const nothing: never = new Proxy(() => undefined, {
  get: (_, name) => (name === Symbol.toPrimitive ? () => '' : nothing),
  apply: () => nothing,
}) as never;

/** It has the parts that features destructure at their creation; a missing one fails at once. */
const parts = (names: string): Record<string, never> =>
  Object.fromEntries(names.split(' ').map((name) => [name, nothing]));

const KERNEL = parts(
  'clock log metrics db pool vault passwords steadyTiming tokens sessions credentials keyUsage authenticator ' +
    'quotas shares limits idempotency jobs effects inboxes sagas events presence balances publicUrl close',
);
const PROVIDERS = parts(
  'sandboxed lackingFor isConfigured messageSenders whatsAppReports smsReports cards pspA gateway exchange identity externalLogin ' +
    'partner bankLink evm cardano xrpl cctp fx model pages catalogues',
);
