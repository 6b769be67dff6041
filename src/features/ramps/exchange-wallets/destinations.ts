import { type Destinations, each, listed } from '#chains/destinations.ts';
import type { NetworkCode } from './networks.ts';

/** Contracts of USDC on the networks that the exchange pays out on: tokens sent to them stay there. */
const EVM_TOKENS = [
  '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
  '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174',
  '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d',
];

const TRON = listed(() => [
  // Twenty bytes of zeros.
  ...each('NOBODY', ['T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb']),
  ...each('CONTRACT', ['TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8']),
]);
const SOLANA = listed(() => [
  ...each('NOBODY', [
    '11111111111111111111111111111111',
    '1nc1nerator11111111111111111111111111111111',
  ]),
  ...each('CONTRACT', [
    'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
    'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
    'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
  ]),
]);
const TOKENS = listed(() =>
  each(
    'CONTRACT',
    EVM_TOKENS.map((address) => address.toLowerCase()),
  ),
);

/** Forbidden destinations of USDC on a network. The platform's keys are the same on all EVM networks. */
export function destinationsOf(code: NetworkCode, evm: Destinations): Destinations {
  if (code === 'TRC20') return TRON;
  if (code === 'SOLANA') return SOLANA;
  return {
    forbids: async (address) =>
      (await evm.forbids(address)) ?? (await TOKENS.forbids(address.toLowerCase())),
    forbidden: async () => [...(await evm.forbidden()), ...each('CONTRACT', EVM_TOKENS)],
  };
}
