import type { GatewayPayment, PaymentReceipt } from '#providers/gateway/port.ts';

/** The data of a try's flow; its id is the payment's, by which the gateway knows it too. */
export interface Try {
  readonly expiresAt: string;
  /** It was called off, not overdue. */
  readonly isCancelled?: boolean;
  /** Why the gateway does not take it. */
  readonly failure?: string;
}

/** The gateway's answer about a try: its payment, and all money that has come in for it. */
export interface GatewayMoney {
  readonly payment: GatewayPayment | undefined;
  readonly receipts: readonly PaymentReceipt[];
}
