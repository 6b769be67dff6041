import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Cardano } from '#chains/cardano/port.ts';
import { checkDestination, type Destinations } from '#chains/destinations.ts';
import { type EvmNetwork, typedEvmAddress } from '#chains/evm/port.ts';
import { isXrplAddress, type XrplNetwork } from '#chains/xrpl/port.ts';
import { findFiatWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail, wrongField } from '#kernel/error.ts';
import type { Currency } from '#kernel/money/amount-fields.ts';
import { hostAccountFault } from '#providers/bank-host/port.ts';
import {
  type RailInput,
  type RecipientRail,
  recipientRailOf,
  requirementsOf,
} from './requirements.ts';

export interface DetailDeps {
  readonly evm: Pick<EvmNetwork, 'forbids'>;
  readonly xrpl: Pick<XrplNetwork, 'forbids'>;
  readonly cardano: Pick<Cardano, 'typedAddress' | 'forbids'>;
}

/** What identifies an account or address, by its rail. */
export type RecipientDetails = Readonly<Record<string, string | number>>;

/** Details that a recipient may have, in the form in which they are kept and compared. */
export interface ReadDetails {
  readonly rail: RecipientRail;
  readonly currency: Currency;
  readonly details: RecipientDetails;
}

/** Checks details by the schema of their rail, then what no schema can say. Throws VALIDATION_ERROR and others. */
export async function readRecipientDetails(
  deps: DetailDeps,
  db: Db,
  client_id: number,
  { details: sent, ...of }: RailInput & { readonly details: object },
): Promise<ReadDetails> {
  const rail = recipientRailOf(of);
  const typed = inCapitals(rail, sent);
  requireSchema(rail, typed);
  const { wallet_id } = typed;
  const currency =
    rail.kind === 'wallet'
      ? await currencyOfWallet(db, client_id, Number(wallet_id), rail.currency)
      : rail.currency;
  return { rail, currency, details: await plain(deps, rail, typed) };
}

const inCapitals = (rail: RecipientRail, sent: object): RecipientDetails =>
  Object.fromEntries(
    Object.entries(sent)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([field, value]) => {
        if (typeof value !== 'string') return [field, value];
        const text = value.trim();
        return [field, rail.kind === 'bank' && field === 'bank_code' ? text.toUpperCase() : text];
      }),
  );

const ajv = new Ajv2020({ allErrors: true, strict: false });
const compiled = new Map<string, ValidateFunction>();

function requireSchema(rail: RecipientRail, details: RecipientDetails): void {
  const schema = requirementsOf(rail);
  const validate = compiled.get(schema.title) ?? ajv.compile(schema);
  compiled.set(schema.title, validate);
  if (validate(details)) return;
  const faults = (validate.errors ?? []).map(({ instancePath, keyword, params, message }) => {
    const { missingProperty, additionalProperty } = params as Record<string, string | undefined>;
    const name = missingProperty ?? additionalProperty ?? instancePath.slice(1);
    return { field: `details.${name}`, message: WORDS[keyword] ?? String(message) };
  });
  const known = new Map(faults.toReversed().map((fault) => [fault.field, fault]));
  const all = [...known.values()].toReversed();
  throw fail(
    'VALIDATION_ERROR',
    all.map(({ field, message }) => `${field} ${message}`).join('; '),
    {
      details: all,
      hint: 'Read the schema of these details: GET /recipients/requirements.',
    },
  );
}

const WORDS: Readonly<Record<string, string>> = {
  required: 'is required',
  additionalProperties: 'is not known',
  oneOf: 'is none of the list',
  const: 'is none of the list',
  pattern: 'has another form than the requirements name',
};

/** As banks and chains write them, so that the same account is found again. */
async function plain(
  deps: DetailDeps,
  rail: RecipientRail,
  details: RecipientDetails,
): Promise<RecipientDetails> {
  if (rail.kind === 'wallet') return details;
  if (rail.kind === 'bank') return plainAccountOf(rail, details);
  const typed = String(details['address']);
  const address = await addressOf(deps, rail.kind, typed);
  if (address === undefined)
    throw wrongField('details.address', 'is no address of this network, or mistyped');
  const forbidding: Pick<Destinations, 'forbids'> = deps[rail.kind];
  await checkDestination(forbidding, address, { field: 'details.address' });
  return { ...details, address };
}

function plainAccountOf(
  { currency }: Extract<RecipientRail, { kind: 'bank' }>,
  details: RecipientDetails,
): RecipientDetails {
  const [bankCode, accountNumber] = [
    String(details['bank_code']),
    String(details['account_number']).replace(/[\s-]/g, ''),
  ];
  if (currency !== 'IDR' && hostAccountFault(currency, { bankCode, accountNumber }) === 'bankCode')
    throw wrongField('details.bank_code', 'is mistyped: its check digit is wrong');
  return { ...details, account_number: accountNumber };
}

async function addressOf(
  { cardano }: DetailDeps,
  kind: 'evm' | 'xrpl' | 'cardano',
  typed: string,
): Promise<string | undefined> {
  // Mock mode takes a wrong checksum elsewhere; who is paid is always checked.
  if (kind === 'evm') return typedEvmAddress(typed, { MOCK_MODE: false });
  if (kind === 'xrpl') return isXrplAddress(typed) ? typed : undefined;
  return cardano.typedAddress(typed);
}

async function currencyOfWallet(
  db: Db,
  client_id: number,
  wallet_id: number,
  currency: Currency | undefined,
): Promise<Currency> {
  const wallet = await findFiatWallet(db, { client_id }, wallet_id);
  if (!wallet) throw fail('WALLET_NOT_FOUND', 'Wallet not found');
  if (currency !== undefined && currency !== wallet.currency)
    throw fail('CURRENCY_MISMATCH', `The wallet is in ${wallet.currency}, not in ${currency}`);
  return wallet.currency;
}

/** As they are shown: an account number by its last digits. */
export const maskedDetails = (details: RecipientDetails): RecipientDetails =>
  'account_number' in details
    ? { ...details, account_number: `****${String(details['account_number']).slice(-4)}` }
    : details;
