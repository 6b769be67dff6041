import {
  type Address,
  erc20Abi,
  getAddress,
  type Hash,
  parseEventLogs,
  type TransactionReceipt,
  zeroAddress,
} from 'viem';
import { SCALE } from '#kernel/money/money.ts';
import type { SeenMove, SeenTransaction } from '../../network-view.ts';
import { type ChainClient, receiptOf } from '../client.ts';
import type { EvmChain } from '../port.ts';
import { readToken } from '../reads.ts';
import { TOKEN_SYMBOLS, tokenContracts } from './tokens.ts';

/** Movements that are shown of one transaction. */
const MOVES_MAX = 50;
const COIN_DIGITS = 18;

/** A transaction by the chain's word; undefined where it knows none of that hash. */
export async function seenTransaction(
  chain: EvmChain,
  hash: Hash,
): Promise<SeenTransaction | undefined> {
  const client = await chain.client();
  const [found, receipt, head] = await Promise.all([
    sent(client, hash),
    receiptOf(client, hash),
    client.getBlockNumber(),
  ]);
  if (found === undefined) return undefined;
  const kind = kindOf(found);
  const coins = coinsOf(chain, found);
  if (receipt === undefined)
    return { status: 'PENDING', block: null, confirmations: 0, fee: null, moves: coins, kind };
  const confirmations = Number(head - receipt.blockNumber) + 1;
  const settled = confirmations >= chain.confirmations ? 'FINAL' : 'MINED';
  const isReverted = receipt.status === 'reverted';
  return {
    status: isReverted ? 'FAILED' : settled,
    block: Number(receipt.blockNumber),
    confirmations,
    fee: receipt.gasUsed * receipt.effectiveGasPrice,
    moves: isReverted ? [] : [...coins, ...(await tokensOf(chain, receipt))].slice(0, MOVES_MAX),
    kind,
  };
}

interface RawTransaction {
  readonly from: Address;
  readonly to: Address | null;
  readonly value: bigint;
  readonly hasData: boolean;
}

async function sent(client: ChainClient, hash: Hash): Promise<RawTransaction | undefined> {
  const raw = await client.request({ method: 'eth_getTransactionByHash', params: [hash] });
  if (raw === null) return undefined;
  const { from, to, value, input } = raw;
  return { from, to, value: BigInt(value), hasData: input !== '0x' };
}

function kindOf({ to, hasData }: RawTransaction): string {
  if (to === null) return 'contract creation';
  return hasData ? 'contract call' : 'transfer';
}

const coinsOf = (
  { info }: Pick<EvmChain, 'info'>,
  { from, to, value }: RawTransaction,
): SeenMove[] =>
  value === 0n
    ? []
    : [
        {
          asset: info.native,
          from: getAddress(from),
          to: to && getAddress(to),
          units: value,
          digits: COIN_DIGITS,
        },
      ];

/** Tokens by their own logs; one that is not ours is named by its contract. */
async function tokensOf(chain: EvmChain, receipt: TransactionReceipt): Promise<SeenMove[]> {
  const logs = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs: receipt.logs });
  const shown = logs.slice(0, MOVES_MAX);
  const named = new Map<Address, Pick<SeenMove, 'asset' | 'digits'>>();
  for (const address of new Set(shown.map((log) => getAddress(log.address))))
    named.set(address, await nameOf(chain, address));
  return shown.map(({ address, args: { from, to, value } }) => ({
    ...(named.get(getAddress(address)) ?? { asset: address, digits: 0 }),
    from: from === zeroAddress ? null : from,
    to: to === zeroAddress ? null : to,
    units: value,
  }));
}

async function nameOf(
  chain: EvmChain,
  address: Address,
): Promise<Pick<SeenMove, 'asset' | 'digits'>> {
  const own = TOKEN_SYMBOLS[tokenContracts(chain.contracts).indexOf(address)];
  if (own !== undefined) return { asset: own, digits: SCALE[own] };
  // A stranger's token may call itself USDC: its contract is its name.
  const token = await readToken(chain, address);
  return { asset: address, digits: token?.decimals ?? 0 };
}
