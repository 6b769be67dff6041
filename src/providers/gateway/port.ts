import type { BookPage, BookWindow } from '#kernel/reconciliation/rail.ts';
import type { Outcome } from '../../kernel/provider-call.ts';

export const PAYMENT_METHODS = ['QRIS', 'VA', 'EWALLET'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

/** A payment that we request. */
export interface PaymentRequest {
  /** Ours; a repeated request makes no second payment. */
  readonly reference: string;
  /** In units of IDR (1/100 rupiah), fee included. Whole rupiah: cents are refused. */
  readonly units: bigint;
  readonly method: PaymentMethod;
  /** The payment ends then; later money is a `PaymentReceipt`. */
  readonly expiresAt: Date;
  /** For the payer, such as the name of the order. */
  readonly description: string;
  /** A person pays it, in mock mode too, where others are settled as they are asked for. */
  readonly waits?: true;
}

export interface GatewayPayment {
  /** The gateway's id. */
  readonly id: string;
  readonly reference: string;
  readonly status: 'PENDING' | 'PAID' | 'EXPIRED';
  /** The price, and once it is PAID the paid amount: in units of IDR. */
  readonly units: bigint;
  /** The page on which a person pays. */
  readonly paymentUrl: string;
  /** Virtual accounts to which it can be transferred instead, where the gateway names them. */
  readonly accounts?: readonly BankAccount[];
}

/** Received money, also too much, too late or twice. */
export interface PaymentReceipt {
  /** The gateway's id of the payment; the `GatewayPayment.id` of the one that it paid. */
  readonly id: string;
  /** Its line in the statement. */
  readonly line: string;
  /** In units of IDR. */
  readonly units: bigint;
  readonly at: Date;
}

/** The payee of a pay-out. */
export interface BankAccount {
  /** The gateway's code of the bank, such as `BCA`. */
  readonly bankCode: string;
  readonly accountNumber: string;
  readonly accountName: string;
}

/** In whose name an account is; or that the bank has no such account, or does not tell. */
export type AccountHolder = { readonly name: string } | 'no-account' | 'undisclosed';

/** Indonesian banks by the gateway's codes, as it publishes them. */
export const GATEWAY_BANKS: Readonly<Record<string, string>> = {
  ALLO: 'Allo Bank Indonesia',
  BCA: 'Bank Central Asia',
  BCA_DIGITAL: 'Bank Digital BCA',
  BJB: 'Bank Jabar Banten',
  BNC: 'Bank Neo Commerce',
  BNI: 'Bank Negara Indonesia',
  BRI: 'Bank Rakyat Indonesia',
  BSI: 'Bank Syariah Indonesia',
  BTN: 'Bank Tabungan Negara',
  BTPN: 'Bank BTPN',
  BUKOPIN: 'Bank KB Bukopin',
  CIMB: 'Bank CIMB Niaga',
  CITIBANK: 'Citibank',
  DANAMON: 'Bank Danamon',
  DBS: 'Bank DBS Indonesia',
  DKI: 'Bank DKI',
  HSBC: 'Bank HSBC Indonesia',
  JAGO: 'Bank Jago',
  MANDIRI: 'Bank Mandiri',
  MAYBANK: 'Bank Maybank Indonesia',
  MEGA: 'Bank Mega',
  MUAMALAT: 'Bank Muamalat Indonesia',
  OCBC: 'Bank OCBC NISP',
  PANIN: 'Bank Panin',
  PERMATA: 'Bank Permata',
  SEABANK: 'SeaBank Indonesia',
  SINARMAS: 'Bank Sinarmas',
  STANDARD_CHARTERED: 'Standard Chartered Bank',
  UOB: 'Bank UOB Indonesia',
};

/** A transfer to a bank account that we request. */
export interface PayoutRequest {
  /** Ours; a repeated request makes no second pay-out. */
  readonly reference: string;
  /** The arriving amount in units of IDR (1/100 rupiah). Whole rupiah: cents are refused. */
  readonly units: bigint;
  readonly to: BankAccount;
  readonly description: string;
}

export interface Payout {
  /** The gateway's id. */
  readonly id: string;
  readonly reference: string;
  /** A bank may return money: FAILED may follow COMPLETED. */
  readonly status: 'PENDING' | 'COMPLETED' | 'FAILED';
  /** In units of IDR. */
  readonly units: bigint;
  /** Why it failed, by the gateway's own code. */
  readonly failureCode?: string;
}

/** A call-back about a payment or a pay-out: a hint, until the gateway confirms it. */
export interface GatewayNotification<S extends string = string> {
  /** The sender's id of the notification: a repetition has the same. */
  readonly event: string;
  /** Ours; the gateway's id (`GatewayPayment.id`, `Payout.id`) where it does not send ours. */
  readonly reference: string;
  /** In our words. */
  readonly status: S;
}

/** Settles payments and pay-outs by a caller's word, where their state allows it. */
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
 * repeated under its reference, and its state looked up by it; `id` is the gateway's own of a
 * payment where the caller knows it, for a gateway that does not keep our reference well.
 */
export interface Gateway extends BankTransfers {
  createPayment(request: PaymentRequest): Promise<Outcome<GatewayPayment>>;
  /** `done(undefined)` when the gateway knows none of that reference. */
  findPayment(reference: string, id?: string): Promise<Outcome<GatewayPayment | undefined>>;
  /** All money that has come in under the reference, the earliest first. */
  receipts(reference: string, id?: string): Promise<Outcome<readonly PaymentReceipt[]>>;
  /** Ends the payment, and returns its state: PAID when a payer was faster. */
  expirePayment(reference: string, id?: string): Promise<Outcome<GatewayPayment>>;
  /** In whose name an account is: a question, which may be asked again. */
  holderOf(account: BankAccount): Promise<Outcome<AccountHolder>>;
  /** The balance that it holds for us, in units of IDR; below zero it has lent us money. */
  balance(): Promise<Outcome<bigint>>;
  /**
   * Its books: kinds `payment` (positive) and `payout` (negative), by our references, at the time at
   * which the money moved.
   */
  statement(window: BookWindow, after?: string): Promise<Outcome<BookPage>>;
  /** Mock mode alone: calls no gateway, and settles requests at once. */
  readonly offline?: Offline;
  /** Whether the raw call-back carries the gateway's own token. Without one it is only a hint. */
  isGenuine(headers: Readonly<Record<string, unknown>>): boolean;
  /** The notification of a call-back; undefined for an unknown body. */
  readPaymentNotification(body: unknown): GatewayNotification<GatewayPayment['status']> | undefined;
  readPayoutNotification(body: unknown): GatewayNotification<Payout['status']> | undefined;
}
