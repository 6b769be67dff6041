import type { Address } from 'viem';
import type { ContractSet } from '../contracts/deploy.ts';
import { TOKENS } from '../contracts/movement.ts';

/** The platform's tokens on each chain. */
export const TOKEN_SYMBOLS = Object.keys(TOKENS) as (keyof typeof TOKENS)[];

/** Their contracts on one chain, in that order. */
export const tokenContracts = (contracts: ContractSet): Address[] =>
  TOKEN_SYMBOLS.map((symbol) => contracts[TOKENS[symbol]]);
