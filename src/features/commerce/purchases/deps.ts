import type { ChainKey, EvmNetwork } from '#chains/evm/port.ts';
import type { Messages } from '#features/messaging/messages/messages.ts';
import type { Machine } from '#kernel/effects/saga-machine.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';
import type { LanguageModel } from '#providers/language-model/port.ts';
import type { ShopPages } from '#providers/shop/port.ts';

/** The dependencies of the steps that move money: without a language model. */
export interface OrderDeps
  extends Pick<Kernel, 'db' | 'clock' | 'config' | 'log' | 'vault' | 'sagas'> {
  readonly evm: EvmNetwork;
  readonly fx: ExchangeRates;
  readonly messages: Pick<Messages, 'send'>;
}

export interface PurchaseDeps extends OrderDeps, Pick<Kernel, 'quotas' | 'shares'> {
  readonly pages: ShopPages;
  readonly model: Pick<LanguageModel, 'propose' | 'say'>;
}

/** A flow's own data: the rest is in the order's row. */
export interface PurchaseSetup {
  readonly order_id: string;
}

export interface OrderRouteDeps extends OrderDeps {
  readonly machine: Machine<PurchaseSetup>;
  /** Of orders of the first version. */
  readonly home: ChainKey;
}

/** For a new order, which may read the page of its product again. */
export interface NewOrderDeps
  extends OrderRouteDeps,
    Pick<PurchaseDeps, 'pages' | 'quotas' | 'shares'> {}
