import { isXrplAddress } from '#chains/xrpl/address.ts';
import { flagsOf } from './apply.ts';
import { conditionsOf, reservesOf } from './conditions.ts';
import { printValue } from './decimal.ts';
import {
  type Applied,
  knownAccount,
  type Ledger,
  ledgerAt,
  type SimulatedXrplHead,
  type Submission,
} from './ledger.ts';
import { seenFrom } from './lines.ts';
import { rootOf } from './meta.ts';
import { linesOf, type Reserves, SIMULATED_XRPL_PROVIDER } from './state.ts';

/** What a client asks, with whatever fields the command has. */
export type Request = Readonly<Record<string, unknown>> & { readonly command?: string };
/** The server's own word for what is wrong, with what else it says. */
export interface SimulatedXrplFailure {
  readonly error: string;
  readonly error_message?: string;
  readonly searched_all?: boolean;
}
export type SimulatedXrplAnswer = { readonly result: object } | SimulatedXrplFailure;

type Command = (ledger: Ledger, request: Request) => Promise<SimulatedXrplAnswer>;

const CODES: Readonly<Record<string, number>> = {
  tesSUCCESS: 0,
  terPRE_SEQ: -92,
  terNO_ACCOUNT: -96,
  terQUEUED: -89,
  terINSUF_FEE_B: -97,
  tefALREADY: -198,
  tefBAD_AUTH: -196,
  tefMAX_LEDGER: -186,
  tefPAST_SEQ: -190,
  telINSUF_FEE_P: -394,
  telCAN_NOT_QUEUE_FULL: -381,
  temBAD_AMOUNT: -298,
  temBAD_FEE: -295,
  temDST_IS_SRC: -279,
  temINVALID_FLAG: -276,
  temREDUNDANT: -275,
  temUNKNOWN: -264,
  tecUNFUNDED_PAYMENT: 104,
  tecNO_DST: 124,
  tecNO_DST_INSUF_XRP: 125,
  tecNO_LINE_INSUF_RESERVE: 126,
  tecNO_LINE_REDUNDANT: 127,
  tecPATH_DRY: 128,
  tecPATH_PARTIAL: 101,
  tecNO_PERMISSION: 139,
  tecDST_TAG_NEEDED: 143,
};
const XRP = 1_000_000;
const PAGE_MAX = 400;

const ledgerFields = ({ index, hash, closed_ms }: SimulatedXrplHead) => ({
  ledger_hash: hash,
  ledger_index: index,
  ledger: {
    ledger_hash: hash,
    ledger_index: index,
    close_time: Math.floor(closed_ms / 1000) - EPOCH_S,
    close_time_iso: new Date(closed_ms).toISOString(),
    closed: true,
    total_coins: '100000000000000000',
  },
  validated: true,
});
/** Seconds between 1970 and the ledger's own beginning of time. */
const EPOCH_S = 946_684_800;

/** Named by its number, or the newest; with its transactions where they are asked for. */
async function readLedger(ledger: Ledger, request: Request): Promise<SimulatedXrplAnswer> {
  const { ledger_index: wanted, transactions, expand } = request;
  const { index } = await ledger.head();
  const named = typeof wanted === 'number' || /^\d+$/.test(String(wanted)) ? Number(wanted) : index;
  const found = await ledgerAt(ledger, named);
  if (!found) return { error: 'lgrNotFound', error_message: 'ledgerNotFound' };
  const fields = ledgerFields(found);
  if (transactions !== true) return { result: fields };
  const within = found.transactions.map((one) => (expand ? shownSimulatedXrpl(one) : one.hash));
  return { result: { ...fields, ledger: { ...fields.ledger, transactions: within } } };
}

/** What the ledger stream tells of a closed one. */
export async function closedNews(
  ledger: Ledger,
  { index, hash, closed_ms, size }: SimulatedXrplHead,
) {
  const { base, owner } = await reservesOf(ledger.records);
  return {
    fee_base: 10,
    ledger_hash: hash,
    ledger_index: index,
    ledger_time: Math.floor(closed_ms / 1000) - EPOCH_S,
    reserve_base: Number(base),
    reserve_inc: Number(owner),
    txn_count: size,
    validated_ledgers: `1-${index}`,
  };
}

const info = ({ index, hash }: SimulatedXrplHead, { base, owner }: Reserves, load: number) => ({
  build_version: '2.4.0',
  complete_ledgers: `1-${index}`,
  load_factor: load,
  network_id: 1,
  server_state: 'full',
  validated_ledger: {
    base_fee_xrp: 0.000_01,
    hash,
    reserve_base_xrp: Number(base) / XRP,
    reserve_inc_xrp: Number(owner) / XRP,
    seq: index,
  },
});

async function serverInfo(ledger: Ledger) {
  const { open_ledger_fee } = await conditionsOf(ledger.records);
  return info(await ledger.head(), await reservesOf(ledger.records), open_ledger_fee / 10);
}

async function feeNow(ledger: Ledger): Promise<SimulatedXrplAnswer> {
  const { open_ledger_fee } = await conditionsOf(ledger.records);
  const drops = {
    base_fee: '10',
    median_fee: '5000',
    minimum_fee: '10',
    open_ledger_fee: String(open_ledger_fee),
  };
  return { result: { ledger_current_index: (await ledger.head()).index + 1, drops } };
}

/** The commands of rippled that clients of ours and of others use. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  ping: async () => ({ result: {} }),
  server_info: async (ledger) => ({ result: { info: await serverInfo(ledger) } }),
  server_state: async (ledger) => ({ result: { state: await serverInfo(ledger) } }),
  fee: feeNow,
  ledger: readLedger,
  ledger_current: async (ledger) => ({
    result: { ledger_current_index: (await ledger.head()).index + 1 },
  }),
  ledger_closed: async (ledger) => ({ result: ledgerFields(await ledger.head()) }),
  ledger_accept: async (ledger) => ({
    result: { ledger_current_index: (await ledger.accept()).index + 1 },
  }),
  account_info: accountInfo,
  account_lines: accountLines,
  account_tx: accountTx,
  tx: findTx,
};

async function accountInfo(
  ledger: Ledger,
  { account, queue }: Request,
): Promise<SimulatedXrplAnswer> {
  if (!isXrplAddress(String(account)))
    return { error: 'actMalformed', error_message: 'Account malformed.' };
  const found = await knownAccount(ledger.records, String(account));
  if (!found) return { error: 'actNotFound', error_message: 'Account not found.' };
  const { index, hash } = await ledger.head();
  const [last] = await ledger.records.list<Applied>(SIMULATED_XRPL_PROVIDER, 'tx', {
    where: { accounts: [found.address] },
    limit: 1,
  });
  const previous = last && { PreviousTxnID: last.hash, PreviousTxnLgrSeq: last.ledger_index };
  return {
    result: {
      account_data: { ...rootOf(found), LedgerEntryType: 'AccountRoot', ...previous },
      account_flags: flagsOf(found),
      ledger_index: index,
      ledger_hash: hash,
      validated: true,
      ...(queue === true && { queue_data: { txn_count: 0 } }),
    },
  };
}

async function accountLines(
  ledger: Ledger,
  { account, peer }: Request,
): Promise<SimulatedXrplAnswer> {
  const address = String(account);
  if (!(await knownAccount(ledger.records, address)))
    return { error: 'actNotFound', error_message: 'Account not found.' };
  const found = await linesOf(ledger.records, address, peer === undefined ? peer : String(peer));
  const lines = found.map((line) => {
    const seen = seenFrom(address, line);
    return {
      account: seen.peer,
      balance: printValue(seen.balance),
      currency: line.currency,
      limit: printValue(seen.limit),
      limit_peer: printValue(seen.peerLimit),
      quality_in: 0,
      quality_out: 0,
    };
  });
  const { index } = await ledger.head();
  return { result: { account: address, lines, ledger_index: index, validated: true } };
}

async function accountTx(ledger: Ledger, request: Request): Promise<SimulatedXrplAnswer> {
  const { account, limit, marker, forward } = request;
  if (forward === true) return accountTxForward(ledger, request);
  const size = Math.min(Number(limit ?? PAGE_MAX), PAGE_MAX);
  const before = (marker as { hash?: string } | undefined)?.hash;
  const found = await ledger.records.list<Applied>(SIMULATED_XRPL_PROVIDER, 'tx', {
    where: { accounts: [String(account)] },
    limit: size + 1,
    ...(before !== undefined && { before }),
  });
  const transactions = found.slice(0, size).map(shownSimulatedXrpl);
  const last = found.length > size ? transactions.at(-1) : undefined;
  return {
    result: {
      account,
      transactions,
      validated: true,
      ...(last && { marker: { hash: last.hash } }),
    },
  };
}

/** From the oldest on: the marker is how many were shown. */
async function accountTxForward(ledger: Ledger, request: Request): Promise<SimulatedXrplAnswer> {
  const { account, limit, marker } = request;
  const size = Math.min(Number(limit ?? PAGE_MAX), PAGE_MAX);
  const from = Number((marker as { seen?: number } | undefined)?.seen ?? 0);
  const all: Applied[] = [];
  for (;;) {
    const before = all.at(-1)?.hash;
    const rows = await ledger.records.list<Applied>(SIMULATED_XRPL_PROVIDER, 'tx', {
      where: { accounts: [String(account)] },
      limit: ROWS_MAX,
      ...(before !== undefined && { before }),
    });
    all.push(...rows);
    if (rows.length < ROWS_MAX) break;
  }
  const transactions = all
    .reverse()
    .slice(from, from + size)
    .map(shownSimulatedXrpl);
  const seen = from + transactions.length;
  const more = seen < all.length && { marker: { seen } };
  return { result: { account, transactions, validated: true, ...more } };
}
const ROWS_MAX = 1000;

export const shownSimulatedXrpl = ({ accounts: _, ...applied }: Applied) => ({
  ...applied,
  validated: true,
});

async function findTx(ledger: Ledger, request: Request): Promise<SimulatedXrplAnswer> {
  const { transaction, max_ledger } = request;
  const found = await ledger.find(String(transaction).toUpperCase());
  if (found) return { result: shownSimulatedXrpl(found) };
  const { index } = await ledger.head();
  // The latest may take more yet.
  const searched_all = max_ledger !== undefined && Number(max_ledger) < index;
  return { error: 'txnNotFound', error_message: 'Transaction not found.', searched_all };
}

/** What is answered to a submission: what the server makes of it now, which is not final. */
export function submitted(done: Submission, blob: string): SimulatedXrplAnswer {
  if ('invalid' in done) return { error: 'invalidTransaction', error_message: done.invalid };
  const { code, hash, tx } = done;
  const isKept = code === 'tesSUCCESS' || code === 'terQUEUED' || code.startsWith('tec');
  return {
    result: {
      accepted: isKept,
      applied: isKept,
      broadcast: isKept,
      kept: isKept,
      queued: code === 'terQUEUED',
      engine_result: code,
      engine_result_code: CODES[code] ?? -399,
      engine_result_message: code,
      tx_blob: blob,
      tx_json: { ...tx, hash },
    },
  };
}
