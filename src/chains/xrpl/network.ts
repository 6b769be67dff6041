import type { Kysely } from 'kysely';
import type { DB } from '#kernel/db/schema.generated.ts';
import { done, type Outcome, unknown } from '#kernel/effects/outcome.ts';
import type { Logger } from '#kernel/log.ts';
import type { BookPage, BookWindow } from '#kernel/reconciliation/rail.ts';
import { createConnection } from './connection.ts';
import { amountText } from './currency.ts';
import { findByReference, type JournalRow } from './journal.ts';
import { type XrplAccount, type XrplKeys, xrplKeys } from './keys.ts';
import { createSender } from './sender.ts';
import { prepareAccounts, readAccount, readLine, type SandboxHelp } from './setup.ts';
import { statementPage } from './statement.ts';

/** Who a payment of USDC goes to: one of the platform's, or an address. */
export interface XrplPayment {
  /** There is one payment of it, however often it is asked for. */
  readonly reference: string;
  readonly purpose: string;
  readonly from: XrplAccount;
  readonly to: XrplAccount | { readonly address: string };
  /** Millionths of a USDC. */
  readonly units: bigint;
}

/** A payment that we signed. */
export type XrplTransaction = Pick<
  JournalRow,
  'reference' | 'hash' | 'status' | 'result' | 'delivered' | 'response' | 'ledger_index'
>;

export interface XrplAddresses {
  readonly issuer: string;
  readonly platform: string;
  /** As the ledger has it: 160 bits in hex. */
  readonly currency: string;
}

/** How much USDC an address may still get; nothing where it has no account or no trust line. */
export interface Room {
  readonly units: bigint;
}

/** The XRP Ledger, as the features see it. */
export interface XrplNetwork {
  /** Whether it answers, with the platform's accounts funded and set up, the trust line among it. */
  prepare(): Promise<Outcome<XrplAddresses>>;
  roomOf(address: string): Promise<Outcome<Room | undefined>>;
  /** In mock mode and the sandbox only: an account and a trust line, as its holder would open them. */
  openLine(address: string): Promise<Outcome<void>>;
  /** Pays once; `refused` with the ledger's code where it is in a ledger as failed. */
  pay(payment: XrplPayment): Promise<Outcome<XrplTransaction>>;
  /** `done(undefined)` where it was never signed, or certainly never happened. */
  findPayment(reference: string): Promise<Outcome<XrplTransaction | undefined>>;
  /** The hash under which it is known since it was signed, by the journal alone. */
  hashOf(reference: string): Promise<string | undefined>;
  /** Of the platform's address, in millionths. */
  balance(): Promise<Outcome<bigint>>;
  /** What the platform's address got (positive) and paid, by the hashes of the transactions. */
  statement(window: BookWindow, after?: string): Promise<Outcome<BookPage>>;
}

export interface ManagedXrpl extends XrplNetwork {
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
export function createXrpl(options: XrplOptions): ManagedXrpl {
  const { db, log, mnemonic, sandbox } = options;
  const connection = createConnection(options.url, log);
  let known: Promise<XrplKeys> | undefined;
  const keys = () => (known ??= xrplKeys(mnemonic).then(followed));
  const sender = createSender({ db, connection, keys, log });
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

  const addressOf = async (who: XrplPayment['to']) =>
    typeof who === 'object' ? who.address : (await keys())[who].classicAddress;

  return {
    prepare,
    async roomOf(address) {
      const issuer = (await keys()).issuer.classicAddress;
      if (address === issuer) return done({ units: BigInt(Number.MAX_SAFE_INTEGER) });
      const account = await readAccount(connection, address);
      if (account.kind !== 'done' || account.value === undefined) return account as typeof MISSING;
      const line = await readLine(connection, address, issuer);
      if (line.kind !== 'done' || line.value === undefined) return line as typeof MISSING;
      return done({ units: line.value.limit - line.value.balance });
    },
    async openLine(address) {
      if (!sandbox) return unknown('Only the sandbox opens lines for others');
      return sandbox.trust(address);
    },
    async pay({ reference, purpose, from, to, units }) {
      const ready = await prepare();
      if (ready.kind !== 'done') return ready;
      const { issuer, currency } = ready.value;
      const Amount = { currency, issuer, value: amountText(units) };
      const Destination = await addressOf(to);
      const fields = { TransactionType: 'Payment', Destination, Amount };
      const paid = await sender.send({ reference, purpose, from, fields });
      return paid.kind === 'done' ? exactly(paid.value, units) : paid;
    },
    findPayment: (reference) => sender.find(reference),
    hashOf: async (reference) => (await findByReference(db, reference))?.hash,
    async balance() {
      const { issuer, platform } = await keys();
      const line = await readLine(connection, platform.classicAddress, issuer.classicAddress);
      return line.kind === 'done' ? done(line.value?.balance ?? 0n) : line;
    },
    async statement(window, after) {
      const { issuer, platform } = await keys();
      const of = { platform: platform.classicAddress, issuer: issuer.classicAddress };
      return statementPage(connection, of, window, after);
    },
    stop: () => connection.close(),
  };
}

const MISSING: Outcome<undefined> = done(undefined);

/** What was delivered counts, and nothing else; ours are never partial. */
function exactly(row: JournalRow, units: bigint): Outcome<XrplTransaction> {
  if (row.delivered === units) return done(row);
  throw new Error(`${row.reference} delivered ${row.delivered} and not ${units}`);
}
