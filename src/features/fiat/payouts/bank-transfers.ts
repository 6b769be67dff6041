import { done, type Outcome } from '#kernel/effects/outcome.ts';
import type { BankHost, HostPaymentState } from '#providers/bank-host/port.ts';
import type { BankTransfers, Payout, PayoutRequest } from '#providers/gateway/port.ts';
import type { PayoutAsset } from './currencies.ts';

/** A pay-out that a flow requests, in units of its currency. */
export interface PayoutOrder extends PayoutRequest {
  readonly asset: PayoutAsset;
}

/** A provider's state of a pay-out; without units where it does not say how much it pays. */
export type KnownState = Omit<Payout, 'units'> & Partial<Pick<Payout, 'units'>>;

/** Makes transfers to bank accounts in one currency. */
export interface CurrencyTransfers {
  createPayout(order: PayoutOrder): Promise<Outcome<KnownState>>;
  findPayout(reference: string): Promise<Outcome<KnownState | undefined>>;
}

export interface Banks {
  readonly gateway: BankTransfers;
  readonly bankHost?: Pick<BankHost, 'createPayment' | 'findPayment'>;
}

/** Who transfers that currency: rupiah the gateway, or an issuer in its place; all others the bank host. */
export function transfersOf(
  { gateway, bankHost }: Banks,
  asset: string,
  issuer: BankTransfers | undefined,
): CurrencyTransfers {
  if (asset === 'IDR') return issuer ?? gateway;
  if (bankHost === undefined) throw new Error(`No provider pays banks in ${asset}`);
  return {
    async createPayout({ asset: currency, ...order }) {
      if (currency === 'IDR') throw new Error(`${order.reference} is in rupiah`);
      const { reference, units, to, description } = order;
      const made = await bankHost.createPayment({
        reference,
        money: { asset: currency, units },
        to,
        description,
      });
      return made.kind === 'done' ? done(stateOf(made.value)) : made;
    },
    async findPayout(reference) {
      const found = await bankHost.findPayment(reference);
      return found.kind === 'done' ? done(found.value && stateOf(found.value)) : found;
    },
  };
}

/** A refused payment has no id at the bank: its own name stands for it. */
const stateOf = ({ id, ...state }: HostPaymentState): KnownState => ({
  ...state,
  id: id === '' ? state.reference : id,
});
