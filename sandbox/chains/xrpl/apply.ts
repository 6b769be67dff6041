import type { IssuedAmount } from '#chains/xrpl/currency.ts';
import { readValue, significant } from './decimal.ts';
import { holding, moveHolding, orderedPair } from './lines.ts';
import type { AccountRoot, View } from './state.ts';

/** A transaction as the wire has it, after it was decoded and its signature proven. */
export interface Tx {
  readonly TransactionType: string;
  readonly Account: string;
  readonly Sequence: number;
  readonly Fee: string;
  readonly Flags?: number;
  readonly LastLedgerSequence?: number;
  readonly Destination?: string;
  readonly DestinationTag?: number;
  readonly Amount?: string | IssuedAmount;
  readonly LimitAmount?: IssuedAmount;
  readonly SetFlag?: number;
  readonly ClearFlag?: number;
}

const FLAGS: Readonly<Record<number, number>> = {
  1: 0x0002_0000, // RequireDest
  3: 0x0008_0000, // DisallowXRP, which only wallets obey
  6: 0x0020_0000, // NoFreeze
  7: 0x0040_0000, // GlobalFreeze
  8: 0x0080_0000, // DefaultRipple
  9: 0x0100_0000, // DepositAuth
};
const REQUIRE_DEST = 0x0002_0000;
const DEFAULT_RIPPLE = 0x0080_0000;
const DEPOSIT_AUTH = 0x0100_0000;
const NO_FREEZE = 0x0020_0000;
const GLOBAL_FREEZE = 0x0040_0000;

/** What an account takes and does, as `account_info` tells it. */
export const flagsOf = ({ flags }: Pick<AccountRoot, 'flags'>) => ({
  requireDestinationTag: (flags & REQUIRE_DEST) !== 0,
  defaultRipple: (flags & DEFAULT_RIPPLE) !== 0,
  depositAuth: (flags & DEPOSIT_AUTH) !== 0,
  disallowIncomingXRP: (flags & (FLAGS[3] ?? 0)) !== 0,
  globalFreeze: (flags & GLOBAL_FREEZE) !== 0,
  noFreeze: (flags & NO_FREEZE) !== 0,
  disableMasterKey: false,
  passwordSpent: false,
  requireAuthorization: false,
});

/** What an account must keep, with so many things that it owns. */
const reserveOf = ({ reserves }: View, { owned }: AccountRoot, more = 0): bigint =>
  reserves.base + reserves.owner * BigInt(owned + more);

/** Does what the transaction says, its fee being paid already; answers the ledger's code. */
export async function apply(view: View, tx: Tx, ledgerIndex: number): Promise<string> {
  if (tx.TransactionType === 'AccountSet') return setAccount(view, tx);
  if (tx.TransactionType === 'TrustSet') return setTrust(view, tx);
  return pay(view, tx, ledgerIndex);
}

async function setAccount(view: View, { Account, SetFlag, ClearFlag }: Tx): Promise<string> {
  const account = await existing(view, Account);
  const set = FLAGS[SetFlag ?? 0] ?? 0;
  const cleared = FLAGS[ClearFlag ?? 0] ?? 0;
  // Who gives the freeze up does so for good.
  if ((account.flags & NO_FREEZE) !== 0 && (cleared & (NO_FREEZE | GLOBAL_FREEZE)) !== 0)
    return 'tecNO_PERMISSION';
  view.putAccount({ ...account, flags: (account.flags | set) & ~cleared });
  return 'tesSUCCESS';
}

async function setTrust(view: View, { Account, LimitAmount }: Tx): Promise<string> {
  if (!LimitAmount) return 'tecINTERNAL';
  const { issuer, currency, value } = LimitAmount;
  if ((await view.account(issuer)) === undefined) return 'tecNO_DST';
  const { id, isLow } = orderedPair(Account, issuer, currency);
  const line = await view.line(id);
  const limit = readValue(value);
  if (line === undefined) {
    if (limit === 0n) return 'tecNO_LINE_REDUNDANT';
    const account = await existing(view, Account);
    if (account.drops < reserveOf(view, account, 1)) return 'tecNO_LINE_INSUF_RESERVE';
    view.putAccount({ ...account, owned: account.owned + 1 });
  }
  const known = line ?? { ...id, balance: 0n, low_limit: 0n, high_limit: 0n };
  view.putLine({ ...known, [isLow ? 'low_limit' : 'high_limit']: limit });
  return 'tesSUCCESS';
}

async function pay(view: View, tx: Tx, ledgerIndex: number): Promise<string> {
  const { Amount, Destination = '' } = tx;
  if (typeof Amount === 'string') return payCoins(view, tx, BigInt(Amount), ledgerIndex);
  const payee = await view.account(Destination);
  if (payee === undefined) return 'tecNO_DST';
  const refusal = accepts(payee, tx);
  if (refusal !== undefined) return refusal;
  return Amount ? payIssued(view, tx, Amount) : 'tecINTERNAL';
}

function accepts(payee: AccountRoot, { DestinationTag, Account }: Tx): string | undefined {
  if ((payee.flags & REQUIRE_DEST) !== 0 && DestinationTag === undefined)
    return 'tecDST_TAG_NEEDED';
  return (payee.flags & DEPOSIT_AUTH) !== 0 && payee.address !== Account
    ? 'tecNO_PERMISSION'
    : undefined;
}

async function payCoins(view: View, tx: Tx, drops: bigint, ledgerIndex: number): Promise<string> {
  const { Account, Destination = '' } = tx;
  const payer = await existing(view, Account);
  const payee = await view.account(Destination);
  if (payee === undefined && drops < view.reserves.base) return 'tecNO_DST_INSUF_XRP';
  if (payee) {
    const refusal = accepts(payee, tx);
    if (refusal !== undefined) return refusal;
  }
  if (payer.drops - drops < reserveOf(view, payer)) return 'tecUNFUNDED_PAYMENT';
  view.putAccount({ ...payer, drops: payer.drops - drops });
  const opened = { address: Destination, drops: 0n, sequence: ledgerIndex, flags: 0, owned: 0 };
  const before = payee ?? opened;
  view.putAccount({ ...before, drops: before.drops + drops });
  return 'tesSUCCESS';
}

/** Directly between holder and issuer, or over the issuer from one holder to another. */
async function payIssued(view: View, tx: Tx, amount: IssuedAmount): Promise<string> {
  const { Account, Destination = '' } = tx;
  const { issuer, currency } = amount;
  const units = significant(readValue(amount.value));
  if (Account !== issuer) {
    const has = await holding(view, Account, issuer, currency);
    if (has === undefined || has.balance <= 0n) return 'tecPATH_DRY';
    if (has.balance < units) return 'tecPATH_PARTIAL';
  }
  if (Destination !== issuer) {
    const gets = await holding(view, Destination, issuer, currency);
    if (gets === undefined || gets.limit === 0n) return 'tecPATH_DRY';
    if (gets.balance + units > gets.limit) return 'tecPATH_PARTIAL';
  }
  if (Account !== issuer && Destination !== issuer) {
    const { flags } = await existing(view, issuer);
    // Frozen tokens go back to their issuer, and nowhere else.
    if ((flags & DEFAULT_RIPPLE) === 0 || (flags & GLOBAL_FREEZE) !== 0) return 'tecPATH_DRY';
  }
  if (Account !== issuer) await moveHolding(view, [Account, issuer, currency], -units);
  if (Destination !== issuer) await moveHolding(view, [Destination, issuer, currency], units);
  return 'tesSUCCESS';
}

async function existing(view: View, address: string): Promise<AccountRoot> {
  const account = await view.account(address);
  if (!account) throw new Error(`No account ${address}`);
  return account;
}
