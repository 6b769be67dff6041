import { Type } from 'typebox';
import type { Address, Hash } from 'viem';
import { formatUnits, parseUnits } from 'viem';
import {
  CHAIN_KEYS,
  ChainError,
  type Disproof,
  type EvmChain,
  type EvmNetwork,
  proveTransfer,
  readToken,
} from '#chains/evm/port.ts';
import { findCryptoWallet, managedAddresses } from '#features/crypto-wallets/crypto-wallets.ts';
import { toAppError } from '#features/wallet-spending/wallet-spending.ts';
import type { Db } from '#kernel/db/db.ts';
import { codedEnvelope } from '#kernel/http/envelope.ts';
import { fail } from '#kernel/http/error.ts';
import { at, endpoints, type Route } from '#kernel/http/route.ts';
import {
  AmountInput,
  DecimalInput,
  Id,
  IdInput,
  stamped,
  Timestamp,
  TxHash,
  text,
  words,
} from '#kernel/http/schema.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { tellLack } from './funds.ts';
import { readTransfer, wrong } from './order.ts';
import { explorerUrl } from './shapes.ts';
import { insertLog } from './store.ts';

const endpoint = endpoints(codedEnvelope);

type ReportDeps = Pick<Kernel, 'clock' | 'config'> & { readonly evm: EvmNetwork };

/** Writes down what a wallet's owner has sent by other means (contract: POST /onchain/log). */
export const reportRoute = ({ clock, config, evm }: ReportDeps): Route =>
  endpoint('POST /onchain/log', {
    auth: 'user',
    summary: 'Records a transaction that a wallet of the caller has made elsewhere',
    body: Type.Object({
      bw_id: IdInput,
      tx_hash: TxHash,
      amount: AmountInput,
      to_address: text(100),
      token_symbol: text(32),
      chain_id: words(CHAIN_KEYS),
      token_contract: text(100),
      gas_fee: DecimalInput,
      platform_fee: DecimalInput,
    }),
    reply: {
      201: stamped({
        message: Type.String(),
        data: Type.Object({
          transaction_log: Type.Object({
            id: Id,
            tx_hash: Type.String(),
            amount: Type.String(),
            token_symbol: Type.String(),
            chain_id: Type.String(),
            status: Type.String(),
            created_at: Timestamp,
            explorer_url: Type.String(),
          }),
        }),
      }),
    },
    async handler({ caller: { user_id, client_id }, body, db }) {
      const { bw_id, chain_id, token_symbol, amount, platform_fee } = body;
      const wallet = await findCryptoWallet(db, { user_id }, bw_id);
      if (!wallet) throw fail('WALLET_ACCESS_DENIED', 'You have no such wallet');
      const chain = evm.chains[chain_id];
      const { to, token_contract } = readTransfer(chain, body);
      const tx_hash = body.tx_hash.toLowerCase() as Hash;
      const claim: Claim = { bw_id, to, token_contract, amount, tx_hash };
      const gas_fee = config.MOCK_MODE
        ? body.gas_fee
        : await provenGasFee(db, chain, claim, config.EVM_CONFIRMATIONS);
      const { wallet_name, wallet_label } = wallet;
      const created_at = clock.now().toISOString();
      const row = await insertLog(db, {
        ...{ user_id, client_id, bw_id, wallet_name, wallet_label, chain_id, token_symbol },
        ...{ amount, tx_hash, token_contract, gas_fee, platform_fee },
        destination_wallet: to,
        status: 'CONFIRMED',
        ...{ created_at, updated_at: created_at },
      });
      if (!row) throw fail('CONFLICT', 'This transaction is in the log already');
      const transaction_log = { ...row, explorer_url: explorerUrl(chain_id, tx_hash) };
      return at(201, { message: 'Transaction logged', data: { transaction_log } });
    },
  });

interface Claim {
  readonly bw_id: number;
  readonly to: Address;
  readonly token_contract: string;
  readonly amount: string;
  readonly tx_hash: Hash;
}

/** What the gas cost, once the chain has shown that the transaction is the one that is claimed. */
async function provenGasFee(
  db: Db,
  chain: EvmChain,
  claim: Claim,
  confirmations: number,
): Promise<string> {
  const { bw_id, to, amount, tx_hash } = claim;
  const [from] = await managedAddresses(db, {}, { bw_id, chain_id: chain.info.key });
  if (!from) throw wrong('bw_id', `has no address on ${chain.info.key}`);
  try {
    const { token, decimals } = await tokenOf(chain, claim.token_contract);
    const proof = await proveTransfer(chain, tx_hash, {
      ...{ token, from: from.wallet_address, to, confirmations },
      units: unitsOf(amount, decimals),
    });
    if ('disproof' in proof) throw wrong('tx_hash', DISPROOFS[proof.disproof]);
    const { gasUsed, effectiveGasPrice } = proof.receipt;
    return formatUnits(gasUsed * effectiveGasPrice, 18);
  } catch (error) {
    throw error instanceof ChainError ? toAppError(error, chain, tellLack) : error;
  }
}

const DISPROOFS: Readonly<Record<Disproof, string>> = {
  unknown: 'is not known to the chain',
  unconfirmed: 'does not have its confirmations yet',
  reverted: 'was reverted on chain',
  other: 'is another transaction than the one described',
};

async function tokenOf(
  chain: EvmChain,
  contract: string,
): Promise<{ token?: Address; decimals: number }> {
  if (contract === 'native') return { decimals: 18 };
  const token = await readToken(chain, contract as Address);
  if (!token) throw wrong('token_contract', `is not a token on ${chain.info.key}`);
  return { token: token.address, decimals: token.decimals };
}

/** Exact, unlike `parseUnits` alone, which rounds what is too fine. */
function unitsOf(amount: string, decimals: number): bigint {
  const [, fraction = ''] = amount.split('.');
  if (fraction.replace(/0+$/, '').length > decimals)
    throw wrong('amount', `has more than the ${decimals} decimals of the token`);
  return parseUnits(amount, decimals);
}
