import type { BookPage, BookWindow } from '#kernel/reconciliation/rail.ts';
import type { Outcome } from '../../kernel/provider-call.ts';

export const PAYMENT_METHODS = ['QRIS', 'VA', 'EWALLET'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

/** Money that somebody is to pay us. */
export interface PaymentRequest {
  /** Ours; there is one payment of it, however often it is asked for. */
  readonly reference: string;
  /** In units of IDR (1/100 rupiah): what the payer pays, fee included. Whole rupiah: cents are refused. */
  readonly units: bigint;
  readonly method: PaymentMethod;
  /** From then on it is over; money that comes later all the same is a `PaymentReceipt`. */
  readonly expiresAt: Date;
  /** For the payer, such as the name of the order. */
  readonly description: string;
}

export interface GatewayPayment {
  /** The gateway's name of it. */
  readonly id: string;
  readonly reference: string;
  readonly status: 'PENDING' | 'PAID' | 'EXPIRED';
  /** What is to be paid, and once it is PAID what was: in units of IDR. */
  readonly units: bigint;
  /** The page on which a person pays. */
  readonly paymentUrl: string;
}

/** Money that has come in, whatever was asked for: too much, too late, twice. */
export interface PaymentReceipt {
  /** The gateway's name of the payment; of the one that ended a `Payment` that one's. */
  readonly id: string;
  /** As its statement names it. */
  readonly line: string;
  /** In units of IDR. */
  readonly units: bigint;
  readonly at: Date;
}

/** Where a pay-out goes. */
export interface BankAccount {
  /** The gateway's code of the bank, such as `BCA`. */
  readonly bankCode: string;
  readonly accountNumber: string;
  readonly accountName: string;
}

/** Money that we send to a bank account. */
export interface PayoutRequest {
  /** Ours; there is one pay-out of it, however often it is asked for. */
  readonly reference: string;
  /** In units of IDR (1/100 rupiah): what arrives. Whole rupiah: cents are refused. */
  readonly units: bigint;
  readonly to: BankAccount;
  readonly description: string;
}

export interface Payout {
  /** The gateway's name of it. */
  readonly id: string;
  readonly reference: string;
  /** A bank may send money back: FAILED may follow COMPLETED. */
  readonly status: 'PENDING' | 'COMPLETED' | 'FAILED';
  /** In units of IDR. */
  readonly units: bigint;
  /** Why it failed, by the gateway's own code. */
  readonly failureCode?: string;
}

/** What a call-back says of a payment or a pay-out; a hint, until the gateway was asked. */
export interface GatewayNotification<S extends string = string> {
  /** The sender's name for this piece of news: the same again is the same news. */
  readonly event: string;
  /** Ours; the gateway's own name (`Payment.id`, `Payout.id`) where it does not tell ours. */
  readonly reference: string;
  /** In our words. */
  readonly status: S;
}

/** What a caller says of a payment or pay-out comes true, where it can; what it cannot be it is not. */
export interface Offline {
  simulatePayment(reference: string, status: GatewayPayment['status']): Promise<void>;
  simulatePayout(reference: string, status: Payout['status']): Promise<void>;
}

/** Makes transfers to bank accounts. */
export interface BankTransfers {
  createPayout(request: PayoutRequest): Promise<Outcome<Payout>>;
  /** `done(undefined)` when it knows none of that reference. */
  findPayout(reference: string): Promise<Outcome<Payout | undefined>>;
}

/**
 * Takes payments and makes pay-outs in rupiah. Refusals carry the gateway's own code. Every call may be
 * repeated under its reference, and what became of it may be looked up by it; `id` is the gateway's name of a
 * payment where the caller knows it, for a gateway that does not keep our reference well.
 */
export interface Gateway extends BankTransfers {
  createPayment(request: PaymentRequest): Promise<Outcome<GatewayPayment>>;
  /** `done(undefined)` when the gateway knows none of that reference. */
  findPayment(reference: string, id?: string): Promise<Outcome<GatewayPayment | undefined>>;
  /** All money that has come in under the reference, the earliest first. */
  receipts(reference: string, id?: string): Promise<Outcome<readonly PaymentReceipt[]>>;
  /** No payer can pay it afterwards. Answers what it is then: PAID when a payer was faster. */
  expirePayment(reference: string, id?: string): Promise<Outcome<GatewayPayment>>;
  /** What it holds for us, in units of IDR; below zero it has lent us money. */
  balance(): Promise<Outcome<bigint>>;
  /**
   * Its books: kinds `payment` (positive) and `payout` (negative), by our references, at the time at
   * which the money moved.
   */
  statement(window: BookWindow, after?: string): Promise<Outcome<BookPage>>;
  /** Of mock mode alone: no gateway is called, and what is asked for is settled at once. */
  readonly offline?: Offline;
  /** Whether the raw call-back carries the gateway's own token. Without one it is only a hint. */
  isGenuine(headers: Readonly<Record<string, unknown>>): boolean;
  /** What a call-back says; undefined when it says nothing that we know. */
  readPaymentNotification(body: unknown): GatewayNotification<GatewayPayment['status']> | undefined;
  readPayoutNotification(body: unknown): GatewayNotification<Payout['status']> | undefined;
}
