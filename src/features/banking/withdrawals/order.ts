import type { FiatWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import type { Market } from '#kernel/money/cost.ts';
import type { Money } from '#kernel/money/money.ts';

export interface WithdrawalOrder {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
  /** A repetition of the request has the same. */
  readonly operation: string;
  readonly wallet_id: number;
  readonly body: {
    readonly amount: string;
    readonly recipient_id: string;
    readonly note?: string | undefined;
    readonly execute_at?: string | undefined;
    readonly quote_id?: string | undefined;
  };
}

/** What was read before the transaction. The wallet is the caller's own, or one of a user of the admin's client. */
export interface ReadOrder extends WithdrawalOrder {
  readonly wallet: FiatWallet;
  readonly client_id: number;
  readonly amount: Money<FiatWallet['currency']>;
  readonly market: Market | undefined;
}
