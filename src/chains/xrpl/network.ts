import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { inBatches } from '#kernel/db/in-batches.ts';
import type { DB } from '#kernel/db/schema.generated.ts';
import { refuseDryRun } from '#kernel/dry-run.ts';
import { done, type Outcome, unknown } from '#kernel/effects/outcome.ts';
import type { Logger } from '#kernel/log.ts';
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
import { type XrplKeys, xrplKeys } from './keys.ts';
import { readOwnBalances } from './own-balances.ts';
import type { ManagedXrpl, XrplNetwork, XrplPayment, XrplTransaction } from './port.ts';
import { readRoom } from './room.ts';
import { createXrplLedgerSender, type XrplLedgerSender } from './sender.ts';
import { prepareAccounts, readLine, type SandboxHelp, type XrplAddresses } from './setup.ts';
import { isSignedFor } from './signed-message.ts';
import { statementPage } from './statement.ts';
import { xrplView } from './view.ts';
import { LedgerInfo } from './wire.ts';

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
    // What others may wait for, too, is not begun by a dry run.
    refuseDryRun('xrpl prepare');
    preparing ??= prepareAccounts({ connection, keys, sender, sandbox, log }).then((outcome) => {
      if (outcome.kind !== 'done') preparing = undefined;
      return outcome;
    });
    return preparing;
  };

  return {
    ...xrplDestinations(keys),
    isOwn: sandbox !== undefined,
    chain: asChain({ connection, keys, url: options.url, isOwn: sandbox !== undefined }),
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

const asChain = (deps: Parameters<typeof xrplView>[0]): Chain => ({
  key: 'xrpl',
  native: 'XRP',
  isOwn: deps.isOwn,
  addressForm: ADDRESS_FORM,
  typedAddress: async (text) => (isXrplAddress(text) ? text : undefined),
  isRunning: deps.connection.isUsed,
  head: () => headOf(deps.connection),
  ownBalances: async () => readOwnBalances(deps.connection, await deps.keys()),
  view: xrplView(deps),
});

async function headOf(connection: Connection): Promise<Outcome<Head>> {
  const answer = await connection.ask(LedgerInfo, 'ledger', { ledger_index: 'validated' });
  if (!('result' in answer)) return unknown('lost' in answer ? answer.lost : answer.error);
  const { ledger_index: height, ledger } = answer.result;
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
    // Our reference, in the form in which a public ledger may carry it.
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
