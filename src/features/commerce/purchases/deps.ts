import type { ChainKey, EvmNetwork } from '#chains/evm/port.ts';
import type { Messages } from '#features/messaging/messages/messages.ts';
import type { Machine } from '#kernel/effects/saga-machine.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { Outbound } from '#kernel/outbound/outbound.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';
import type { LanguageModel } from '#providers/language-model/port.ts';

/** What the steps of a purchase that move money stand on. There is no language model among it. */
export interface OrderDeps
  extends Pick<Kernel, 'db' | 'clock' | 'config' | 'log' | 'vault' | 'sagas'> {
  readonly evm: EvmNetwork;
  readonly fx: ExchangeRates;
  readonly messages: Pick<Messages, 'send'>;
}

export interface PurchaseDeps extends OrderDeps, Pick<Kernel, 'quotas' | 'shares'> {
  /** Fetches the pages that callers name. */
  readonly pages: Pick<Outbound, 'get' | 'refusal'>;
  readonly model: Pick<LanguageModel, 'propose' | 'say'>;
}

/** What a flow has of its order: the rest is in the order's row. */
export interface PurchaseSetup {
  readonly order_id: string;
}

export interface OrderRouteDeps extends OrderDeps {
  readonly machine: Machine<PurchaseSetup>;
  /** Of orders of the first version. */
  readonly home: ChainKey;
}

/** What an order is made with: the page of its product may be read again. */
export interface NewOrderDeps
  extends OrderRouteDeps,
    Pick<PurchaseDeps, 'pages' | 'quotas' | 'shares'> {}
