import { BASE_RESERVE, flagsOf, OWNER_RESERVE } from './apply.ts';
import { printValue } from './decimal.ts';
import type { Applied, Ledger, SimulatedXrplHead, Submission } from './ledger.ts';
import { seenFrom } from './lines.ts';
import { rootOf } from './meta.ts';
import { linesOf, readSimulatedXrplAccount, SIMULATED_XRPL_PROVIDER } from './state.ts';

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
  terINSUF_FEE_B: -97,
  tefALREADY: -198,
  tefBAD_AUTH: -196,
  tefMAX_LEDGER: -186,
  tefPAST_SEQ: -190,
  telINSUF_FEE_P: -394,
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
    close_time_iso: new Date(closed_ms).toISOString(),
    closed: true,
  },
  validated: true,
});

const info = ({ index, hash }: SimulatedXrplHead) => ({
  build_version: '2.4.0',
  complete_ledgers: `1-${index}`,
  load_factor: 1,
  network_id: 1,
  server_state: 'full',
  validated_ledger: {
    base_fee_xrp: 0.000_01,
    hash,
    reserve_base_xrp: Number(BASE_RESERVE) / XRP,
    reserve_inc_xrp: Number(OWNER_RESERVE) / XRP,
    seq: index,
  },
});

/** The commands of rippled that clients of ours and of others use. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  ping: async () => ({ result: {} }),
  server_info: async (ledger) => ({ result: { info: info(await ledger.head()) } }),
  server_state: async (ledger) => ({ result: { state: info(await ledger.head()) } }),
  fee: async (ledger) => ({
    result: {
      ledger_current_index: (await ledger.head()).index + 1,
      drops: { base_fee: '10', median_fee: '5000', minimum_fee: '10', open_ledger_fee: '10' },
    },
  }),
  ledger: async (ledger) => ({ result: ledgerFields(await ledger.head()) }),
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

async function accountInfo(ledger: Ledger, { account }: Request): Promise<SimulatedXrplAnswer> {
  const found = await readSimulatedXrplAccount(ledger.records, String(account));
  if (!found) return { error: 'actNotFound', error_message: 'Account not found.' };
  const { index, hash } = await ledger.head();
  return {
    result: {
      account_data: { ...rootOf(found), LedgerEntryType: 'AccountRoot' },
      account_flags: flagsOf(found),
      ledger_index: index,
      ledger_hash: hash,
      validated: true,
    },
  };
}

async function accountLines(
  ledger: Ledger,
  { account, peer }: Request,
): Promise<SimulatedXrplAnswer> {
  const address = String(account);
  if (!(await readSimulatedXrplAccount(ledger.records, address)))
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
  if (forward === true)
    return { error: 'notImpl', error_message: 'The sandbox tells the newest first.' };
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
  const isKept = code === 'tesSUCCESS' || code.startsWith('tec');
  return {
    result: {
      accepted: isKept,
      applied: isKept,
      broadcast: isKept,
      kept: isKept,
      queued: false,
      engine_result: code,
      engine_result_code: CODES[code] ?? -399,
      engine_result_message: code,
      tx_blob: blob,
      tx_json: { ...tx, hash },
    },
  };
}
