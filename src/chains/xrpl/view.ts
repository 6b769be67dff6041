import { type Static, Type } from 'typebox';
import { done, type Outcome, type Unknown, unknown } from '#kernel/effects/outcome.ts';
import { lazy } from '#kernel/lazy.ts';
import type {
  NetworkContents,
  NetworkFees,
  NetworkHead,
  NetworkView,
  SeenAddress,
} from '../network-view.ts';
import type { Connection, LedgerReply } from './connection.ts';
import { exactAmountOf, USDC_CODE } from './currency.ts';
import { medianValidation } from './finality-store.ts';
import type { XrplKeys } from './keys.ts';
import { SeenTxResult, seenXrplTransaction } from './view-transaction.ts';
import { AccountInfo, AccountLines } from './wire.ts';

const XRP_DIGITS = 6;
/** A ledger closes each three to five seconds. */
const BEHIND_S = 60;
const EXPLORER = 'https://testnet.xrpl.org';
const LSF_REQUIRE_DEST_TAG = 0x0002_0000;
/** Trust lines that are shown of one address. */
const LINES_MAX = 50;

const NewestLedger = Type.Object({
  ledger_hash: Type.String(),
  ledger_index: Type.Integer(),
  ledger: Type.Object({ close_time_iso: Type.String() }),
});
const FeeLevels = Type.Object({
  drops: Type.Object({
    minimum_fee: Type.String(),
    open_ledger_fee: Type.String(),
    median_fee: Type.String(),
  }),
});

interface XrplViewDeps {
  readonly connection: Connection;
  readonly keys: () => Promise<XrplKeys>;
  url(): string;
  readonly isOwn: boolean;
}

/** The XRP Ledger as people read it. */
export function xrplView({ connection, keys, url, isOwn }: XrplViewDeps): NetworkView {
  const isTestnet = lazy(() => isOwn || /altnet|devnet|testnet/.test(url()));
  const issuer = async () => (await keys()).issuer.classicAddress;
  return {
    facts: {
      kind: 'xrpl',
      name: 'XRP Ledger',
      chain_id: 1,
      native: 'XRP',
      confirmations: 1,
      explorer_url: EXPLORER,
      get is_testnet() {
        return isTestnet();
      },
      behind_s: BEHIND_S,
    },
    contents: async () => done(contentsOf(await issuer())),
    newest: async () => map(await connection.ask(NewestLedger, 'ledger', VALIDATED), headOf),
    fees: async () => map(await connection.ask(FeeLevels, 'fee'), feesOf),
    typedHash: (text) => (/^[0-9a-f]{64}$/i.test(text) ? text.toUpperCase() : undefined),
    async transaction(hash) {
      const reply = await connection.ask(SeenTxResult, 'tx', { transaction: hash });
      if ('error' in reply && reply.error === 'txnNotFound') return done(undefined);
      const issuedBy = await issuer();
      return map(reply, (found) => seenXrplTransaction(found, issuedBy));
    },
    address: async (address) => seenAccount(connection, address, await issuer()),
    explorerUrl: (hash) => `${EXPLORER}/transactions/${hash}`,
    finalityP50: medianValidation,
  };
}

const VALIDATED = { ledger_index: 'validated' };

/** What the server's answer says; `unknown` where there is none. */
const map = <T, U>(reply: LedgerReply<T>, show: (found: T) => U): Outcome<U> =>
  'result' in reply ? done(show(reply.result)) : unanswered(reply);

const unanswered = (reply: Exclude<LedgerReply<never>, { result: unknown }>): Unknown =>
  unknown('lost' in reply ? reply.lost : reply.error);

const contentsOf = (issuer: string): NetworkContents => ({
  contracts: { usdc_issuer: issuer },
  tokens: [
    {
      symbol: 'USDC',
      address: issuer,
      digits: 6,
      permit: false,
      transfer_with_authorization: false,
    },
  ],
});

const headOf = ({
  ledger_hash,
  ledger_index,
  ledger,
}: Static<typeof NewestLedger>): NetworkHead => ({
  height: ledger_index,
  hash: ledger_hash,
  at: new Date(ledger.close_time_iso),
});

/** A transaction costs so many drops, whatever it does. */
function feesOf({ drops }: Static<typeof FeeLevels>): NetworkFees {
  const feeOf = (text: string) => ({ price: BigInt(text), transferCost: BigInt(text) });
  const [normal, median] = [BigInt(drops.open_ledger_fee), BigInt(drops.median_fee)];
  return {
    slow: feeOf(drops.minimum_fee),
    normal: feeOf(drops.open_ledger_fee),
    fast: feeOf(String(median > normal ? median : normal)),
  };
}

/** Nothing of an account that is not funded. */
async function seenAccount(
  connection: Connection,
  account: string,
  issuer: string,
): Promise<Outcome<SeenAddress>> {
  const fields = { account, ...VALIDATED };
  const info = await connection.ask(AccountInfo, 'account_info', fields);
  if ('error' in info && info.error === 'actNotFound')
    return done({ balances: [], requires_tag: false, trust_lines: [] });
  if (!('result' in info)) return unanswered(info);
  const found = await connection.ask(AccountLines, 'account_lines', fields);
  if (!('result' in found)) return unanswered(found);
  const { Balance, Flags, Sequence } = info.result.account_data;
  const lines = found.result.lines.slice(0, LINES_MAX);
  const named = ({ currency, account: peer }: (typeof lines)[number]) =>
    currency === USDC_CODE && peer === issuer ? 'USDC' : `${currency}.${peer}`;
  return done({
    balances: [
      { asset: 'XRP', units: BigInt(Balance), digits: XRP_DIGITS },
      ...lines.map((line) => ({ asset: named(line), ...exactAmountOf(line.balance) })),
    ],
    nonce: Sequence,
    requires_tag: (Flags & LSF_REQUIRE_DEST_TAG) !== 0,
    trust_lines: lines.map(({ account: peer, currency, limit, balance }) => ({
      currency,
      issuer: peer,
      limit,
      balance,
    })),
  });
}
