import { Type } from 'typebox';
import { formatUnits } from 'viem';
import { CHAIN_KEYS, sendableAssets } from '#chains/evm/port.ts';
import { codedEnvelope } from '#kernel/http/envelope.ts';
import { endpoints, type Route } from '#kernel/http/route.ts';
import { AmountInput, Id, integerInput, stamped, text, words } from '#kernel/http/schema.ts';
import type { Sends } from './sends.ts';
import { explorerUrl } from './shapes.ts';

const endpoint = endpoints(codedEnvelope);

const Executed = Type.Object({
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
export const executeRoute = (sends: Sends): Route =>
  endpoint('POST /onchain/execute', {
    auth: 'user',
    summary: 'Sends coins or USDC from a wallet of the caller, and waits for the receipt',
    body: Type.Object({
      wallet_address: text(100),
      chain_id: words(CHAIN_KEYS),
      token_symbol: words(sendableAssets()),
      token_contract: text(100),
      to_address: text(100),
      amount: AmountInput,
      decimals: Type.Optional(integerInput(0, 36)),
    }),
    reply: { 201: stamped({ message: Type.String(), data: Executed }) },
    async handler({ caller, body, operation }) {
      const { transaction, log } = await sends.send(caller.user_id, operation, body);
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
            explorer_url: explorerUrl(log.chain_id, hash),
          },
          log_id: log.id,
        },
      };
    },
  });
