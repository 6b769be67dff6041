import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { inBatches } from '#kernel/db/in-batches.ts';
import type { DB } from '#kernel/db/schema.generated.ts';
import { done, type Outcome, unknown } from '#kernel/effects/outcome.ts';
import type { Logger } from '#kernel/log.ts';
import type { BookPage, BookWindow } from '#kernel/reconciliation/rail.ts';
import type { Destinations } from '../destinations.ts';
import type { Chain, Head } from '../port.ts';
import { ADDRESS_FORM, isXrplAddress } from './address.ts';
import { type Connection, createConnection } from './connection.ts';
import { amountText } from './currency.ts';
import { xrplDestinations } from './destinations.ts';
import {
  findXrplLedgerByReference,
  forgetXrplLedgerEnded,
  type JournalRow,
  xrplLedgerReferenceOf,
} from './journal.ts';
import { type XrplAccount, type XrplKeys, xrplKeys } from './keys.ts';
import { readOwnBalances } from './own-balances.ts';
import { type Room, readRoom } from './room.ts';
import { createXrplLedgerSender, type XrplLedgerSender } from './sender.ts';
import { prepareAccounts, readLine, type SandboxHelp, type XrplAddresses } from './setup.ts';
import { isSignedFor, type SignedText } from './signed-message.ts';
import { statementPage } from './statement.ts';
import type { TaggedAddress } from './tagged-address.ts';
import { LedgerInfo } from './wire.ts';

/** Who a payment of USDC goes to: one of the platform's, or an address. */
export interface XrplPayment {
  /** There is one payment of it, however often it is asked for. */
  readonly reference: string;
  readonly purpose: string;
  readonly from: XrplAccount;
  readonly to: XrplAccount | TaggedAddress;
  /** Millionths of a USDC. */
  readonly units: bigint;
}

/** A payment that we signed. */
export type XrplTransaction = Pick<
  JournalRow,
  'reference' | 'hash' | 'status' | 'result' | 'delivered' | 'response' | 'ledger_index'
>;

/** The XRP Ledger, as the features see it, and where nothing is sent there. */
export interface XrplNetwork extends Destinations {
  /** Its ledger is one of our own, whose coins are worth nothing. */
  readonly isOwn: boolean;
  /** Whether it answers, with the platform's accounts funded and set up, the trust line among it. */
  prepare(): Promise<Outcome<XrplAddresses>>;
  /** How much USDC an address may get, and how it has to be named; nothing without account or trust line. */
  roomOf(address: string): Promise<Outcome<Room | undefined>>;
  /** Whether a key that may sign for the account has signed the text. */
  isSignedFor(signed: SignedText): Promise<Outcome<boolean>>;
  /** In mock mode and the sandbox only: an account and a trust line, as its holder would open them. */
  openLine(address: string): Promise<Outcome<void>>;
  /** Pays once; `refused` with the ledger's code where it is in a ledger as failed. */
  pay(payment: XrplPayment): Promise<Outcome<XrplTransaction>>;
  /** `done(undefined)` where it was never signed, or certainly never happened. */
  findPayment(reference: string): Promise<Outcome<XrplTransaction | undefined>>;
  /** The hash under which it is known since it was signed, by the journal alone. */
  hashOf(reference: string): Promise<string | undefined>;
  /** The other way, also of one that has expired. */
  referenceOf(hash: string): Promise<string | undefined>;
  /**
   * What a payment of the platform's burns, in drops, by the ledger's fee of now. Accounts and trust lines of the
   * platform's own hold a reserve each, once; those of others are theirs to open.
   */
  paymentFee(): bigint;
  /** Of the platform's address, in millionths. */
  balance(): Promise<Outcome<bigint>>;
  /** What the platform's address got (positive) and paid, by the hashes of the transactions. */
  statement(window: BookWindow, after?: string): Promise<Outcome<BookPage>>;
  /** Drops what of ended payments has served its time. */
  forgetOld(): Promise<void>;
}

export interface ManagedXrpl extends XrplNetwork {
  /** What it has in common with all other chains. */
  readonly chain: Chain;
  stop(): Promise<void>;
}

export interface XrplOptions {
  readonly db: Kysely<DB>;
  readonly log: Logger;
  readonly mnemonic: string;
  /** `wss://…` of a server of the ledger. */
  url(): string;
  /** Who funds and opens accounts where the ledger is our own. */
  readonly sandbox?: SandboxHelp | undefined;
}

/** Makes no connection and loads nothing before it is used. */
export function createXrplNetwork(options: XrplOptions): ManagedXrpl {
  const { db, log, mnemonic, sandbox } = options;
  const connection = createConnection(options.url, log);
  let known: Promise<XrplKeys> | undefined;
  const keys = () => (known ??= xrplKeys(mnemonic).then(followed));
  const sender = createXrplLedgerSender({ db, connection, keys, log });
  let preparing: Promise<Outcome<XrplAddresses>> | undefined;

  function followed(all: XrplKeys): XrplKeys {
    connection.follow([all.issuer.classicAddress, all.platform.classicAddress]);
    return all;
  }

  const prepare = () => {
    preparing ??= prepareAccounts({ connection, keys, sender, sandbox, log }).then((outcome) => {
      if (outcome.kind !== 'done') preparing = undefined;
      return outcome;
    });
    return preparing;
  };

  return {
    ...xrplDestinations(keys),
    isOwn: sandbox !== undefined,
    chain: asChain(connection, keys, sandbox !== undefined),
    prepare,
    roomOf: async (address) => readRoom(connection, address, (await keys()).issuer.classicAddress),
    isSignedFor: (signed) => isSignedFor(connection, signed),
    async openLine(address) {
      if (!sandbox) return unknown('Only the sandbox opens lines for others');
      return sandbox.trust(address);
    },
    pay: (payment) => payOnce({ prepare, keys, sender }, payment),
    findPayment: (reference) => sender.find(reference),
    hashOf: async (reference) => (await findXrplLedgerByReference(db, reference))?.hash,
    referenceOf: (hash) => xrplLedgerReferenceOf(db, hash),
    paymentFee: sender.fee,
    balance: async () => readBalance(connection, await keys()),
    async statement(window, after) {
      const { issuer, platform } = await keys();
      const of = { platform: platform.classicAddress, issuer: issuer.classicAddress };
      return statementPage(connection, of, window, after);
    },
    forgetOld: () => inBatches(() => forgetXrplLedgerEnded(db)),
    stop: () => connection.close(),
  };
}

const asChain = (connection: Connection, keys: () => Promise<XrplKeys>, isOwn: boolean): Chain => ({
  key: 'xrpl',
  native: 'XRP',
  isOwn,
  addressForm: ADDRESS_FORM,
  typedAddress: async (text) => (isXrplAddress(text) ? text : undefined),
  isRunning: connection.isUsed,
  head: () => headOf(connection),
  ownBalances: async () => readOwnBalances(connection, await keys()),
});

async function headOf(connection: Connection): Promise<Outcome<Head>> {
  const told = await connection.ask(LedgerInfo, 'ledger', { ledger_index: 'validated' });
  if (!('result' in told)) return unknown('lost' in told ? told.lost : told.error);
  const { ledger_index: height, ledger } = told.result;
  return done({ height, at: new Date(ledger.close_time_iso) });
}

async function readBalance(
  connection: Connection,
  { issuer, platform }: XrplKeys,
): Promise<Outcome<bigint>> {
  const line = await readLine(connection, platform.classicAddress, issuer.classicAddress);
  return line.kind === 'done' ? done(line.value?.balance ?? 0n) : line;
}

interface Paying {
  readonly prepare: XrplNetwork['prepare'];
  readonly keys: () => Promise<XrplKeys>;
  readonly sender: XrplLedgerSender;
}

async function payOnce(
  { prepare, keys, sender }: Paying,
  { reference, purpose, from, to, units }: XrplPayment,
): Promise<Outcome<XrplTransaction>> {
  const ready = await prepare();
  if (ready.kind !== 'done') return ready;
  const { issuer, currency } = ready.value;
  const payee = typeof to === 'object' ? to : { address: (await keys())[to].classicAddress };
  const fields = {
    TransactionType: 'Payment',
    Destination: payee.address,
    ...(payee.tag !== undefined && { DestinationTag: payee.tag }),
    Amount: { currency, issuer, value: amountText(units) },
    // Our reference, as far as a ledger for everybody is told it.
    InvoiceID: createHash('sha256').update(reference).digest('hex').toUpperCase(),
  };
  const paid = await sender.send({ reference, purpose, from, fields });
  return paid.kind === 'done' ? exactly(paid.value, units) : paid;
}

/** What was delivered counts, and nothing else; ours are never partial. */
function exactly(row: JournalRow, units: bigint): Outcome<XrplTransaction> {
  if (row.delivered === units) return done(row);
  throw new Error(`${row.reference} delivered ${row.delivered} and not ${units}`);
}
