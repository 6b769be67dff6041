import { Type } from 'typebox';
import { formatUnits, type Hash } from 'viem';
import {
  CHAIN_KEYS,
  CHAINS,
  type EvmNetwork,
  explorerTxUrl,
  sendableAssets,
} from '#chains/evm/port.ts';
import { findCryptoWallet } from '#features/chain-wallets/crypto-wallets/crypto-wallets.ts';
import { fail } from '#kernel/error.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { at, endpoints, type Route } from '#kernel/http/declare/route.ts';
import {
  AmountInput,
  DecimalInput,
  Id,
  IdInput,
  integerInput,
  oneOfWords,
  stamped,
  Timestamp,
  TxHash,
  text,
} from '#kernel/http/declare/schema.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { POLICY_ERRORS } from '#kernel/policies/policy.ts';
import { readTransfer } from './order.ts';
import { type OnchainClaim, provenGasFee } from './report.ts';
import { logReported } from './reported.ts';
import type { Sends } from './sends.ts';

const endpoint = endpoints(codedEnvelope);

type Deps = Pick<Kernel, 'clock' | 'config'> & {
  readonly evm: EvmNetwork;
  readonly sends: Pick<Sends, 'send'>;
};

/** What leaves a wallet, by us or by its owner (contract: Onchain transactions). */
export const onchainRoutes = (deps: Deps): Route[] => [executeRoute(deps.sends), reportRoute(deps)];

const Executed = named('OnchainSend', {
  transaction: Type.Object({
    tx_hash: Type.String(),
    block_number: Type.Integer(),
    gas_used: Type.Integer(),
    gas_price: Type.String({ description: 'Of one gas, in the native coin' }),
    gas_fee: Type.String({ description: 'In the native coin' }),
    platform_fee: Type.String({ description: 'In the token that was sent' }),
    status: Type.Literal('CONFIRMED'),
    explorer_url: Type.String(),
  }),
  log_id: Id,
});

/** Sends coins or USDC from a managed wallet (contract: POST /onchain/execute). */
const executeRoute = (sends: Pick<Sends, 'send'>): Route =>
  endpoint('POST /onchain/execute', {
    name: 'onchain.send',
    creates: { kind: 'chain_send', object: 'transfer' },
    movesMoney: true,
    auth: 'user',
    errors: [
      'WALLET_NOT_FOUND',
      'WALLET_ACCESS_DENIED',
      'ACCESS_DENIED',
      'INSUFFICIENT_FUNDS',
      'CONFLICT',
      'PROVIDER_REJECTED',
      'PROVIDER_UNAVAILABLE',
      ...POLICY_ERRORS,
    ],
    summary: 'Sends coins or USDC from a wallet of the caller, and waits for the receipt',
    body: Type.Object({
      wallet_address: text(100),
      chain_id: oneOfWords(CHAIN_KEYS),
      token_symbol: oneOfWords(sendableAssets()),
      token_contract: text(100),
      to_address: text(100),
      amount: AmountInput,
      decimals: Type.Optional(integerInput(0, 36)),
    }),
    reply: { 201: stamped({ message: Type.String(), data: Executed }) },
    async handler({ caller, body, operation, request }) {
      const { user_id } = caller;
      const { transaction, log } = await sends.send(user_id, operation, body, request);
      const { hash, block_number, gas_used, gas_fee, gas_price } = transaction;
      return {
        message: `Sent ${log.amount} ${log.token_symbol}`,
        data: {
          transaction: {
            tx_hash: hash,
            block_number,
            gas_used,
            gas_price: formatUnits(gas_price, 18),
            gas_fee: formatUnits(gas_fee, 18),
            platform_fee: log.platform_fee,
            status: 'CONFIRMED' as const,
            explorer_url: explorerTxUrl(CHAINS[body.chain_id], hash),
          },
          log_id: log.id,
        },
      };
    },
  });

/** Writes down what a wallet's owner has sent by other means (contract: POST /onchain/log). */
const reportRoute = ({ clock, config, evm }: Omit<Deps, 'sends'>): Route =>
  endpoint('POST /onchain/log', {
    name: 'onchain.record',
    creates: 'reported_transfer',
    auth: 'user',
    errors: [
      'WALLET_NOT_FOUND',
      'WALLET_ACCESS_DENIED',
      'INVALID_TX_HASH',
      'TRANSACTION_NOT_FOUND',
      'CONFLICT',
      'PROVIDER_UNAVAILABLE',
    ],
    summary: 'Records a transaction that a wallet of the caller has made elsewhere',
    body: Type.Object({
      bw_id: IdInput,
      tx_hash: TxHash,
      amount: AmountInput,
      to_address: text(100),
      token_symbol: text(32),
      chain_id: oneOfWords(CHAIN_KEYS),
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
    async handler({ caller: { user_id, client_id }, body, operation, db }) {
      const { bw_id, chain_id, token_symbol, amount, platform_fee } = body;
      const wallet = await findCryptoWallet(db, { user_id }, bw_id);
      if (!wallet) throw fail('WALLET_ACCESS_DENIED', 'You have no such wallet');
      const chain = evm.chains[chain_id];
      const { to, token_contract } = readTransfer(chain, body, config);
      const tx_hash = body.tx_hash.toLowerCase() as Hash;
      const claim: OnchainClaim = { bw_id, to, token_contract, amount, tx_hash };
      const gas_fee = config.MOCK_MODE
        ? body.gas_fee
        : await provenGasFee(db, chain, claim, config.EVM_CONFIRMATIONS);
      const { wallet_name, wallet_label } = wallet;
      const created_at = clock.now().toISOString();
      const row = await logReported(db, {
        user_id,
        client_id,
        bw_id,
        wallet_name,
        wallet_label,
        chain_id,
        token_symbol,
        amount,
        tx_hash,
        token_contract,
        gas_fee,
        platform_fee,
        destination_wallet: to,
        status: 'CONFIRMED',
        created_at,
        updated_at: created_at,
        reported_by: operation,
      });
      if (!row) throw fail('CONFLICT', 'This transaction is in the log already');
      const transaction_log = { ...row, explorer_url: explorerTxUrl(CHAINS[chain_id], tx_hash) };
      return at(201, { message: 'Transaction logged', data: { transaction_log } });
    },
  });
