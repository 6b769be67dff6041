import type { GatewayNotification } from '#providers/gateway/port.ts';

/** A feature that is paid by the gateway. */
interface PaymentTaker {
  /** Whether a reference is one of its own; those of others look different. */
  owns(reference: string): boolean;
  /** `isTrusted`: with the gateway's own token. Without it the call is only a hint. */
  receive(notification: GatewayNotification, isTrusted: boolean): Promise<void>;
}

/** Features that are paid by the gateway, whose call-backs come to one address. */
export interface IncomingPayments {
  /** Registers one, before it is paid. */
  join(taker: PaymentTaker): void;
  /** Who is paid under a reference; undefined where none of these is. */
  takerOf(reference: string): PaymentTaker | undefined;
}

export function incomingPayments(): IncomingPayments {
  const takers: PaymentTaker[] = [];
  return {
    join: (taker) => {
      takers.push(taker);
    },
    takerOf: (reference) => takers.find((taker) => taker.owns(reference)),
  };
}
