import { xrplFamily } from '#chains/xrpl/family.ts';
import type { BridgeLegs } from '#features/chain-wallets/crosschain/crosschain.ts';
import { createBridge } from '#features/ramps/bridge/bridge.ts';
import { cardanoFarLedger, createCardano } from '#features/ramps/cardano/cardano.ts';
import { createConversions } from '#features/ramps/conversions/conversions.ts';
import { createExchangeWallets } from '#features/ramps/exchange-wallets/exchange-wallets.ts';
import { createIdrToken, payoutAccountOf } from '#features/ramps/idr-token/idr-token.ts';
import type { FarLedger } from '#features/ramps/ramp/ramp.ts';
import { createXrpl, xrplFarLedger } from '#features/ramps/xrpl/xrpl.ts';
import type { Config } from '#kernel/config/config.ts';
import type { Feature } from '#kernel/feature.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { Providers } from '../providers.ts';
import type { FiatParts } from './fiat.ts';

/** Between money in currencies and tokens on chains. */
export function rampFeatures(
  kernel: Kernel,
  providers: Providers,
  { cardMoney, payouts, legs }: FiatParts & { readonly legs: BridgeLegs },
): Feature[] {
  const { cardano, evm, exchange, fx, gateway, tokenVendor } = providers;
  const idrToken = createIdrToken({ ...kernel, evm, fx, gateway, tokenVendor, payouts });
  return [
    idrToken,
    createExchangeWallets({ ...kernel, evm }),
    createConversions({
      ...kernel,
      gateway,
      exchange,
      evm,
      fx,
      payouts,
      isExchangeReady: providers.isConfigured('exchange'),
      payments: idrToken.paid,
    }),
    createCardano({ ...kernel, fx, cardano, payouts, payoutAccountOf, cards: cardMoney.pulls }),
    createXrpl({ ...kernel, ...providers, payouts }),
    createBridge({
      ...kernel,
      evm,
      fx,
      legs,
      ledgers: farLedgers(kernel.config, providers),
    }),
  ];
}

/** Chains without contracts of ours, as the bridge sees them. */
export function farLedgers(
  config: Config,
  { cardano, xrpl }: Pick<Providers, 'cardano' | 'xrpl'>,
): readonly FarLedger[] {
  const isReady = xrplFamily.statuses(config).xrpl.state !== 'not configured';
  return [cardanoFarLedger(cardano), xrplFarLedger({ xrpl, config, isReady })];
}
