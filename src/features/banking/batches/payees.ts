import {
  type DetailDeps,
  findRecipients,
  maskedDetails,
  openRecipientDetails,
  type PaidRecipient,
  RECIPIENT_KINDS,
  type RecipientDetails,
  type RecipientKind,
  readRecipientDetails,
  recipientMarkOf,
} from '#features/banking/recipients/recipients.ts';
import {
  type Fiat,
  type FiatWallet,
  type PayeeWallet,
  payeeWallets,
} from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { Db } from '#kernel/db/db.ts';
import { AppError } from '#kernel/error.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { Currency } from '#kernel/money/amount-fields.ts';
import { keptName } from '#kernel/names.ts';
import type { BankAccount } from '#providers/gateway/port.ts';
import type { BatchQuote } from './quoted.ts';
import {
  isLeftOut,
  type RowErrors,
  type SentRecipient,
  type TypedRow,
  WrongRow,
} from './typed-rows.ts';

/** Whom a line pays. */
export interface BatchPayee {
  readonly recipient_id: string | null;
  readonly fingerprint: Buffer;
  readonly payee_name: string;
  readonly payee_detail: string;
  /** A bank account, or a wallet of the same client. */
  readonly to: { readonly bank: BankAccount } | { readonly wallet: PayeeWallet };
}

export interface PayeeDeps extends DetailDeps, Pick<Kernel, 'vault'> {}

/** The wallet that pays, of which client it is, and what arrives: by a quote another currency than the wallet's. */
export interface PayingWallet extends FiatWallet {
  readonly client_id: number;
  readonly pays: Fiat;
  readonly quote: BatchQuote | undefined;
}

/** Whom each line pays, by its number. What cannot be paid is among the errors. */
export async function payeesOf(
  deps: PayeeDeps,
  db: Db,
  { from, rows }: { readonly from: PayingWallet; readonly rows: readonly TypedRow[] },
  errors: RowErrors,
): Promise<ReadonlyMap<number, BatchPayee>> {
  const ids = rows.flatMap(({ recipient_id }) => recipient_id ?? []);
  const recipients = await findRecipients(db, from.user_id, ids);
  const wallets = await walletsNamed(deps, db, from, { rows, recipients });
  const known = { deps, db, from, recipients, wallets };
  const payees = new Map<number, BatchPayee>();
  for (const row of rows) {
    try {
      payees.set(row.line, await payeeOf(known, row));
    } catch (error) {
      for (const { field, message } of faultsOf(error)) errors.add(row.line, field, message);
    }
  }
  return payees;
}

interface Known {
  readonly deps: PayeeDeps;
  readonly db: Db;
  readonly from: PayingWallet;
  readonly recipients: ReadonlyMap<string, PaidRecipient>;
  readonly wallets: ReadonlyMap<number, PayeeWallet>;
}

/** All wallets that lines name, by one statement. */
async function walletsNamed(
  deps: PayeeDeps,
  db: Db,
  from: PayingWallet,
  { rows, recipients }: { readonly rows: readonly TypedRow[] } & Pick<Known, 'recipients'>,
): Promise<Known['wallets']> {
  const kept = [...recipients.values()].filter(({ kind }) => kind === 'wallet');
  const ids = [
    ...kept.map((one) => openRecipientDetails(deps, one)['wallet_id']),
    ...rows.map(({ recipient }) => recipient?.details?.['wallet_id']),
  ].map(Number);
  return payeeWallets(db, from.client_id, ids.filter(isWalletId));
}

const ID_MAX = 2_147_483_647;
const isWalletId = (id: number): boolean => Number.isInteger(id) && id > 0 && id <= ID_MAX;

/** Of a refusal every field that it names; anything else is no fault of the row. */
function faultsOf(error: unknown): readonly { readonly field: string; readonly message: string }[] {
  if (error instanceof WrongRow) return [error];
  if (!(error instanceof AppError)) throw error;
  const { details, code, message } = error;
  if (code === 'VALIDATION_ERROR' && Array.isArray(details))
    return (details as { field: string; message: string }[]).map((one) => ({
      field: `recipient.${one.field}`,
      message: one.message,
    }));
  return [{ field: 'recipient', message: `${code}: ${message}` }];
}

const payeeOf = (
  known: Known,
  { recipient_id, recipient }: TypedRow,
): Promise<BatchPayee> | BatchPayee =>
  recipient_id === undefined ? typedPayee(known, recipient ?? {}) : keptPayee(known, recipient_id);

function keptPayee(known: Known, recipient_id: string): BatchPayee {
  const row = known.recipients.get(recipient_id);
  if (!row) throw new WrongRow('recipient_id', 'Recipient not found');
  const { kind, currency, name, fingerprint, masked } = row;
  requirePayableKind(kind);
  requireCurrency(known.from, currency);
  const details = openRecipientDetails(known.deps, row);
  return { recipient_id, fingerprint, ...destination(known, { kind, name, details, masked }) };
}

/** A recipient that is written in the line itself. */
async function typedPayee({ deps, db, ...known }: Known, sent: SentRecipient): Promise<BatchPayee> {
  const { from } = known;
  const kind = RECIPIENT_KINDS.find((one) => one === sent.kind);
  if (kind === undefined)
    throw new WrongRow('recipient.kind', `must be one of ${RECIPIENT_KINDS.join(', ')}`);
  const name = typeof sent.name === 'string' ? keptName(sent.name) : undefined;
  if (name === undefined || [...name].length > NAME_MAX)
    throw new WrongRow('recipient.name', `must be a name of at most ${NAME_MAX} characters`);
  requirePayableKind(kind);
  const read =
    kind === 'wallet'
      ? walletDetails(sent)
      : await readRecipientDetails(deps, db, from.client_id, { ...bankRail(sent), kind });
  if (read.currency !== undefined) requireCurrency(from, read.currency);
  const { details, rail } = read;
  const currency = read.currency ?? from.pays;
  const fingerprint = recipientMarkOf(deps.vault, { rail, currency, details });
  const masked = maskedDetails(details);
  const to = destination(known, { kind, name, details, masked });
  return { recipient_id: null, fingerprint, ...to };
}

const NAME_MAX = 140;
const text = (value: unknown): string | undefined =>
  isLeftOut(value) ? undefined : String(value).trim();

const bankRail = ({ country, currency, details = {} }: SentRecipient) => {
  const given = Object.entries(details).filter(([, value]) => !isLeftOut(value));
  const in_country = text(country);
  if (in_country !== undefined && !/^[A-Za-z]{2}$/.test(in_country))
    throw new WrongRow('recipient.country', 'must be two letters, as in ISO 3166');
  return {
    ...(in_country !== undefined && { country: in_country }),
    ...(text(currency) !== undefined && { currency: text(currency) as Currency }),
    details: Object.fromEntries(given),
  };
};

function walletDetails({ currency, details = {} }: SentRecipient) {
  const wallet_id = Number(details['wallet_id']);
  if (!isWalletId(wallet_id)) throw new WrongRow('recipient.details.wallet_id', 'must be a wallet');
  return {
    rail: { kind: 'wallet', country: null, currency: undefined } as const,
    currency: text(currency) as Currency | undefined,
    details: { wallet_id },
  };
}

/** Sends on chains have flows of their own, which pay out of no wallet in currencies. */
function requirePayableKind(kind: RecipientKind): void {
  if (kind !== 'bank' && kind !== 'wallet')
    throw new WrongRow(
      'recipient',
      `RAIL_NOT_AVAILABLE: A batch pays banks and wallets, no ${kind}`,
    );
}

function requireCurrency(from: PayingWallet, currency: string): void {
  if (currency !== from.pays)
    throw new WrongRow(
      'recipient',
      `CURRENCY_MISMATCH: The recipient is paid in ${currency}, not in ${from.pays}`,
    );
}

interface Named {
  readonly kind: RecipientKind;
  readonly name: string;
  readonly details: RecipientDetails;
  readonly masked: RecipientDetails;
}

function destination(
  { wallets, from }: Pick<Known, 'wallets' | 'from'>,
  { kind, name, details, masked }: Named,
): Pick<BatchPayee, 'payee_name' | 'payee_detail' | 'to'> {
  if (kind === 'bank') {
    const bank = {
      bankCode: String(details['bank_code']),
      accountNumber: String(details['account_number']),
      accountName: name,
    };
    const payee_detail = `${masked['bank_code']} ${masked['account_number']}`;
    return { payee_name: name, payee_detail, to: { bank } };
  }
  const wallet = wallets.get(Number(details['wallet_id']));
  if (!wallet) throw new WrongRow('recipient', 'WALLET_NOT_FOUND: Wallet not found');
  requireCurrency(from, wallet.currency);
  if (wallet.wallet_id === from.wallet_id)
    throw new WrongRow('recipient', 'SAME_WALLET: The money would go to the wallet that pays');
  if (!wallet.is_active)
    throw new WrongRow('recipient', 'RECIPIENT_UNAVAILABLE: The receiver cannot receive money');
  return { payee_name: name, payee_detail: `Wallet ${wallet.wallet_id}`, to: { wallet } };
}
