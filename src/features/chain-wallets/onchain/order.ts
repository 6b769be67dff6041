import type { Address } from 'viem';
import { type EvmChain, typedEvmAddress } from '#chains/evm/port.ts';
import type { Config } from '#kernel/config/config.ts';
import { wrongField } from '#kernel/error.ts';
import { type Asset, money, SCALE } from '#kernel/money/money.ts';

/** What may be sent: a chain's own coin, or our USDC there. */
export interface OnchainOrder {
  readonly chain: EvmChain;
  readonly asset: Asset;
  /** As the log has it: the contract's address, or `native`. */
  readonly token_contract: string;
  readonly to: Address;
  readonly units: bigint;
}

export interface OrderText {
  readonly token_symbol: OnchainOrder['asset'];
  readonly token_contract: string;
  readonly to_address: string;
  readonly amount: string;
  readonly decimals?: number | undefined;
}

/**
 * Reads what somebody wants to send on that chain. VALIDATION_ERROR names the field that is wrong. Whether the
 * address may be paid is not decided here.
 */
export function readOrder(chain: EvmChain, asked: OrderText, mode: Mode): OnchainOrder {
  const { token_symbol: asset, decimals = SCALE[asset] } = asked;
  const { to, token_contract } = readTransfer(chain, asked, mode);
  if (asset !== 'USDC' && asset !== chain.info.native)
    throw wrongField('token_symbol', `is not the coin of ${chain.info.key}`);
  if (asset === 'USDC' && token_contract !== chain.contracts.usdc)
    throw wrongField('token_contract', `is not the USDC contract on ${chain.info.key}`);
  if (decimals !== SCALE[asset])
    throw wrongField('decimals', `must be ${SCALE[asset]} for ${asset}`);
  const { units } = money(asset, asked.amount);
  return { chain, asset, token_contract, to, units };
}

type Mode = Pick<Config, 'MOCK_MODE'>;
type TransferText = Pick<OrderText, 'token_contract' | 'to_address'> & {
  readonly token_symbol: string;
};

/** The addresses of a transfer of any token, and that `native` and the symbol belong together. */
export function readTransfer(
  { info }: Pick<EvmChain, 'info'>,
  { token_symbol, token_contract: contract, to_address }: TransferText,
  mode: Mode,
): { to: Address; token_contract: string } {
  const to = typedEvmAddress(to_address, mode);
  if (to === undefined)
    throw wrongField('to_address', 'must be a 0x address with a valid EIP-55 checksum');
  const token_contract = contract === 'native' ? contract : typedEvmAddress(contract, mode);
  if (token_contract === undefined)
    throw wrongField(
      'token_contract',
      'must be `native`, or a 0x address with a valid EIP-55 checksum',
    );
  if ((token_contract === 'native') !== (token_symbol === info.native))
    throw wrongField('token_contract', `does not belong to ${token_symbol} on ${info.key}`);
  return { to, token_contract };
}
